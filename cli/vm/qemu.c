// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts QEMU, saves a machine and begins from one that was saved (qemu.h).
 *
 * The memory of a saved machine is a file. The one that is saved writes into it, and those that
 * begin there map it privately, so to begin is to map a file and to read some hundred KB of the
 * state of devices. QEMU calls this x-ignore-shared; Kata Containers begin in the same way.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mix.h"
#include "now.h"
#include "vm/proto.h"
#include "vm/qemu.h"

#define QEMU "qemu-system-x86_64"
#define SAVE_S 60

/*
 * Every WARN and every hang ends the guest; a WARN is never survived. norandmaps:
 * an emulator that meets a library at a new address translates it once more, which
 * is more than half of an exec; what runs under control has fixed addresses anyway.
 * The initcalls that are left out take a third of the time of booting under emulation:
 * jent_mod_init measures its own jitter and was once taken for a soft lockup.
 */
#define KERNEL_WORDS "console=ttyS0 quiet panic=-1 panic_on_warn=1 oops=panic " \
	"hung_task_panic=1 softlockup_panic=1 mitigations=off random.trust_cpu=on " \
	"nokaslr norandmaps init_on_alloc=0 no_timer_check tsc=reliable rcupdate.rcu_expedited=1 " \
	"audit=0 psi=0 cryptomgr.notests 8250.nr_uarts=1 rdinit=/init " \
	"initcall_blacklist=jent_mod_init,load_system_certificate_list,cmos_init,i8042_init"

#define ACCEL_KVM "-accel", "kvm", "-cpu", "host"
/*
 * erms: kernels clear and copy with rep stosb then, which TCG does byte by byte.
 * cx16: TCG (7.2) forgets the flags after cmpxchg16b, and an interrupt there, in
 * the kernel's allocator for one, returns with garbage instead, or not at all.
 */
#define ACCEL_TCG "-accel", "tcg,thread=single", "-cpu", "max,la57=off,erms=off,cx16=off"
#define MACHINE "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"
#define ROOT "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"

bool chess_vm_machine_program(char *buf, size_t len)
{
	const char *path = getenv("PATH");
	size_t n;

	for (path = path ? path : "/usr/bin:/bin"; *path; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		snprintf(buf, len, "%.*s/%s", (int)n, path, QEMU);
		if (!access(buf, X_OK))
			return true;
	}
	return false;
}

static unsigned int memory_mb(const struct chess_vm_opts *o)
{
	return o->memory_mb ? o->memory_mb : 2048;
}

static unsigned int cpus_of(const struct chess_vm_opts *o)
{
	return o->cpus ? o->cpus : 2;
}

uint64_t chess_vm_machine_hash(const struct chess_vm_opts *o)
{
	static const char *const words[] = { MACHINE, ACCEL_TCG, ROOT, KERNEL_WORDS };
	uint64_t hash = CHESS_HASH_START;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		hash = chess_hash_bytes(hash, words[i], strlen(words[i]) + 1);
	hash = chess_mix(chess_mix(hash, memory_mb(o)), cpus_of(o));
	if (o->service)
		hash = chess_hash_bytes(hash, o->service, strlen(o->service) + 1);
	return hash;
}

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

/* Without a directory for results the guest has the device all the same, and never asks it. */
static void outbox_words(char *out, size_t len, const char *dir)
{
	char real[4096], comma[8200];

	if (!dir || !realpath(dir, real)) {
		snprintf(out, len, "local,id=outbox,path=/,security_model=none,readonly=on,multidevs=remap");
		return;
	}
	escape(comma, sizeof(comma), real);
	snprintf(out, len, "local,id=outbox,path=%s,security_model=none,multidevs=remap", comma);
}

struct ends {
	int port, console, messages, monitor;	/* QEMU's */
};

static void __attribute__((noreturn)) exec_qemu(const struct chess_vm_opts *o,
						const struct chess_vm_start *start,
						const struct ends *ends)
{
	const char *a[80];
	char ramfs[64], append[4096], memory[32], cpus[32], backend[200];
	char port[64], console[64], monitor[64], outbox[8400], late[8400], comma[8200];
	char service[64], service_port[128];
	sigset_t none;
	int n = 0, null;

	snprintf(ramfs, sizeof(ramfs), "/proc/self/fd/%d", start->initrd);
	snprintf(append, sizeof(append), "%s %s", KERNEL_WORDS, o->append ? o->append : "");
	snprintf(memory, sizeof(memory), "%uM", memory_mb(o));
	snprintf(cpus, sizeof(cpus), "%u", cpus_of(o));
	snprintf(port, sizeof(port), "socket,id=port,fd=%d", ends->port);
	snprintf(console, sizeof(console), "socket,id=console,fd=%d", ends->console);
	outbox_words(outbox, sizeof(outbox), o->outbox);

#define ADD(...) do { \
	const char *const words[] = { __VA_ARGS__ }; \
	memcpy(a + n, words, sizeof(words)); \
	n += sizeof(words) / sizeof(words[0]); \
} while (0)
	ADD(QEMU, MACHINE, "-m", memory, "-smp", cpus, "-kernel", start->image, "-initrd", ramfs,
	    "-append", append);
	if (start->kvm)
		ADD(ACCEL_KVM);
	else
		ADD(ACCEL_TCG);
	if (start->memory >= 0) {
		snprintf(backend, sizeof(backend),
			 "memory-backend-file,id=ram,size=%uM,mem-path=/proc/self/fd/%d,share=%s",
			 memory_mb(o), start->memory, start->shared ? "on" : "off");
		ADD("-object", backend, "-machine", "pc,memory-backend=ram");
	}
	if (start->state >= 0)
		ADD("-incoming", "defer");
	if (start->monitor) {
		snprintf(monitor, sizeof(monitor), "socket,id=monitor,fd=%d", ends->monitor);
		ADD("-chardev", monitor, "-mon", "chardev=monitor,mode=readline");
	} else {
		ADD("-monitor", "none");
	}
	ADD("-chardev", console, "-serial", "chardev:console", "-device", "virtio-serial-pci",
	    "-chardev", port, "-device", "virtserialport,chardev=port,name=" CHESS_VM_PORT,
	    "-fsdev", ROOT, "-device", "virtio-9p-pci,fsdev=root,mount_tag=root",
	    "-fsdev", outbox, "-device", "virtio-9p-pci,fsdev=outbox,mount_tag=outbox");
	if (o->service) {
		snprintf(service, sizeof(service), "socket,id=service,fd=%d", o->service_fd);
		snprintf(service_port, sizeof(service_port),
			 "virtserialport,chardev=service,name=%s", o->service);
		ADD("-chardev", service, "-device", service_port);
	}
	if (start->late) {
		escape(comma, sizeof(comma), start->late);
		snprintf(late, sizeof(late),
			 "local,id=" CHESS_VM_LATE ",path=%s,security_model=none,multidevs=remap",
			 comma);
		ADD("-fsdev", late);
	}
	ADD(NULL);
