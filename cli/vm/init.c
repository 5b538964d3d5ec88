// SPDX-License-Identifier: GPL-2.0-only
/*
 * PID 1 of the embedded VM.  Loads chess.ko; asks over the port (proto.h) what to do; makes
 * the host's root file system, read-only under a tmpfs, the guest's root; runs one command
 * with the caller's working directory, environment and stdio; and says how it ended.  A
 * success word goes out only after everything the command left behind is gone, the module
 * could be unloaded and the kernel log holds no complaint.
 *
 * The VM may be saved, and others may begin from there, each time it asks: no file system of
 * the host is mounted then, and nothing of a command is known.  A configuration may be a
 * trial; afterwards it asks again.
 *
 * Linked statically and put into the initramfs by vm_initramfs.c.  A configuration is made
 * of pairs of NUL-terminated strings, a key and a value.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/module.h>
#include <linux/random.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../../libchessctl/run/loopback.h"
#include "near.h"
#include "now.h"
#include "proto.h"
#include "waiting.h"

#define MAX_WORDS 65536
#define MAX_CONFIG (64 << 20)
#define TRIAL_S 60
#define P9_OPTIONS "trans=virtio,version=9p2000.L,msize=512000,access=any,"

static int port = -1;

static const char *cfg_cwd = "/", *cfg_outbox, *cfg_host = "chess", *cfg_modules;
static const char *cfg_outbox_tag = "outbox";
static bool cfg_tty, cfg_trial;
static struct winsize cfg_window;
static mode_t cfg_umask = 022;
static char *cfg_argv[MAX_WORDS + 1], *cfg_env[MAX_WORDS + 1];
static int cfg_argc, cfg_envc;
static const char *cfg_near[CHESS_VM_MAX_NEAR];
static size_t cfg_nnear;
static struct timespec cfg_time;
static struct {
	struct rand_pool_info head;
	unsigned char byte[64];
} cfg_entropy;
static struct { int which; struct rlimit limit; } cfg_limits[RLIM_NLIMITS];
static int cfg_nlimits;

/* The command's side of its stdio is in child_fd, ours in in/out/err. */
static struct {
	pid_t pid;
	int in, out, err;
	int child_fd[3];
	char pending[CHESS_VM_MAX_DATA];	/* stdin not yet taken */
	size_t pending_len, pending_off;
	bool eof;				/* nothing follows pending */
} cmd = { .in = -1, .out = -1, .err = -1 };

static void __attribute__((noreturn)) power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static void port_write(const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(port, p, len);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			power_off();
		if (n > 0) {
			p += n;
			len -= n;
		}
	}
}

/* One write for both parts: each one costs a round trip to the host. */
static void send_frame(uint32_t type, const void *data, size_t len)
{
	static char buf[sizeof(struct chess_vm_frame) + CHESS_VM_MAX_DATA];
	struct chess_vm_frame frame = { .type = type, .len = len };

	memcpy(buf, &frame, sizeof(frame));
	if (len)
		memcpy(buf + sizeof(frame), data, len);
	port_write(buf, sizeof(frame) + len);
}

/* Says why the environment failed, on the port once it is open, and ends. */
static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "init: %s\n", text);
	if (port >= 0)
		send_frame(CHESS_VM_FAIL, text, strlen(text));
	power_off();
}

static void msleep(int ms)
{
	struct timespec ts = { .tv_nsec = ms * 1000000L };

	nanosleep(&ts, NULL);
}

/* ---- configuration ---- */

static void set_time(const char *value)
{
	long long sec;

	if (sscanf(value, "%lld %ld", &sec, &cfg_time.tv_nsec) != 2)
		fail("the configuration holds a bad time '%s'", value);
	cfg_time.tv_sec = sec;
}

static void set_entropy(const char *value)
{
	unsigned int byte, n = 0;

	while (n < sizeof(cfg_entropy.byte) && sscanf(value + 2 * n, "%2x", &byte) == 1)
		cfg_entropy.byte[n++] = byte;
	cfg_entropy.head.buf_size = n;
	cfg_entropy.head.entropy_count = 8 * n;
}

