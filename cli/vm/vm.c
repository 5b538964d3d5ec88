// SPDX-License-Identifier: GPL-2.0-only
/*
 * The embedded VM, host side: starts a machine and carries data between our
 * stdio and the guest's PID 1 (vm/init.c) until that has said how the command
 * ended.  Called through vm.h.
 *
 * Without KVM to boot takes seconds, so a machine that has booted is saved
 * (snapshot.c), before it knows of a command, and the next ones begin there.
 * What is wrong with a saved one shows before the command begins; then the
 * machine boots after all.
 *
 * Nothing of it may outlive us: there are no temporary files (the initramfs
 * is a memfd, every channel a socket pair), and QEMU dies with its parent.
 *
 *    our stdio <-> vm.c <== frames, vm/proto.h ==> init <-> the command
 *                    ^----- serial console: kept for reports
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "now.h"
#include "vm/kernel.h"
#include "vm/proto.h"
#include "vm/qemu.h"
#include "vm/snapshot.h"
#include "vm/vm.h"
#include "vm/warm.h"

#define BOOT_LIMIT_S 180
#define BOOT_SHARE 4	/* or this part of what may take longer in all: a slow kernel's, say */
#define KVM_BOOT_LIMIT_S 20	/* then it is tried without KVM */
#define LOAD_LIMIT_S 60		/* then it boots */
#define ASK_MS 5000		/* the guest has these to say what is waited for */
#define CONSOLE_LINES 30
#define CONSOLE_MAX 60	/* after a complaint */

/* How a machine begins. BEGIN_SAVE: it boots, and is saved */
enum begin { BEGIN_BOOT, BEGIN_SAVE, BEGIN_LOAD };

struct vm {
	const struct chess_vm_opts *o;
	struct chess_vm_machine m;
	enum begin begin;
	bool kvm;
	char *config;		/* of the command; NULL: of none */
	char *tried;		/* of a trial, which comes before it; NULL: there is none */
	size_t config_len, tried_len;
	bool trial_sent;
	const char *late;	/* see struct chess_vm_start; NULL: it is not for a keeper */
	bool ready;		/* the guest waits, and there is nothing to be sent */
	long began;
	bool tty, raw;
	struct termios saved_tty;
	bool hello;		/* the guest came up */
	bool want, eof;		/* the guest takes input; we have no more */
	bool told;		/* what its processes wait in */
	bool done;		/* the success word came */
	int code;
	char failure[600];	/* the guest's own sentence */
	char tail[16384];	/* last output of console and QEMU */
	size_t tail_len;
	char in[65536 + 16];	/* frames not yet complete */
	size_t in_len;
};

static volatile sig_atomic_t caught_signal, window_changed;

static void handle_signal(int sig)
{
	if (sig == SIGWINCH)
		window_changed = 1;
	else
		caught_signal = sig;
}

int chess_vm_complain(int err, const char *fmt, ...)
{
	va_list ap;

	fputs("chess: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -err;
}

/* ---- finding things ---- */

int chess_vm_find(const char *name, char *buf, size_t len)
{
	static const char *const places[] = { "%s/%s", "%s/../kmod/%s", "%s/../lib/chess/%s" };
	const char *dir = getenv("CHESS_VM_DIR");
	char exe[4096];
	ssize_t n;
	size_t i;

	if (dir && *dir) {
		snprintf(buf, len, "%s/%s", dir, name);
		return access(buf, F_OK) ? -ENOENT : 0;
	}
	n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (n <= 0)
		return -ENOENT;
	exe[n] = 0;
	*strrchr(exe, '/') = 0;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if ((size_t)snprintf(buf, len, places[i], exe, name) < len && !access(buf, F_OK))
			return 0;
	}
	return -ENOENT;
}

/*
 * /dev/kvm may be there and yet be of no use: no permission, or a nested or
 * emulated one that offers a crippled CPU.  Every KVM on real hardware gives
 * its guests SSE3, which those without hardware support were seen not to
 * do.  What passes here and still fails to boot is caught by chess_vm_run().
 */