#undef ADD

	/* A session of its own: Ctrl-C is for us, and we end QEMU. */
	setsid();
	null = open("/dev/null", O_RDWR);
	dup2(null, STDIN_FILENO);
	dup2(ends->messages, STDOUT_FILENO);
	dup2(ends->messages, STDERR_FILENO);
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

static void command(const struct chess_vm_machine *m, const char *text)
{
	/* If it is gone, the port's end says so. */
	(void)!send(m->monitor, text, strlen(text), MSG_NOSIGNAL);
}

/* The monitor takes a file to write to by a name that it was given with the file. */
static void give_file(const struct chess_vm_machine *m, int fd)
{
	char text[] = "getfd state\n", space[CMSG_SPACE(sizeof(int))] = "";
	struct iovec data = { text, sizeof(text) - 1 };
	struct msghdr msg = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	(void)!sendmsg(m->monitor, &msg, MSG_NOSIGNAL);
}

static void load(struct chess_vm_machine *m, int state)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "migrate_set_capability x-ignore-shared on\nmigrate_incoming fd:%d\n", state);
	command(m, text);
}

static void close_ends(const struct ends *ends)
{
	const int fd[] = { ends->port, ends->console, ends->messages, ends->monitor };
	size_t i;

	for (i = 0; i < sizeof(fd) / sizeof(fd[0]); i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

int chess_vm_machine_start(struct chess_vm_machine *m, const struct chess_vm_opts *o,
			   const struct chess_vm_start *start)
{
	struct ends ends = { -1, -1, -1, -1 };
	pid_t parent = getpid();
	int ret;

	*m = (struct chess_vm_machine){ 0, -1, -1, -1, -1 };
	ret = channel(&m->port, &ends.port);
	if (!ret)
		ret = channel(&m->console, &ends.console);
	if (!ret)
		ret = channel(&m->messages, &ends.messages);
	if (!ret && start->monitor)
		ret = channel(&m->monitor, &ends.monitor);
	if (ret)
		goto out;
	m->pid = fork();
	if (m->pid < 0)
		ret = chess_vm_complain(errno, "starting the VM failed: %s", strerror(errno));
	if (!m->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		exec_qemu(o, start, &ends);
	}
	if (!ret && start->state >= 0)
		load(m, start->state);
out:
	close_ends(&ends);
	return ret;
}

void chess_vm_machine_end(struct chess_vm_machine *m)
{
	int *const fds[] = { &m->port, &m->console, &m->messages, &m->monitor };
	size_t i;

	if (m->pid > 0) {
		kill(m->pid, SIGKILL);
		waitpid(m->pid, NULL, 0);
	}
	m->pid = 0;
	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

/* The monitor does one command after the other, so the answer to the last is that to all. */
bool chess_vm_machine_save(struct chess_vm_machine *m, int state)
{
	long end = chess_now_ms() + SAVE_S * 1000;
	char text[16384];
	struct pollfd p = { m->monitor, POLLIN, 0 };
	size_t len = 0;
	ssize_t n;

	give_file(m, state);
	command(m, "migrate_set_capability x-ignore-shared on\nmigrate fd:state\ninfo migrate\n");
	while (len < sizeof(text) - 1 && chess_now_ms() < end) {
		if (poll(&p, 1, 100) <= 0)
			continue;
		n = read(m->monitor, text + len, sizeof(text) - 1 - len);
		if (n <= 0)
			return false;
		len += n;
		text[len] = 0;
		if (strstr(text, "Migration status: completed"))
			return true;
		if (strstr(text, "Migration status: failed") || strstr(text, "Error: "))
			return false;
	}
	return false;
}

void chess_vm_machine_share(struct chess_vm_machine *m)
{
	command(m, "device_add virtio-9p-pci,fsdev=" CHESS_VM_LATE ",mount_tag=" CHESS_VM_LATE "\n");
}

void chess_vm_machine_pause(struct chess_vm_machine *m, bool pause)
{
	command(m, pause ? "stop\n" : "cont\n");
}