static void set_config(const char *key, char *value)
{
	if (!strcmp(key, "arg") && cfg_argc < MAX_WORDS) {
		cfg_argv[cfg_argc++] = value;
	} else if (!strcmp(key, "env") && cfg_envc < MAX_WORDS) {
		cfg_env[cfg_envc++] = value;
	} else if (!strcmp(key, "near") && cfg_nnear < CHESS_VM_MAX_NEAR) {
		cfg_near[cfg_nnear++] = value;
	} else if (!strcmp(key, "cwd")) {
		cfg_cwd = value;
	} else if (!strcmp(key, "outbox")) {
		cfg_outbox = value;
	} else if (!strcmp(key, "hostname")) {
		cfg_host = value;
	} else if (!strcmp(key, "modules")) {
		cfg_modules = value;
	} else if (!strcmp(key, "outbox-tag")) {
		cfg_outbox_tag = value;
	} else if (!strcmp(key, "trial")) {
		cfg_trial = true;
	} else if (!strcmp(key, "time")) {
		set_time(value);
	} else if (!strcmp(key, "entropy")) {
		set_entropy(value);
	} else if (!strcmp(key, "umask")) {
		cfg_umask = strtoul(value, NULL, 8);
	} else if (!strcmp(key, "tty")) {
		cfg_tty = sscanf(value, "%hu %hu", &cfg_window.ws_row, &cfg_window.ws_col) == 2;
	} else if (!strcmp(key, "rlimit") && cfg_nlimits < (int)RLIM_NLIMITS) {
		unsigned long long soft, hard;

		if (sscanf(value, "%d %llu %llu", &cfg_limits[cfg_nlimits].which, &soft, &hard) != 3)
			fail("the configuration holds a bad limit '%s'", value);
		cfg_limits[cfg_nlimits].limit.rlim_cur = soft;
		cfg_limits[cfg_nlimits++].limit.rlim_max = hard;
	} else {
		fail("the configuration holds an unknown or excessive '%s'", key);
	}
}

static void port_read(void *data, size_t len)
{
	char *p = data;

	while (len) {
		ssize_t n = read(port, p, len);

		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			power_off();	/* the host is gone */
		if (n > 0) {
			p += n;
			len -= n;
		}
	}
}

/* Asks for a configuration and waits for it; the strings of the last one stay where they are. */
static void read_config(void)
{
	struct chess_vm_frame frame;
	size_t len = 0;
	char *data = NULL, *p, *key;

	cfg_argc = cfg_envc = cfg_nlimits = 0;
	cfg_nnear = 0;
	cfg_trial = false;
	send_frame(CHESS_VM_READY, NULL, 0);
	for (;;) {
		port_read(&frame, sizeof(frame));
		if (frame.type != CHESS_VM_CONFIG || frame.len > CHESS_VM_MAX_DATA ||
		    len + frame.len > MAX_CONFIG)
			fail("the host sent a frame of type %u and length %u instead of a configuration",
			     frame.type, frame.len);
		if (!frame.len)
			break;
		data = realloc(data, len + frame.len + 1);
		if (!data)
			fail("there is no memory for the configuration");
		port_read(data + len, frame.len);
		len += frame.len;
		data[len] = 0;
	}
	for (p = data; p && p < data + len; p += strlen(p) + 1) {
		key = p;
		p += strlen(p) + 1;
		set_config(key, p);
	}
	cfg_argv[cfg_argc] = NULL;
	cfg_env[cfg_envc] = NULL;
	if (!cfg_argc && !cfg_trial)
		fail("the configuration names no command");
}

/* ---- the machine ---- */

/* A name that does not end in .ko is that of a compressed module. */
static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int flags = strcmp(strrchr(path, '.'), ".ko") ? MODULE_INIT_COMPRESSED_FILE : 0;

	if (fd < 0 || (syscall(SYS_finit_module, fd, "", flags) < 0 && errno != EEXIST))
		fail("loading %s failed: %s", path + 1, strerror(errno));
	close(fd);
}