const char *chess_vm_kvm_flaw(void)
{
	struct {
		struct kvm_cpuid2 head;
		struct kvm_cpuid_entry2 entry[256];
	} *cpuid = calloc(1, sizeof(*cpuid));
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), vm = -1, cpu = -1;
	const char *flaw = NULL;
	unsigned int i;

	if (kvm < 0 || !cpuid) {
		flaw = strerror(errno);
		goto out;
	}
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	cpu = vm < 0 ? -1 : ioctl(vm, KVM_CREATE_VCPU, 0);
	cpuid->head.nent = 256;
	flaw = "/dev/kvm exists but creates no machine";
	if (cpu < 0 || ioctl(kvm, KVM_GET_SUPPORTED_CPUID, cpuid) < 0)
		goto out;
	flaw = "/dev/kvm offers a processor without SSE3, which no real processor lacks";
	for (i = 0; i < cpuid->head.nent; i++)
		if (cpuid->entry[i].function == 1 && (cpuid->entry[i].ecx & 1))
			flaw = NULL;
out:
	if (cpu >= 0)
		close(cpu);
	if (vm >= 0)
		close(vm);
	if (kvm >= 0)
		close(kvm);
	free(cpuid);
	return flaw;
}

/* ---- carrying data ---- */

static void write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1);
		else if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			p += n;
			len -= n;
		}
	}
}

static void send_frame(struct vm *vm, uint32_t type, const void *data, size_t len)
{
	char buf[sizeof(struct chess_vm_frame) + CHESS_VM_MAX_DATA];
	struct chess_vm_frame frame = { .type = type, .len = len };
	size_t off = 0;

	memcpy(buf, &frame, sizeof(frame));
	if (len)
		memcpy(buf + sizeof(frame), data, len);
	len += sizeof(frame);
	while (off < len) {
		ssize_t n = send(vm->m.port, buf + off, len - off, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return;		/* the port's end says the rest */
		if (n > 0)
			off += n;
	}
}

static void send_config(struct vm *vm, const char *data, size_t len)
{
	char moment[256];
	size_t n;

	for (; len; data += n, len -= n) {
		n = len < CHESS_VM_MAX_DATA ? len : CHESS_VM_MAX_DATA;
		send_frame(vm, CHESS_VM_CONFIG, data, n);
	}
	send_frame(vm, CHESS_VM_CONFIG, moment, chess_vm_config_moment(moment, sizeof(moment)));
	send_frame(vm, CHESS_VM_CONFIG, NULL, 0);
}

static void handle_ready(struct vm *vm)
{
	if (vm->tried && !vm->trial_sent) {
		vm->trial_sent = true;
		send_config(vm, vm->tried, vm->tried_len);
	} else if (vm->config) {
		send_config(vm, vm->config, vm->config_len);
	} else {
		vm->ready = true;
	}
}

static void handle_frame(struct vm *vm, uint32_t type, const char *data, size_t len)
{
	char word[32];

	switch (type) {
	case CHESS_VM_READY:
		handle_ready(vm);
		break;
	case CHESS_VM_HELLO:
		vm->hello = true;
		break;
	case CHESS_VM_OUT:
		write_all(STDOUT_FILENO, data, len);
		break;
	case CHESS_VM_ERR:
		write_all(STDERR_FILENO, data, len);
		break;
	case CHESS_VM_WANT:
		vm->want = true;
		break;
	case CHESS_VM_FAIL:
		snprintf(vm->failure, sizeof(vm->failure), "%.*s", (int)len, data);
		break;
	case CHESS_VM_WAITING:
		write_all(STDERR_FILENO, data, len);
		vm->told = !len;
		break;
	case CHESS_VM_EXIT:
		snprintf(word, sizeof(word), "%.*s", (int)len, data);
		vm->code = strtoul(word, NULL, 10);
		vm->done = strchr(word, ' ') && !strcmp(strchr(word, ' ') + 1, CHESS_VM_WORD);
		break;
	default:
		snprintf(vm->failure, sizeof(vm->failure), "the guest sent a frame of type %u", type);
	}
}

/* Returns false at the port's end, which is QEMU's. */
static bool read_port(struct vm *vm)
{
	ssize_t n = recv(vm->m.port, vm->in + vm->in_len, sizeof(vm->in) - vm->in_len,
			 MSG_DONTWAIT);
	struct chess_vm_frame frame;
	size_t off = 0;

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	vm->in_len += n;
	while (vm->in_len - off >= sizeof(frame)) {
		memcpy(&frame, vm->in + off, sizeof(frame));
		if (frame.len > CHESS_VM_MAX_DATA) {
			snprintf(vm->failure, sizeof(vm->failure), "the guest sent a broken frame");
			return false;
		}
		if (vm->in_len - off < sizeof(frame) + frame.len)
			break;
		handle_frame(vm, frame.type, vm->in + off + sizeof(frame), frame.len);
		off += sizeof(frame) + frame.len;
	}
	memmove(vm->in, vm->in + off, vm->in_len - off);
	vm->in_len -= off;
	return true;
}

/* Keeps the last bytes; returns false at the end. */
static bool read_text(struct vm *vm, int fd)
{
	char buf[4096];
	ssize_t n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);
	size_t room;

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	if (vm->o->verbose)
		write_all(STDERR_FILENO, buf, n);
	room = sizeof(vm->tail) - vm->tail_len;
	if ((size_t)n > room) {
		memmove(vm->tail, vm->tail + (n - room), vm->tail_len - (n - room));
		vm->tail_len -= n - room;
	}
	memcpy(vm->tail + vm->tail_len, buf, n);
	vm->tail_len += n;
	return true;
}

