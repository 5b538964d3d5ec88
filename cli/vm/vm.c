// SPDX-License-Identifier: GPL-2.0-only
/*
 * The embedded VM, host side: builds an initramfs in memory, starts QEMU and
 * carries data between our stdio and the guest's PID 1 (vm/init.c) until that
 * has said how the command ended.  Called through vm.h.
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
#include "vm/vm.h"
#include "vm/proto.h"

#define QEMU "qemu-system-x86_64"
#define BOOT_LIMIT_S 180
#define BOOT_SHARE 4	/* or this part of what may take longer in all: a slow kernel's, say */
#define KVM_BOOT_LIMIT_S 20	/* then it is tried without KVM */
#define CONSOLE_LINES 30
#define CONSOLE_MAX 60	/* after a complaint */

/*
 * Every WARN and every hang ends the guest; a WARN is never survived. norandmaps:
 * an emulator that meets a library at a new address translates it once more, which
 * is more than half of an exec; what runs under control has fixed addresses anyway.
 */
#define KERNEL_WORDS "console=ttyS0 quiet panic=-1 panic_on_warn=1 oops=panic " \
	"hung_task_panic=1 softlockup_panic=1 mitigations=off random.trust_cpu=on " \
	"nokaslr norandmaps init_on_alloc=0 no_timer_check tsc=reliable rcupdate.rcu_expedited=1 " \
	"audit=0 psi=0 cryptomgr.notests 8250.nr_uarts=1 rdinit=/init"