/* Return: how many there were. */
static int load_modules_of(const char *dir)
{
	struct dirent **list;
	char path[512];
	int i, n, loaded = 0;

	n = scandir(dir, &list, NULL, alphasort);
	for (i = 0; i < n; i++) {
		if (list[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name);
		load_module(path);
		loaded++;
	}
	return loaded;
}

/* The port appears when the host's control message has been handled. */
static void open_port(void)
{
	long end = chess_now_ms() + 20000;
	char path[512], name[64];
	struct dirent *d;
	DIR *dir;
	FILE *f;

	while (port < 0 && chess_now_ms() < end) {
		dir = opendir("/sys/class/virtio-ports");
		while (dir && port < 0 && (d = readdir(dir))) {
			snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", d->d_name);
			f = fopen(path, "re");
			if (!f)
				continue;
			if (fscanf(f, "%63s", name) == 1 && !strcmp(name, CHESS_VM_PORT)) {
				snprintf(path, sizeof(path), "/dev/%s", d->d_name);
				port = open(path, O_RDWR | O_CLOEXEC);
			}
			fclose(f);
		}
		if (dir)
			closedir(dir);
		if (port < 0)
			msleep(2);
	}
	if (port < 0)
		fail("the port '%s' did not appear", CHESS_VM_PORT);
}

static void try_mount(const char *type, const char *dir, unsigned long flags, const char *data)
{
	/* Kernels without one of these are fine for most programs. */
	mkdir(dir, 0755);
	mount(type, dir, type, flags, data);
}

static void must_mount(const char *what, const char *dir, const char *type,
		       unsigned long flags, const char *data)
{
	if (mount(what, dir, type, flags, data) < 0)
		fail("mounting %s (%s) on %s failed: %s", what, type, dir, strerror(errno));
}

/*
 * A VM that was saved has the time of that moment, and would hand out the same random numbers
 * as each other one that began there.
 */
static void catch_up(void)
{
	int fd = open("/dev/urandom", O_RDWR | O_CLOEXEC);

	if (cfg_time.tv_sec && clock_settime(CLOCK_REALTIME, &cfg_time) < 0)
		fail("setting the clock failed: %s", strerror(errno));
	if (!cfg_entropy.head.buf_size)
		return;
	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &cfg_entropy) < 0 || ioctl(fd, RNDRESEEDCRNG) < 0)
		fail("seeding the random numbers failed: %s", strerror(errno));
	close(fd);
}

/* A trial may have let go of it a moment ago, and another file system that comes late may too. */
static void mount_share(const char *tag, const char *dir, unsigned long flags, const char *options)
{
	long end = chess_now_ms() + 20000;

	while (mount(tag, dir, "9p", flags, options) < 0) {
		if ((errno != EBUSY && errno != ENOENT) || chess_now_ms() > end)
			fail("mounting %s (9p) on %s failed: %s", tag, dir, strerror(errno));
		msleep(1);
	}
}

static void enter_root(void)
{
	mount_share("root", "/lower", MS_RDONLY, P9_OPTIONS "cache=loose");
	near_fill(cfg_near, cfg_nnear);
	must_mount("upper", "/upper", "tmpfs", 0, "mode=755");
	mkdir("/upper/data", 0755);
	mkdir("/upper/work", 0755);
	/*
	 * xino: otherwise a directory gets another inode number whenever memory is short and
	 * it is read again, and programs that look at it would not run the same way twice.
	 */
	must_mount("chess", "/new", "overlay", 0, "lowerdir=" NEAR_DIR
		   ":/lower,upperdir=/upper/data,workdir=/upper/work,xino=on");
	must_mount("/proc", "/new/proc", NULL, MS_MOVE, NULL);
	must_mount("/sys", "/new/sys", NULL, MS_MOVE, NULL);
	must_mount("/dev", "/new/dev", NULL, MS_MOVE, NULL);
	if (chdir("/new") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0 ||
	    chdir("/") < 0)
		fail("entering the host's root failed: %s", strerror(errno));
}

/* A trial may have made it. */
static void make_link(const char *target, const char *path)
{
	if (symlink(target, path) < 0 && errno != EEXIST)
		fail("making %s failed: %s", path, strerror(errno));
}