/* The monitor repeats each command; what it does shows elsewhere. */
static void drop_answers(struct vm *vm)
{
	char buf[4096];
	ssize_t n = recv(vm->m.monitor, buf, sizeof(buf), MSG_DONTWAIT);

	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	close(vm->m.monitor);
	vm->m.monitor = -1;
}

static void read_input(struct vm *vm)
{
	char buf[CHESS_VM_MAX_DATA];
	ssize_t n = read(STDIN_FILENO, buf, sizeof(buf));

	if (n > 0) {
		vm->want = false;
		send_frame(vm, CHESS_VM_IN, buf, n);
	} else if (!n || (errno != EINTR && errno != EAGAIN)) {
		vm->eof = true;
		send_frame(vm, CHESS_VM_EOF, NULL, 0);
	}
}

/* The start of the last lines of the tail, or of its first complaint. */
static size_t tail_start(const struct vm *vm)
{
	static const char *const words[] = {
		"Kernel panic", "BUG: ", "WARNING: ", "Oops: ", "invalid opcode", "int3: ",
	};
	size_t at = vm->tail_len, i;
	const char *found;
	int lines = 0;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		found = memmem(vm->tail, vm->tail_len, words[i], strlen(words[i]));
		if (found && (size_t)(found - vm->tail) < at)
			at = found - vm->tail;
	}
	if (at < vm->tail_len) {
		while (at && vm->tail[at - 1] != '\n')
			at--;
		return at;
	}
	while (at) {
		if (vm->tail[at - 1] == '\n' && at < vm->tail_len && ++lines == CONSOLE_LINES)
			break;
		at--;
	}
	return at;
}

static void show_tail(struct vm *vm)
{
	size_t at = tail_start(vm);
	int lines = 0;

	if (!vm->tail_len) {
		fputs("  (its console is empty)\n", stderr);
		return;
	}
	fputs("  its last console lines:\n", stderr);
	for (; at < vm->tail_len && lines < CONSOLE_MAX; at++) {
		lines += vm->tail[at] == '\n';
		if (vm->tail[at] != '\r')
			fputc(vm->tail[at], stderr);
	}
	if (vm->tail[vm->tail_len - 1] != '\n')
		fputc('\n', stderr);
}

/*
 * KVM can pass our test and still be unable to boot, and a saved machine may be broken; nothing
 * has been shown yet.
 */
static bool may_retry(const struct vm *vm)
{
	return !vm->hello && (vm->begin != BEGIN_BOOT || (vm->kvm && !vm->failure[0]));
}

static long boot_limit_s(const struct vm *vm)
{
	long share = vm->o->timeout_s / BOOT_SHARE;

	if (vm->begin == BEGIN_LOAD)
		return LOAD_LIMIT_S;
	if (vm->kvm)
		return KVM_BOOT_LIMIT_S;
	return share > BOOT_LIMIT_S ? share : BOOT_LIMIT_S;
}

/* After the limit: whatever went wrong may not come back when somebody wants to see it. */
static void ask_what_waits(struct vm *vm)
{
	long end = chess_now_ms() + ASK_MS, now;

	fputs("  its processes, and where they are in the kernel:\n", stderr);
	send_frame(vm, CHESS_VM_ASK, NULL, 0);
	for (now = chess_now_ms(); !vm->told && now < end; now = chess_now_ms())
		if (poll(&(struct pollfd){ vm->m.port, POLLIN, 0 }, 1, end - now) > 0 &&
		    !read_port(vm))
			break;
	if (!vm->told)
		fputs("  (it does not answer)\n", stderr);
}