struct vm {
	const struct chess_vm_opts *o;
	pid_t qemu;
	int port, console, messages;	/* our ends */
	int guest_port, guest_console, guest_messages;
	bool kvm;
	bool tty, raw;
	struct termios saved_tty;
	bool hello;		/* the guest came up */
	bool want, eof;		/* the guest takes input; we have no more */
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

static bool in_path(const char *name)
{
	const char *path = getenv("PATH");
	char buf[4096];
	size_t n;

	for (path = path ? path : "/usr/bin:/bin"; *path; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		snprintf(buf, sizeof(buf), "%.*s/%s", (int)n, path, name);
		if (!access(buf, X_OK))
			return true;
	}
	return false;
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

/* ---- QEMU ---- */

/* A comma in an option's value is written twice. */
static void escape(char *out, size_t len, const char *in)
{
	size_t n = 0;

	for (; *in && n + 3 < len; in++) {
		if (*in == ',')
			out[n++] = ',';
		out[n++] = *in;
	}
	out[n] = 0;
}

static void __attribute__((noreturn)) exec_qemu(const struct vm *vm, const char *image, int initrd)
{
	const char *a[64];
	char ramfs[64], append[4096], memory[32], cpus[32];
	char port[64], console[64], outbox[8400], real[4096], comma[8200];
	char service[64], service_port[128];
	sigset_t none;
	int n = 0, null;

	snprintf(ramfs, sizeof(ramfs), "/proc/self/fd/%d", initrd);
	snprintf(append, sizeof(append), "%s %s", KERNEL_WORDS, vm->o->append ? vm->o->append : "");
	snprintf(memory, sizeof(memory), "%uM", vm->o->memory_mb ? vm->o->memory_mb : 2048);
	snprintf(cpus, sizeof(cpus), "%u", vm->o->cpus ? vm->o->cpus : 2);
	snprintf(port, sizeof(port), "socket,id=port,fd=%d", vm->guest_port);
	snprintf(console, sizeof(console), "socket,id=console,fd=%d", vm->guest_console);

#define ADD(...) do { \
	const char *const words[] = { __VA_ARGS__ }; \
	memcpy(a + n, words, sizeof(words)); \
	n += sizeof(words) / sizeof(words[0]); \
} while (0)
	ADD(QEMU, "-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none",
	    "-no-reboot", "-m", memory, "-smp", cpus, "-kernel", image, "-initrd", ramfs,
	    "-append", append);
	if (vm->kvm)
		ADD("-accel", "kvm", "-cpu", "host");
	else
		/*
		 * erms: kernels clear and copy with rep stosb then, which TCG does byte by byte.
		 * cx16: TCG (7.2) forgets the flags after cmpxchg16b, and an interrupt there, in
		 * the kernel's allocator for one, returns with garbage instead, or not at all.
		 */
		ADD("-accel", "tcg,thread=single", "-cpu", "max,la57=off,erms=off,cx16=off");
	ADD("-chardev", console, "-serial", "chardev:console", "-device", "virtio-serial-pci",
	    "-chardev", port, "-device", "virtserialport,chardev=port,name=" CHESS_VM_PORT,
	    "-fsdev", "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap",
	    "-device", "virtio-9p-pci,fsdev=root,mount_tag=root");
	if (vm->o->service) {
		snprintf(service, sizeof(service), "socket,id=service,fd=%d", vm->o->service_fd);
		snprintf(service_port, sizeof(service_port),
			 "virtserialport,chardev=service,name=%s", vm->o->service);
		ADD("-chardev", service, "-device", service_port);
	}
	if (vm->o->outbox && realpath(vm->o->outbox, real)) {
		escape(comma, sizeof(comma), real);
		snprintf(outbox, sizeof(outbox),
			 "local,id=outbox,path=%s,security_model=none,multidevs=remap", comma);
		ADD("-fsdev", outbox, "-device", "virtio-9p-pci,fsdev=outbox,mount_tag=outbox");
	}
	ADD(NULL);
#undef ADD

	/* A session of its own: Ctrl-C is for us, and we end QEMU. */
	setsid();
	null = open("/dev/null", O_RDWR);
	dup2(null, STDIN_FILENO);
	dup2(vm->guest_messages, STDOUT_FILENO);
	dup2(vm->guest_messages, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(QEMU, (char *const *)a);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", QEMU, strerror(errno));
	_exit(127);
}

/* Our end is close-on-exec, QEMU's is not. */
static int channel(int *ours, int *theirs)
{
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return chess_vm_complain(errno,
					 "making a channel to the VM failed: %s", strerror(errno));
	*ours = fd[0];
	*theirs = fd[1];
	fcntl(*ours, F_SETFD, FD_CLOEXEC);
	return 0;
}

static int start_qemu(struct vm *vm, const char *image, int initrd)
{
	pid_t parent = getpid();
	int ret;

	ret = channel(&vm->port, &vm->guest_port);
	if (!ret)
		ret = channel(&vm->console, &vm->guest_console);
	if (!ret)
		ret = channel(&vm->messages, &vm->guest_messages);
	if (ret)
		return ret;
	vm->qemu = fork();
	if (vm->qemu < 0)
		return chess_vm_complain(errno, "starting the VM failed: %s", strerror(errno));
	if (!vm->qemu) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		exec_qemu(vm, image, initrd);
	}
	close(vm->guest_port);
	close(vm->guest_console);
	close(vm->guest_messages);
	vm->guest_port = vm->guest_console = vm->guest_messages = -1;
	return 0;
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
		ssize_t n = send(vm->port, buf + off, len - off, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return;		/* the port's end says the rest */
		if (n > 0)
			off += n;
	}
}

static void handle_frame(struct vm *vm, uint32_t type, const char *data, size_t len)
{
	char word[32];

	switch (type) {
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
	ssize_t n = recv(vm->port, vm->in + vm->in_len, sizeof(vm->in) - vm->in_len, MSG_DONTWAIT);
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

/* KVM can pass our test and still be unable to boot; nothing has been shown yet. */
static bool may_retry(const struct vm *vm)
{
	return vm->kvm && !vm->hello && !vm->failure[0];
}

static long boot_limit_s(const struct vm *vm)
{
	long share = vm->o->timeout_s / BOOT_SHARE;

	if (vm->kvm)
		return KVM_BOOT_LIMIT_S;
	return share > BOOT_LIMIT_S ? share : BOOT_LIMIT_S;
}

/* Until the success word, a failure, the end of QEMU, a signal or the limit. */
static int carry(struct vm *vm, const sigset_t *unblocked)
{
	long start = chess_now_ms(), now, left;
	struct winsize window;
	struct timespec ts;
	struct pollfd p[4];

	while (!vm->done) {
		now = chess_now_ms();
		left = vm->hello ? 3600 * 1000L : boot_limit_s(vm) * 1000 - (now - start);
		if (vm->o->timeout_s && vm->o->timeout_s * 1000L - (now - start) < left)
			left = vm->o->timeout_s * 1000L - (now - start);
		if (left <= 0 && may_retry(vm))
			return -EAGAIN;
		if (left <= 0 && vm->hello)
			return chess_vm_complain(ETIMEDOUT,
						 "the VM did not end its command within %ld s",
						 (now - start) / 1000);
		if (left <= 0)
			return chess_vm_complain(ETIMEDOUT, "the VM did not start within %ld s; "
						 "try again when the machine is less busy",
						 (now - start) / 1000);
		p[0] = (struct pollfd){ vm->port, POLLIN, 0 };
		p[1] = (struct pollfd){ vm->console, POLLIN, 0 };
		p[2] = (struct pollfd){ vm->messages, POLLIN, 0 };
		p[3] = (struct pollfd){ vm->want && !vm->eof ? STDIN_FILENO : -1, POLLIN, 0 };
		ts = (struct timespec){ left / 1000, left % 1000 * 1000000 };
		if (ppoll(p, 4, &ts, unblocked) < 0 && errno != EINTR)
			return chess_vm_complain(errno,
						 "waiting for the VM failed: %s", strerror(errno));
		else if (caught_signal)
			return -EINTR;
		if (window_changed && vm->hello && !ioctl(STDIN_FILENO, TIOCGWINSZ, &window)) {
			window_changed = 0;
			send_frame(vm, CHESS_VM_WINDOW, &window, sizeof(window));
		}
		if (p[1].revents && !read_text(vm, vm->console)) {
			close(vm->console);
			vm->console = -1;
		}
		if (p[2].revents && !read_text(vm, vm->messages)) {
			close(vm->messages);
			vm->messages = -1;
		}
		if (p[3].revents)
			read_input(vm);
		if (p[0].revents && !read_port(vm))
			break;
	}
	if (vm->done)
		return 0;
	while (vm->console >= 0 && read_text(vm, vm->console) && errno != EAGAIN)
		errno = 0;
	while (vm->messages >= 0 && read_text(vm, vm->messages) && errno != EAGAIN)
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

/* One start of QEMU, until it is gone again. */
static int attempt(struct vm *vm, const char *image, int initrd, const sigset_t *unblocked)
{
	int *const fds[] = { &vm->port, &vm->console, &vm->messages, &vm->guest_port,
			     &vm->guest_console, &vm->guest_messages };
	size_t i;
	int ret;

	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		*fds[i] = -1;
	vm->tail_len = vm->in_len = 0;
	ret = start_qemu(vm, image, initrd);
	if (!ret) {
		fflush(NULL);
		raw_terminal(vm);
		ret = carry(vm, unblocked);
	}
	if (vm->raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &vm->saved_tty);
	if (ret == -EIO || ret == -ETIMEDOUT)
		show_tail(vm);
	if (vm->qemu > 0) {
		kill(vm->qemu, SIGKILL);
		waitpid(vm->qemu, NULL, 0);
	}
	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
	return ret;
}

int chess_vm_run(const struct chess_vm_opts *o, char *const argv[], int *status)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH };
	const int nsigs = sizeof(sigs) / sizeof(sigs[0]);
	struct sigaction old[sizeof(sigs) / sizeof(sigs[0])], act = { .sa_handler = handle_signal };
	sigset_t blocked, before;
	struct chess_vm_kernel kernel;
	char dir[4096];
	struct vm *vm;
	int i, initrd, ret;

	if (!in_path(QEMU))
		return chess_vm_complain(ENOENT, "the VM needs %s, which is not installed; "
					 "install the package qemu-system-x86", QEMU);
	if (o->outbox && (!realpath(o->outbox, dir) || access(dir, W_OK)))
		return chess_vm_complain(errno,
					 "the directory for results '%s' cannot be written: %s",
					 o->outbox, strerror(errno));
	ret = chess_vm_kernel_find(o->kernel, &kernel);
	if (ret)
		return chess_vm_complain(-ret, "%s", kernel.image);
	vm = calloc(1, sizeof(*vm));
	if (!vm) {
		chess_vm_kernel_clear(&kernel);
		return chess_vm_complain(ENOMEM, "no memory for the VM");
	}
	vm->o = o;
	vm->tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	initrd = chess_vm_initramfs_make(o, vm->tty, &kernel, argv);
	if (initrd < 0) {
		chess_vm_kernel_clear(&kernel);
		free(vm);
		return initrd;
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

	vm->kvm = !chess_vm_kvm_flaw();
	ret = attempt(vm, kernel.image, initrd, &before);
	if (ret == -EAGAIN) {
		vm->kvm = false;
		ret = attempt(vm, kernel.image, initrd, &before);
	}
	for (i = 0; i < nsigs; i++)
		sigaction(sigs[i], &old[i], NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(initrd);
	*status = vm->code;
	free(vm);
	chess_vm_kernel_clear(&kernel);
	if (caught_signal)
		raise(caught_signal);
	return ret;
}