static void mount_rest(void)
{
	try_mount("devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, "gid=5,mode=620,ptmxmode=666");
	try_mount("tmpfs", "/dev/shm", MS_NOSUID | MS_NODEV, "mode=1777");
	try_mount("mqueue", "/dev/mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	try_mount("debugfs", "/sys/kernel/debug", 0, NULL);
	try_mount("tracefs", "/sys/kernel/tracing", 0, NULL);
	try_mount("bpf", "/sys/fs/bpf", 0, NULL);
	try_mount("cgroup2", "/sys/fs/cgroup", 0, NULL);
	make_link("/proc/self/fd", "/dev/fd");
	make_link("/proc/self/fd/0", "/dev/stdin");
	make_link("/proc/self/fd/1", "/dev/stdout");
	make_link("/proc/self/fd/2", "/dev/stderr");
	if (cfg_outbox)
		mount_share(cfg_outbox_tag, cfg_outbox, 0, P9_OPTIONS "cache=mmap");
}

/* So that modprobe inside finds the rest of this kernel's modules. */
static void link_modules(void)
{
	struct utsname uts;
	char path[512], target[PATH_MAX];

	if (!cfg_modules)
		return;
	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s", uts.release);
	snprintf(target, sizeof(target), "%s/%s", cfg_modules, uts.release);
	mkdir("/lib/modules", 0755);
	make_link(target, path);
}

static void loopback_up(void)
{
	const char *what = chess_loopback_up();

	if (what)
		fail("%s failed: %s", what, strerror(errno));
}

/* ---- the command ---- */

static void make_pipe(int *ours, int *theirs, bool input)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		fail("making a pipe failed: %s", strerror(errno));
	*ours = fd[input];
	*theirs = fd[!input];
	fcntl(*ours, F_SETFL, O_NONBLOCK);
}

static void make_stdio(void)
{
	char name[64];

	if (!cfg_tty) {
		make_pipe(&cmd.in, &cmd.child_fd[0], true);
		make_pipe(&cmd.out, &cmd.child_fd[1], false);
		make_pipe(&cmd.err, &cmd.child_fd[2], false);
		return;
	}
	cmd.out = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (cmd.out < 0 || unlockpt(cmd.out) < 0 || ptsname_r(cmd.out, name, sizeof(name)))
		fail("making a terminal failed: %s", strerror(errno));
	cmd.in = cmd.out;
	ioctl(cmd.out, TIOCSWINSZ, &cfg_window);
	cmd.child_fd[0] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (cmd.child_fd[0] < 0)
		fail("opening %s failed: %s", name, strerror(errno));
	cmd.child_fd[1] = cmd.child_fd[2] = cmd.child_fd[0];
}

static void __attribute__((noreturn)) run_command(void)
{
	sigset_t none;
	int i;

	setsid();
	for (i = 0; i < 3; i++)
		dup2(cmd.child_fd[i], i);
	if (cfg_tty)
		ioctl(0, TIOCSCTTY, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	umask(cfg_umask);
	for (i = 0; i < cfg_nlimits; i++)
		setrlimit(cfg_limits[i].which, &cfg_limits[i].limit);
	environ = cfg_env;
	if (chdir(cfg_cwd) < 0) {
		fprintf(stderr, "cannot enter '%s' inside the VM: %s\n", cfg_cwd, strerror(errno));
		_exit(126);
	}
	execvp(cfg_argv[0], cfg_argv);
	fprintf(stderr, "cannot run '%s' inside the VM: %s\n", cfg_argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Returns false when the other end is closed. */
static bool forward(int fd, uint32_t type)
{
	static char buf[CHESS_VM_MAX_DATA];
	ssize_t n = read(fd, buf, sizeof(buf));

	if (n > 0)
		send_frame(type, buf, n);
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void close_input(void)
{
	if (cmd.in >= 0 && cmd.in != cmd.out)
		close(cmd.in);
	else if (cmd.in >= 0 && write(cmd.in, "\4", 1) < 0)
		fprintf(stderr, "init: no end-of-file for the terminal\n");
	cmd.in = -1;
}

static void feed_input(void)
{
	ssize_t n;

	n = write(cmd.in, cmd.pending + cmd.pending_off, cmd.pending_len - cmd.pending_off);
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		cmd.pending_len = cmd.pending_off = 0;
		close_input();
		return;
	}
	if (n > 0)
		cmd.pending_off += n;
	if (cmd.pending_off < cmd.pending_len)
		return;
	cmd.pending_len = cmd.pending_off = 0;
	if (cmd.eof)
		close_input();
	else
		send_frame(CHESS_VM_WANT, NULL, 0);
}

static void send_waiting(const char *text, size_t len)
{
	send_frame(CHESS_VM_WAITING, text, len);
}

static void handle_port(void)
{
	struct chess_vm_frame frame;
	struct winsize window;

	port_read(&frame, sizeof(frame));
	if (frame.type == CHESS_VM_IN && frame.len <= sizeof(cmd.pending) && !cmd.pending_len) {
		port_read(cmd.pending, frame.len);
		cmd.pending_len = cmd.in >= 0 ? frame.len : 0;
	} else if (frame.type == CHESS_VM_EOF && !frame.len) {
		cmd.eof = true;
		if (!cmd.pending_len)
			close_input();
	} else if (frame.type == CHESS_VM_WINDOW && frame.len == sizeof(window)) {
		port_read(&window, sizeof(window));
		if (cfg_tty)
			ioctl(cmd.out, TIOCSWINSZ, &window);
	} else if (frame.type == CHESS_VM_ASK && !frame.len) {
		waiting_list(send_waiting);
		send_waiting(NULL, 0);
	} else {
		fail("the host sent a frame of type %u and length %u", frame.type, frame.len);
	}
}

/* Returns the command's wait status. */
static int pump(int sigfd)
{
	struct pollfd p[5];
	struct signalfd_siginfo info;
	int status = 0;
	pid_t pid;

	for (;;) {
		p[0] = (struct pollfd){ sigfd, POLLIN, 0 };
		p[1] = (struct pollfd){ port, POLLIN, 0 };
		p[2] = (struct pollfd){ cmd.out, POLLIN, 0 };
		p[3] = (struct pollfd){ cmd.err, POLLIN, 0 };
		p[4] = (struct pollfd){ cmd.pending_len ? cmd.in : -1, POLLOUT, 0 };
		if (poll(p, 5, -1) < 0)
			continue;
		if (p[2].revents && !forward(cmd.out, CHESS_VM_OUT) && !cfg_tty) {
			close(cmd.out);
			cmd.out = -1;
		}
		if (p[3].revents && !forward(cmd.err, CHESS_VM_ERR)) {
			close(cmd.err);
			cmd.err = -1;
		}
		if (p[4].revents)
			feed_input();
		if (p[1].revents)
			handle_port();
		if (!p[0].revents || read(sigfd, &info, sizeof(info)) < 0)
			continue;
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			if (pid == cmd.pid)
				return status;
	}
}

static void drain(int fd, uint32_t type)
{
	struct pollfd p = { fd, POLLIN, 0 };

	while (fd >= 0 && poll(&p, 1, 0) > 0 && (p.revents & POLLIN))
		if (!forward(fd, type))
			break;
}

/* ---- the end ---- */

/* Whatever the command left running would keep the module in use. */
static void kill_rest(void)
{
	long end = chess_now_ms() + 10000;
	pid_t pid;

	kill(-1, SIGKILL);
	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0) {
		if (pid)
			continue;
		if (chess_now_ms() > end)
			fail("a process of the command did not die within 10 s of SIGKILL");
		msleep(2);
		kill(-1, SIGKILL);
	}
}

static void unload_module(void)
{
	long end = chess_now_ms() + 5000;

	while (syscall(SYS_delete_module, "chess", O_NONBLOCK) < 0) {
		if (errno == ENOENT)
			return;
		if (chess_now_ms() > end)
			fail("chess.ko could not be unloaded after the command: %s",
			     strerror(errno));
		msleep(5);
	}
}

/* Reports of lockdep, atomic sleep and the like do not panic by themselves. */
static const char *kernel_complaint(void)
{
	static const char *const words[] = {
		"BUG: ", "WARNING: ", "Oops: ", "INFO: possible ", "INFO: trying to register ",
		"suspicious RCU usage", "list_add corruption", "UBSAN: ",
	};
	static char text[400];
	int size = klogctl(10, NULL, 0);
	char *log, *at = NULL, *line;
	size_t i;
	int n;

	log = size > 0 ? malloc(size + 1) : NULL;
	n = log ? klogctl(3, log, size) : -1;
	if (n < 0)
		fail("the kernel log cannot be read: %s", strerror(errno));
	log[n] = 0;
	for (i = 0; i < sizeof(words) / sizeof(words[0]) && !at; i++)
		at = strstr(log, words[i]);
	if (!at)
		return NULL;
	line = memrchr(log, '\n', at - log);
	line = line ? line + 1 : log;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
	return text;
}

/* What a command finds, from its configuration. */
static void set_up(void)
{
	catch_up();
	enter_root();
	mount_rest();
	link_modules();
	loopback_up();
	sethostname(cfg_host, strlen(cfg_host));
}

static void __attribute__((noreturn)) run_trial(void)
{
	int i;

	set_up();
	if (!cfg_argc)
		_exit(0);
	for (i = 0; i < 3; i++)
		cmd.child_fd[i] = open("/dev/null", O_RDWR | O_CLOEXEC);
	run_command();
}

/*
 * Does what a command will do, in mounts of its own, for what stays afterwards: the files that
 * are near, and in an emulator that goes on running, the translations of all that was executed.
 * Nothing depends on how it ends.
 */
static void try_out(void)
{
	long end = chess_now_ms() + TRIAL_S * 1000;
	pid_t pid = fork();

	if (!pid) {
		if (unshare(CLONE_NEWNS) < 0)
			fail("a trial got no mounts of its own: %s", strerror(errno));
		run_trial();
	}
	while (pid > 0 && !waitpid(pid, NULL, WNOHANG) && chess_now_ms() < end)
		msleep(1);
	kill_rest();
}

int main(void)
{
	const char *complaint;
	bool has_module;
	sigset_t chld;
	int sigfd, status, code;
	char text[64];

	mkdir("/dev", 0755);
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/lower", 0755);
	mkdir("/upper", 0755);
	mkdir("/new", 0755);
	must_mount("devtmpfs", "/dev", "devtmpfs", MS_NOSUID, "mode=0755");
	must_mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	must_mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	signal(SIGPIPE, SIG_IGN);
	umask(0);
	load_modules_of("/boot");
	open_port();
	has_module = load_modules_of("/chess");
	if (!near_open())
		fail("there is no memory for files that are near: %s", strerror(errno));
	for (read_config(); cfg_trial; read_config())
		try_out();
	set_up();
	klogctl(8, NULL, 7);	/* quiet until here, from now on everything but debug */

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	sigfd = signalfd(-1, &chld, SFD_CLOEXEC);
	make_stdio();
	send_frame(CHESS_VM_HELLO, NULL, 0);
	send_frame(CHESS_VM_WANT, NULL, 0);
	cmd.pid = fork();
	if (cmd.pid < 0)
		fail("fork failed: %s", strerror(errno));
	if (!cmd.pid)
		run_command();
	/* A terminal whose last user closes it would hang up before we drained it. */
	if (!cfg_tty) {
		close(cmd.child_fd[0]);
		close(cmd.child_fd[1]);
		close(cmd.child_fd[2]);
	}

	status = pump(sigfd);
	code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	kill_rest();
	drain(cmd.out, CHESS_VM_OUT);
	drain(cmd.err, CHESS_VM_ERR);
	if (has_module)
		unload_module();
	if (cfg_outbox && umount(cfg_outbox) < 0)
		fail("unmounting the outbox %s failed: %s", cfg_outbox, strerror(errno));
	complaint = kernel_complaint();
	if (complaint)
		fail("the kernel complained: %s", complaint);
	snprintf(text, sizeof(text), "%d %s", code, CHESS_VM_WORD);
	send_frame(CHESS_VM_EXIT, text, strlen(text));
	power_off();
}