/* Until the success word, nothing to be sent, a failure, the end of QEMU, a signal, the limit. */
static int carry(struct vm *vm, const sigset_t *unblocked)
{
	long start = chess_now_ms(), now, left;
	struct winsize window;
	struct timespec ts;
	struct pollfd p[5];

	while (!vm->done && !vm->ready) {
		now = chess_now_ms();
		left = vm->hello ? 3600 * 1000L : boot_limit_s(vm) * 1000 - (now - start);
		if (vm->o->timeout_s && vm->o->timeout_s * 1000L - (now - vm->began) < left)
			left = vm->o->timeout_s * 1000L - (now - vm->began);
		if (left <= 0 && may_retry(vm))
			return -EAGAIN;
		if (left <= 0 && vm->hello) {
			chess_vm_complain(ETIMEDOUT, "the VM did not end its command within %ld s",
					  (now - vm->began) / 1000);
			ask_what_waits(vm);
			return -ETIMEDOUT;
		}
		if (left <= 0)
			return chess_vm_complain(ETIMEDOUT, "the VM did not start within %ld s; "
						 "try again when the machine is less busy",
						 (now - start) / 1000);
		p[0] = (struct pollfd){ vm->m.port, POLLIN, 0 };
		p[1] = (struct pollfd){ vm->m.console, POLLIN, 0 };
		p[2] = (struct pollfd){ vm->m.messages, POLLIN, 0 };
		p[3] = (struct pollfd){ vm->want && !vm->eof ? STDIN_FILENO : -1, POLLIN, 0 };
		p[4] = (struct pollfd){ vm->m.monitor, POLLIN, 0 };
		ts = (struct timespec){ left / 1000, left % 1000 * 1000000 };
		if (ppoll(p, 5, &ts, unblocked) < 0 && errno != EINTR)
			return chess_vm_complain(errno,
						 "waiting for the VM failed: %s", strerror(errno));
		else if (caught_signal)
			return -EINTR;
		if (window_changed && vm->hello && !ioctl(STDIN_FILENO, TIOCGWINSZ, &window)) {
			window_changed = 0;
			send_frame(vm, CHESS_VM_WINDOW, &window, sizeof(window));
		}
		if (p[1].revents && !read_text(vm, vm->m.console)) {
			close(vm->m.console);
			vm->m.console = -1;
		}
		if (p[2].revents && !read_text(vm, vm->m.messages)) {
			close(vm->m.messages);
			vm->m.messages = -1;
		}
		if (p[3].revents)
			read_input(vm);
		if (p[4].revents)
			drop_answers(vm);
		if (p[0].revents && !read_port(vm))
			break;
	}
	if (vm->done || vm->ready)
		return 0;
	while (vm->m.console >= 0 && read_text(vm, vm->m.console) && errno != EAGAIN)
		errno = 0;
	while (vm->m.messages >= 0 && read_text(vm, vm->m.messages) && errno != EAGAIN)
		errno = 0;
	if (may_retry(vm))
		return -EAGAIN;
	if (vm->failure[0])
		return chess_vm_complain(EIO, "the VM failed: %s", vm->failure);
	return chess_vm_complain(EIO, vm->hello ? "the VM died before its command ended"
				 : "the VM died while it started");
}

