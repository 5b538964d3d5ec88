// SPDX-License-Identifier: GPL-2.0-only
/*
 * PID 1 of the embedded VM.  Makes the host's root file system, read-only
 * under a tmpfs, the guest's root; loads chess.ko; runs one command with the
 * caller's working directory, environment and stdio; and says over the port
 * (proto.h) how it ended.  A success word goes out only after everything the
 * command left behind is gone, the module could be unloaded and the kernel
 * log holds no complaint.
 *
 * Linked statically and put into the initramfs by ../vm.c together with
 * /config: pairs of NUL-terminated strings, a key and a value.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/module.h>
#include <net/if.h>
#include <poll.h>
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

#include "proto.h"
#include "now.h"

#define MAX_WORDS 65536
#define MAX_NEAR 256
#define P9_OPTIONS "trans=virtio,version=9p2000.L,msize=512000,access=any,"

static int port = -1;

static const char *cfg_cwd = "/", *cfg_outbox, *cfg_host = "chess", *cfg_modules;
static bool cfg_tty;
static struct winsize cfg_window;
static mode_t cfg_umask = 022;
static char *cfg_argv[MAX_WORDS + 1], *cfg_env[MAX_WORDS + 1];
static int cfg_argc, cfg_envc;
static const char *cfg_near[MAX_NEAR];
static size_t cfg_nnear;
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

static void set_config(const char *key, char *value)
{
	if (!strcmp(key, "arg") && cfg_argc < MAX_WORDS) {
		cfg_argv[cfg_argc++] = value;
	} else if (!strcmp(key, "env") && cfg_envc < MAX_WORDS) {
		cfg_env[cfg_envc++] = value;
	} else if (!strcmp(key, "near") && cfg_nnear < MAX_NEAR) {
		cfg_near[cfg_nnear++] = value;
	} else if (!strcmp(key, "cwd")) {
		cfg_cwd = value;
	} else if (!strcmp(key, "outbox")) {
		cfg_outbox = value;
	} else if (!strcmp(key, "hostname")) {
		cfg_host = value;
	} else if (!strcmp(key, "modules")) {
		cfg_modules = value;
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

static void read_config(void)
{
	int fd = open("/config", O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *data, *p, *key;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		fail("the initramfs holds no configuration");
	data = calloc(1, st.st_size + 1);
	n = data ? read(fd, data, st.st_size) : -1;
	if (n != st.st_size)
		fail("the configuration cannot be read");
	close(fd);
	for (p = data; p < data + n; p += strlen(p) + 1) {
		key = p;
		p += strlen(p) + 1;
		set_config(key, p);
	}
	if (!cfg_argc)
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

static void enter_root(void)
{
	mkdir("/lower", 0755);
	mkdir("/upper", 0755);
	mkdir("/new", 0755);
	must_mount("root", "/lower", "9p", MS_RDONLY, P9_OPTIONS "cache=loose");
	must_mount("upper", "/upper", "tmpfs", 0, "mode=755");
	mkdir("/upper/data", 0755);
	mkdir("/upper/work", 0755);
	/*
	 * xino: otherwise a directory gets another inode number whenever memory is short and
	 * it is read again, and programs that look at it would not run the same way twice.
	 */
	must_mount("chess", "/new", "overlay", 0,
		   "lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work,xino=on");
	must_mount("/proc", "/new/proc", NULL, MS_MOVE, NULL);
	must_mount("/sys", "/new/sys", NULL, MS_MOVE, NULL);
	must_mount("/dev", "/new/dev", NULL, MS_MOVE, NULL);
	if (chdir("/new") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0 ||
	    chdir("/") < 0)
		fail("entering the host's root failed: %s", strerror(errno));
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
	if (symlink("/proc/self/fd", "/dev/fd") || symlink("/proc/self/fd/0", "/dev/stdin") ||
	    symlink("/proc/self/fd/1", "/dev/stdout") || symlink("/proc/self/fd/2", "/dev/stderr"))
		fail("making links in /dev failed: %s", strerror(errno));
	if (cfg_outbox)
		must_mount("outbox", cfg_outbox, "9p", 0, P9_OPTIONS "cache=mmap");
}

/* To change the owner, even to the same one, is to copy it up. */
static bool copy_up(const char *path, struct stat *st)
{
	return !lstat(path, st) && !lchown(path, st->st_uid, st->st_gid);
}

static void copy_files_up(const char *dir)
{
	char path[PATH_MAX];
	struct dirent *d;
	struct stat st;
	DIR *list = opendir(dir);

	while (list && (d = readdir(list))) {
		int len = snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);

		if (len < (int)sizeof(path) && d->d_type == DT_REG)
			copy_up(path, &st);
	}
	if (list)
		closedir(list);
}

/*
 * What nearly every program opens when it starts is copied into the tmpfs, and what the
 * caller names. 9p asks the host each time a file is opened or closed and each time a link
 * is followed, which is a quarter of what a run of a small program costs where the VM is
 * emulated. Before the command begins: a file has another inode number afterwards.
 */
static void keep_near(const char *path)
{
	char target[PATH_MAX];
	struct stat st;

	if (!copy_up(path, &st) || !realpath(path, target) || stat(target, &st))
		return;	/* it stays where it is, which is slower */
	if (S_ISDIR(st.st_mode))
		copy_files_up(target);
	else if (S_ISREG(st.st_mode))
		copy_up(target, &st);
}

static void keep_all_near(void)
{
	/* They only, and not the files of the directories. */
	static const char *const links[] = { "/lib", "/lib64", "/bin" };
	static const char *const paths[] = {
		"/etc/ld.so.cache", "/lib64/ld-linux-x86-64.so.2",
		"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
		"/lib/x86_64-linux-gnu/libgcc_s.so.1", "/lib/x86_64-linux-gnu/libtinfo.so.6",
		"/bin/bash", "/bin/sh",
	};
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		copy_up(links[i], &st);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		keep_near(paths[i]);
	for (i = 0; i < cfg_nnear; i++)
		keep_near(cfg_near[i]);
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
	if (symlink(target, path) < 0 && errno != EEXIST)
		fail("making %s failed: %s", path, strerror(errno));
}

static void loopback_up(void)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };

	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &ifr) < 0)
		fail("bringing up the loopback device failed: %s", strerror(errno));
	close(s);
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
	must_mount("devtmpfs", "/dev", "devtmpfs", MS_NOSUID, "mode=0755");
	must_mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	must_mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	signal(SIGPIPE, SIG_IGN);
	umask(0);
	read_config();
	load_modules_of("/boot");
	open_port();
	has_module = load_modules_of("/chess");
	enter_root();
	mount_rest();
	keep_all_near();
	link_modules();
	loopback_up();
	sethostname(cfg_host, strlen(cfg_host));
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