static void raw_terminal(struct vm *vm)
{
	struct termios raw;

	if (!vm->tty || tcgetattr(STDIN_FILENO, &vm->saved_tty))
		return;
	raw = vm->saved_tty;
	cfmakeraw(&raw);
	vm->raw = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

/* Carries what there is with a machine that runs, and ends it. */
static int carry_and_end(struct vm *vm, const sigset_t *unblocked)
{
	int ret;

	fflush(NULL);
	raw_terminal(vm);
	ret = carry(vm, unblocked);
	if (vm->raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &vm->saved_tty);
	vm->raw = false;
	if (ret == -EIO || ret == -ETIMEDOUT)
		show_tail(vm);
	return ret;
}

static void forget(struct vm *vm)
{
	vm->tail_len = vm->in_len = 0;
	vm->failure[0] = 0;
	vm->ready = vm->trial_sent = false;
}

/* One start of QEMU, until it has done what it was to do. */
static int attempt(struct vm *vm, const char *image, int initrd, const struct chess_vm_snapshot *s,
		   const sigset_t *unblocked)
{
	struct chess_vm_start start = {
		.image = image, .initrd = initrd, .kvm = vm->kvm, .memory = -1, .state = -1,
	};
	int ret;

	forget(vm);
	if (vm->begin != BEGIN_BOOT) {
		start.memory = s->memory;
		start.state = vm->begin == BEGIN_LOAD ? s->state : -1;
		start.shared = vm->begin == BEGIN_SAVE;
		start.monitor = true;
	}
	if (vm->late) {
		start.monitor = true;
		start.late = vm->late;
	}
	ret = chess_vm_machine_start(&vm->m, vm->o, &start);
	/* It was saved after it had asked. */
	if (!ret && vm->begin == BEGIN_LOAD)
		handle_ready(vm);
	if (!ret)
		ret = carry_and_end(vm, unblocked);
	if (!ret && vm->begin == BEGIN_SAVE && !chess_vm_machine_save(&vm->m, s->state))
		ret = -EAGAIN;
	if (ret || !vm->late || vm->begin == BEGIN_SAVE)
		chess_vm_machine_end(&vm->m);
	return ret;
}

static void say(const struct vm *vm, const char *text)
{
	if (vm->o->verbose)
		fprintf(stderr, "chess: %s\n", text);
}

/* Boots as far as a trial without a command, which fetches the files that are near. */
static int save(struct vm *vm, const struct chess_vm_kernel *kernel, int initrd,
		struct chess_vm_snapshot *s, const sigset_t *unblocked)
{
	struct chess_vm_opts trial = *vm->o;
	char *config = vm->config, *tried = vm->tried;
	size_t tried_len = vm->tried_len;
	int ret;

	trial.trial = true;
	trial.outbox = NULL;
	ret = chess_vm_config_make(&trial, false, kernel, NULL, &vm->tried, &vm->tried_len);
	if (ret) {
		vm->tried = tried;
		return ret;
	}
	vm->config = NULL;
	vm->begin = BEGIN_SAVE;
	ret = attempt(vm, kernel->image, initrd, s, unblocked);
	vm->config = config;
	free(vm->tried);
	vm->tried = tried;
	vm->tried_len = tried_len;
	if (!ret && !chess_vm_snapshot_commit(s))
		ret = -EAGAIN;
	say(vm, ret ? "a machine that has booted could not be saved"
	    : "a machine that has booted was saved");
	return ret;
}

/* From a saved machine; -EAGAIN: it has to boot. */
static int from_saved(struct vm *vm, const struct chess_vm_kernel *kernel, int initrd,
		      const sigset_t *unblocked)
{
	struct chess_vm_snapshot s;
	int ret = 0;

	if (vm->kvm || !chess_vm_snapshot_open(&s, chess_vm_snapshot_key(vm->o, kernel)))
		return -EAGAIN;
	if (s.make)
		ret = save(vm, kernel, initrd, &s, unblocked);
	if (!ret) {
		say(vm, "the VM begins from a saved machine");
		vm->begin = BEGIN_LOAD;
		ret = attempt(vm, kernel->image, initrd, &s, unblocked);
		if (ret == -EAGAIN) {
			say(vm, "the saved machine is of no use, so the VM boots");
			chess_vm_snapshot_remove(&s);
		}
	}
	chess_vm_snapshot_close(&s);
	vm->begin = BEGIN_BOOT;
	return ret;
}

/* In a machine that waits for a command; -EAGAIN: there is none. */
static int in_warm(struct vm *vm, const struct chess_vm_kernel *kernel, char *const argv[],
		   const sigset_t *unblocked)
{
	struct chess_vm_opts o = *vm->o;
	char *config = vm->config;
	size_t len = vm->config_len;
	int lease = chess_vm_warm_take(&o, kernel, &vm->m), ret;

	if (lease < 0)
		return -EAGAIN;
	o.outbox_tag = o.outbox ? CHESS_VM_LATE : NULL;
	ret = chess_vm_config_make(&o, vm->tty, kernel, argv, &vm->config, &vm->config_len);
	if (!ret) {
		fputs("chess: the command runs in a VM that was kept ready (chessctl vm)\n", stderr);
		forget(vm);
		vm->begin = BEGIN_LOAD;
		handle_ready(vm);
		ret = carry_and_end(vm, unblocked);
		free(vm->config);
	}
	chess_vm_machine_end(&vm->m);
	close(lease);
	vm->config = config;
	vm->config_len = len;
	vm->begin = BEGIN_BOOT;
	return ret;
}

static int start(struct vm *vm, const struct chess_vm_kernel *kernel, int initrd,
		 const sigset_t *unblocked)
{
	int ret;

	vm->kvm = !chess_vm_kvm_flaw();
	ret = from_saved(vm, kernel, initrd, unblocked);
	if (ret == -EAGAIN)
		ret = attempt(vm, kernel->image, initrd, NULL, unblocked);
	if (ret == -EAGAIN) {
		vm->kvm = false;
		ret = attempt(vm, kernel->image, initrd, NULL, unblocked);
	}
	return ret;
}

static int find_parts(const struct chess_vm_opts *o, struct chess_vm_kernel *kernel)
{
	char path[4096];
	int ret;

	if (!chess_vm_machine_program(path, sizeof(path)))
		return chess_vm_complain(ENOENT,
					 "the VM needs qemu-system-x86_64, which is not installed; "
					 "install the package qemu-system-x86");
	if (o->outbox && (!realpath(o->outbox, path) || access(path, W_OK)))
		return chess_vm_complain(errno,
					 "the directory for results '%s' cannot be written: %s",
					 o->outbox, strerror(errno));
	ret = chess_vm_kernel_find(o->kernel, kernel);
	return ret ? chess_vm_complain(-ret, "%s", kernel->image) : 0;
}

int chess_vm_run(const struct chess_vm_opts *o, char *const argv[], int *status)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH };
	const int nsigs = sizeof(sigs) / sizeof(sigs[0]);
	struct sigaction old[sizeof(sigs) / sizeof(sigs[0])], act = { .sa_handler = handle_signal };
	sigset_t blocked, before;
	struct chess_vm_kernel kernel;
	struct vm *vm;
	int i, initrd = -1, ret;

	ret = find_parts(o, &kernel);
	if (ret)
		return ret;
	vm = calloc(1, sizeof(*vm));
	if (!vm) {
		chess_vm_kernel_clear(&kernel);
		return chess_vm_complain(ENOMEM, "no memory for the VM");
	}
	vm->o = o;
	vm->began = chess_now_ms();
	vm->tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	ret = chess_vm_config_make(o, vm->tty, &kernel, argv, &vm->config, &vm->config_len);
	if (!ret)
		initrd = chess_vm_initramfs_make(o, &kernel);
	if (initrd < 0) {
		chess_vm_kernel_clear(&kernel);
		free(vm->config);
		free(vm);
		return ret ? ret : initrd;
	}

	sigemptyset(&blocked);
	for (i = 0; i < nsigs; i++)
		sigaddset(&blocked, sigs[i]);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	caught_signal = 0;
	for (i = 0; i < nsigs; i++) {
		sigaction(sigs[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(sigs[i], &act, NULL);
	}

	ret = in_warm(vm, &kernel, argv, &before);
	if (ret == -EAGAIN)
		ret = start(vm, &kernel, initrd, &before);
	for (i = 0; i < nsigs; i++)
		sigaction(sigs[i], &old[i], NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(initrd);
	*status = vm->code;
	free(vm->config);
	free(vm);
	chess_vm_kernel_clear(&kernel);
	if (caught_signal)
		raise(caught_signal);
	return ret;
}

int chess_vm_prepare(const struct chess_vm_opts *o, const struct chess_vm_kernel *kernel,
		     char *const trial[], const char *late, struct chess_vm_machine *m)
{
	struct chess_vm_opts opts = *o;
	struct vm *vm = calloc(1, sizeof(*vm));
	sigset_t now;
	int initrd, ret;

	if (!vm)
		return chess_vm_complain(ENOMEM, "no memory for the VM");
	opts.trial = true;
	vm->o = &opts;
	vm->late = late;
	vm->began = chess_now_ms();
	sigprocmask(SIG_SETMASK, NULL, &now);
	initrd = chess_vm_initramfs_make(o, kernel);
	ret = initrd < 0 ? initrd :
	      chess_vm_config_make(&opts, false, kernel, trial, &vm->tried, &vm->tried_len);
	if (!ret)
		ret = start(vm, kernel, initrd, &now);
	if (initrd >= 0)
		close(initrd);
	*m = vm->m;
	free(vm->tried);
	free(vm);
	return ret;
}
