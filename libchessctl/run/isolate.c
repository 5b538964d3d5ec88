// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The same surroundings in every run: pids and IPC objects, and where asked for a
 * /tmp, a working directory and a network of its own. runner.c calls it around each start.
 *
 *	chess_isolate_new	clone(NEWPID, NEWNS) ---> pid 1: mounts its /proc, sleeps
 *	for each run:
 *	  begin			a helper unshares and mounts what each run has of its own
 *	  spawn			setns(pid); clone3(set_tid 2); setns(back)
 *	  enter, in pid 2	last pid := 2; unshare(IPC); setns(mnt, net)    (then execve)
 *	  end			closes what the run had
 *
 * One PID namespace serves all runs, since a new one each time costs more than some
 * programs run: its counter is set back instead. Its pid 1 is ours and does nothing
 * but inherit orphans, whose deaths it ignores, so they are reaped by the kernel;
 * were the program pid 1, signals without a handler would not reach it. The program
 * is pid 2 and our own child, so that waiting for it, its session, its terminal and
 * its death with ours are as without a namespace. getppid() is 0 in it.
 *
 * A process that is kept (kept.c) forks the program of later runs, which has to have the
 * same process number as it has itself. So it is in a PID namespace around that of the
 * runs, which is made again within the first one when a process is kept first.
 *
 * A task that leaves control may outlive the run. Then pid 1 is killed, and the
 * kernel kills with it whatever the namespace has.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "now.h"
#include "run/isolate.h"
#include "run/loopback.h"

#define STACK_SIZE	(256 * 1024)
#define PROGRAM_PID	2
/* Threads that a debugger makes have the pids after it, far from the program's. */
#define TOOL_PID	20000
/* How long the end of a namespace may take. */
#define END_MS		10000
#define LAST_PID	"/proc/sys/kernel/ns_last_pid"
#define PROC_FLAGS	(MS_NOSUID | MS_NODEV | MS_NOEXEC)

/* What pid 1 tells when it is ready, or why it is not. */
struct report {
	char what[48];
	int error;
};

/**
 * struct chess_isolate - the surroundings of a runner's runs
 * @tmp: each run has a /tmp of its own
 * @overlay: each run writes to a copy of the working directory
 * @loopback: each run has a network of its own
 * @stack: of children until they execute
 * @init: pid 1 of the namespace as we see it; 0: there is none
 * @init_fd: pidfd of it
 * @self_fd: pidfd of ourselves, to come back from its namespace
 * @life: pid 1 ends when this is closed
 * @outer: pid 1 of the namespace around it, or 0
 * @outer_fd: pidfd of that
 * @outer_life: that ends when this is closed
 * @last_fd: LAST_PID; -1: it cannot be set back
 * @last_pid: what the child sets it to
 * @proc_fd: our /proc
 * @root_fd: our root directory in the mounts of pid 1
 * @mnt_fd: mounts of this run; -1: those of pid 1
 * @mnt_root_fd: our root directory in them
 * @net_fd: network of this run, or -1
 * @cwd_fd: our working directory
 * @cwd: its name; "": it has none
 * @work: name of the program's working directory
 * @what: the call that failed in a helper
 * @error: its errno
 * @report: of pid 1
 * @missing: a sentence, or ""
 */
struct chess_isolate {
	bool tmp, overlay, loopback;
	char *stack;
	pid_t init;
	int init_fd, self_fd, life, last_fd, proc_fd, root_fd;
	pid_t outer;
	int outer_fd, outer_life;
	pid_t last_pid;
	int mnt_fd, mnt_root_fd, net_fd, cwd_fd;
	char cwd[PATH_MAX], work[PATH_MAX];
	const char *what;
	int error;
	struct report report;
	char missing[256];
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* --- the PID namespace -------------------------------------------------- */

/*
 * A /proc of the namespace. Only what is below the old one stops being shared with
 * the system: all other mounts of programs are seen there as usual.
 */
static const char *mount_proc(void)
{
	struct statfs fs;

	if (statfs("/proc", &fs) || fs.f_type != PROC_SUPER_MAGIC) {
		errno = ENOENT;
		return "finding a /proc";
	}
	if (mount(NULL, "/proc", NULL, MS_PRIVATE | MS_REC, NULL))
		return "making /proc private";
	if (mount("proc", "/proc", "proc", PROC_FLAGS, NULL))
		return "mounting a /proc";
	return NULL;
}

/* Pid 1 of the namespace: a copy of us that has nothing open but @life. */
static void __attribute__((noreturn)) be_init(int life)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct report r = { 0 };
	const char *what = NULL;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || sigaction(SIGCHLD, &ignore, NULL))
		what = "preparing its first process";
	if (!what)
		what = mount_proc();
	if (what) {
		strncpy(r.what, what, sizeof(r.what) - 1);
		r.error = errno;
	}
	prctl(PR_SET_NAME, "chess-init");
	/* A directory we stay in could not be unmounted. */
	if (chdir("/") || dup2(life, 0) < 0 || syscall(SYS_close_range, 1, ~0U, 0) ||
	    write(0, &r, sizeof(r)) != sizeof(r))
		_exit(1);
	/* All signals are blocked; an end of file, or SIGKILL from outside, is the end. */
	while (read(0, &r, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

/*
 * It ends after all others of its namespace. One that is to be waited for by somebody else, who
 * does not, must not stop us: it then ends when we do.
 */
static void end_init(pid_t *init)
{
	int status, fd = syscall(SYS_pidfd_open, *init, 0);
	struct pollfd ended = { .fd = fd, .events = POLLIN };
	int64_t until = chess_now_us() + END_MS * 1000LL, left = END_MS;

	kill(*init, SIGKILL);
	while (fd >= 0 && left > 0 && poll(&ended, 1, left) < 0 && errno == EINTR)
		left = (until - chess_now_us()) / 1000;
	while (waitpid(*init, &status, fd < 0 ? 0 : WNOHANG) < 0 && errno == EINTR)
		;
	close_fd(&fd);
	*init = 0;
}

static void end_namespace(struct chess_isolate *iso)
{
	close_fd(&iso->life);
	close_fd(&iso->init_fd);
	close_fd(&iso->root_fd);
	if (iso->init)
		end_init(&iso->init);
}

static void end_outer(struct chess_isolate *iso)
{
	close_fd(&iso->outer_life);
	close_fd(&iso->outer_fd);
	if (iso->outer)
		end_init(&iso->outer);
}

/* What a helper in the outer namespace makes, and tells. */
struct nested {
	int life, pidfd;
	pid_t pid;
	int error;
};

/* In that helper, which shares our memory and descriptors, and ends right away. */
static int make_nested(void *arg)
{
	struct nested *n = arg;

	n->pid = unshare(CLONE_NEWPID) ? -1 :
		 syscall(SYS_clone, CLONE_NEWNS | CLONE_PARENT | CLONE_PIDFD | SIGCHLD, 0,
			 &n->pidfd, 0, 0);
	if (!n->pid)
		be_init(n->life);
	n->error = errno;
	_exit(0);
}

/* The number that a process has here, which is not the one that its creator sees. */
static pid_t pid_of(const struct chess_isolate *iso, int pidfd)
{
	char name[64], line[128];
	int dir, pid = -1;
	FILE *f = NULL;

	snprintf(name, sizeof(name), "self/fdinfo/%d", pidfd);
	dir = openat(iso->proc_fd, name, O_RDONLY | O_CLOEXEC);
	if (dir >= 0)
		f = fdopen(dir, "r");
	while (f && pid < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "Pid: %d", &pid) != 1)
			pid = -1;
	if (f)
		fclose(f);
	return pid;
}

static pid_t clone_nested(struct chess_isolate *iso, int life)
{
	struct nested n = { .life = life, .pidfd = -1, .pid = -1, .error = EAGAIN };
	int status;
	pid_t pid;

	if (setns(iso->outer_fd, CLONE_NEWPID))
		return -1;
	pid = clone(make_nested, iso->stack + STACK_SIZE,
		    CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &n);
	/* Else all later children of ours would be born there. */
	if (setns(iso->self_fd, CLONE_NEWPID))
		abort();
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	errno = n.error;
	if (n.pid <= 0)
		return -1;
	pid = pid_of(iso, n.pidfd);
	close(n.pidfd);
	return pid;
}

static pid_t clone_init(struct chess_isolate *iso, int life)
{
	sigset_t all, old;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	/* A fork() with flags: the C library has no call for it. */
	pid = iso->outer ? clone_nested(iso, life) :
	      syscall(SYS_clone, CLONE_NEWPID | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0);
	if (!pid)
		be_init(life);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

/* Return: NULL, or what failed, and errno. */
static const char *start_namespace(struct chess_isolate *iso)
{
	struct report *r = &iso->report;
	char path[64];
	int ends[2];
	ssize_t n;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return "a socket pair";
	iso->life = ends[0];
	iso->init = clone_init(iso, ends[1]);
	close(ends[1]);
	if (iso->init < 0) {
		iso->init = 0;
		return "making it";
	}
	do
		n = read(iso->life, r, sizeof(*r));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(*r)) {
		errno = ESRCH;
		return "its first process";
	}
	if (r->error) {
		errno = r->error;
		return r->what;
	}
	snprintf(path, sizeof(path), "%d/root", iso->init);
	iso->root_fd = openat(iso->proc_fd, path, O_PATH | O_CLOEXEC);
	iso->init_fd = syscall(SYS_pidfd_open, iso->init, 0);
	return iso->root_fd < 0 || iso->init_fd < 0 ? "opening it" : NULL;
}

static int restart_namespace(struct chess_isolate *iso)
{
	const char *what;

	end_namespace(iso);
	what = start_namespace(iso);
	if (what && iso->outer) {
		/* Somebody may have killed the one around it. */
		end_namespace(iso);
		end_outer(iso);
		what = start_namespace(iso);
	}
	if (!what)
		return 0;
	iso->error = errno;
	end_namespace(iso);
	return chess_set_error(iso->error, "the PID namespace of the runs cannot be made again: %s: %s",
			       what, strerror(iso->error));
}

static void note_missing(struct chess_isolate *iso, const char *what, int err)
{
	if (err == EPERM || err == EACCES)
		snprintf(iso->missing, sizeof(iso->missing),
			 "pids differ from run to run: a PID namespace needs CAP_SYS_ADMIN, which root has (%s: %s)",
			 what, strerror(err));
	else
		snprintf(iso->missing, sizeof(iso->missing),
			 "pids differ from run to run: a PID namespace cannot be used: %s: %s",
			 what, strerror(err));
}

/* --- children ------------------------------------------------------------ */

/*
 * clone3() with memory shared and the parent waiting, as vfork() does, on another
 * stack. The C library's clone() knows no set_tid.
 */
static pid_t clone_with_pid(struct chess_isolate *iso, int (*fn)(void *arg), void *arg)
{
	pid_t pid = PROGRAM_PID;
	struct clone_args a = {
		.flags = CLONE_VM | CLONE_VFORK,
		.exit_signal = SIGCHLD,
		.stack = (uintptr_t)iso->stack,
		.stack_size = STACK_SIZE,
		.set_tid = (uintptr_t)&pid,
		.set_tid_size = 1,
	};
	register int (*to_call)(void *) asm("r8") = fn;
	register void *to_pass asm("r9") = arg;
	long ret = SYS_clone3;

	asm volatile("syscall\n\t"
		     "test %%rax, %%rax\n\t"
		     "jnz 1f\n\t"
		     "xor %%ebp, %%ebp\n\t"
		     "mov %%r9, %%rdi\n\t"
		     "call *%%r8\n\t"
		     "mov %%eax, %%edi\n\t"
		     "mov %[exit], %%eax\n\t"
		     "syscall\n"
		     "1:"
		     : "+a" (ret)
		     : "D" (&a), "S" (sizeof(a)), "r" (to_call), "r" (to_pass),
		       [exit] "i" (SYS_exit_group)
		     : "rcx", "r11", "memory", "cc");
	if (ret < 0)
		errno = -ret;
	return ret < 0 ? -1 : ret;
}

static pid_t spawn_inside(struct chess_isolate *iso, int init_fd, int (*fn)(void *arg),
			  void *arg)
{
	pid_t pid;
	int err;

	if (setns(init_fd, CLONE_NEWPID))
		return -1;
	pid = clone_with_pid(iso, fn, arg);
	err = errno;
	/* Else all later children of ours would be born there. */
	if (setns(iso->self_fd, CLONE_NEWPID))
		abort();
	errno = err;
	return pid;
}

pid_t chess_isolate_spawn(struct chess_isolate *iso, int (*fn)(void *arg), void *arg)
{
	pid_t pid;

	if (!iso->init)
		return clone(fn, iso->stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | SIGCHLD, arg);
	pid = spawn_inside(iso, iso->init_fd, fn, arg);
	/* Somebody whom we do not know of has the pid. */
	if (pid < 0 && errno == EEXIST && iso->mnt_fd < 0) {
		if (restart_namespace(iso)) {
			errno = iso->error;
			return -1;
		}
		pid = spawn_inside(iso, iso->init_fd, fn, arg);
	}
	return pid;
}

int chess_isolate_nest(struct chess_isolate *iso)
{
	const char *what;

	if (iso->outer && !kill(iso->outer, 0))
		return 0;
	if (!iso->init || iso->outer || iso->tmp || iso->overlay || iso->loopback)
		return -EINVAL;
	iso->outer = iso->init;
	iso->outer_fd = iso->init_fd;
	iso->outer_life = iso->life;
	iso->init = 0;
	iso->init_fd = iso->life = -1;
	close_fd(&iso->root_fd);
	what = start_namespace(iso);
	if (!what)
		return 0;
	end_outer(iso);
	return restart_namespace(iso) ? -iso->error : -EAGAIN;
}

pid_t chess_isolate_spawn_kept(struct chess_isolate *iso, int (*fn)(void *arg), void *arg)
{
	return spawn_inside(iso, iso->outer_fd, fn, arg);
}

const char *chess_isolate_enter_kept(const struct chess_isolate *iso)
{
	return setns(iso->init_fd, CLONE_NEWPID) ? "setns" : chess_isolate_enter(iso);
}

static pid_t fork_with_pid(pid_t pid)
{
	struct clone_args a = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&pid,
		.set_tid_size = 1,
	};

	return syscall(SYS_clone3, &a, sizeof(a));
}

pid_t chess_isolate_fork(struct chess_isolate *iso, bool tool)
{
	pid_t pid;
	int err;

	if (!iso->init)
		return fork();
	if (setns(iso->init_fd, CLONE_NEWPID))
		return -1;
	pid = fork_with_pid(tool ? TOOL_PID : PROGRAM_PID);
	if (!pid)
		iso->last_pid = tool ? TOOL_PID : PROGRAM_PID;
	err = errno;
	if (pid && setns(iso->self_fd, CLONE_NEWPID))
		abort();
	errno = err;
	return pid;
}

/* Into other mounts, at the same root and working directory. */
static const char *join_mounts(const struct chess_isolate *iso, int fd, int root_fd)
{
	if (setns(fd, CLONE_NEWNS))
		return "setns";
	if (fchdir(root_fd) || chroot("."))
		return "chroot";
	/* Without a name there, a /tmp of its own may cover it, or it was deleted. */
	if ((!iso->cwd[0] || chdir(iso->cwd)) && fchdir(iso->cwd_fd))
		return "fchdir";
	return NULL;
}

const char *chess_isolate_enter(const struct chess_isolate *iso)
{
	char last[16];
	int n = snprintf(last, sizeof(last), "%d", iso->last_pid);

	if (iso->init && iso->last_fd >= 0 && pwrite(iso->last_fd, last, n, 0) != n)
		return "setting the last pid";
	/* Identifiers are counted per namespace, and what a run leaves is found by key. */
	if (iso->init && unshare(CLONE_NEWIPC))
		return "unsharing IPC objects";
	if (iso->net_fd >= 0 && setns(iso->net_fd, CLONE_NEWNET))
		return "setns";
	if (iso->mnt_fd >= 0)
		return join_mounts(iso, iso->mnt_fd, iso->mnt_root_fd);
	return iso->init ? join_mounts(iso, iso->init_fd, iso->root_fd) : NULL;
}

pid_t chess_isolate_parent(const struct chess_isolate *iso)
{
	return iso->init ? 0 : getpid();
}

/* --- what each run has of its own ---------------------------------------------- */

static bool is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !strncmp(path, dir, n) && (path[n] == '/' || !path[n]);
}

static int make_path(const char *path)
{
	char part[PATH_MAX];
	const char *end;

	for (end = path; end; ) {
		end = strchr(end + 1, '/');
		snprintf(part, sizeof(part), "%.*s", end ? (int)(end - path) : PATH_MAX - 1, path);
		if (mkdir(part, 0755) && errno != EEXIST)
			return -1;
	}
	return 0;
}

/* An empty @dir; a working directory below it stays where it is. */
static const char *mount_empty(const struct chess_isolate *iso, const char *dir)
{
	bool below = is_below(iso->work, dir) && strcmp(iso->work, dir);

	/* We stay in it while it is out of sight. */
	if (below && chdir(iso->work))
		return "entering the working directory";
	if (mount("tmpfs", dir, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"))
		return "mounting a tmpfs";
	if (below && (make_path(iso->work) || mount(".", iso->work, NULL, MS_BIND, NULL)))
		return "keeping the working directory below a tmpfs";
	return NULL;
}

/* /tmp, and where named semaphores and shared memory of POSIX are, if there are any */
static const char *mount_tmp(const struct chess_isolate *iso)
{
	const char *what = mount_empty(iso, "/tmp");

	return what || access("/dev/shm", F_OK) ? what : mount_empty(iso, "/dev/shm");
}

/*
 * Writes to the working directory go to memory. The tmpfs that they are in is put
 * on the directory, and the overlay on that, so nothing else of the tree is hidden;
 * what is below is reached as ".", where we stay.
 */
static const char *mount_overlay(const struct chess_isolate *iso)
{
	char upper[PATH_MAX + 8], work[PATH_MAX + 8], *data = NULL;
	const char *what = NULL;
	struct stat st;

	if (chdir(iso->work) || stat(".", &st))
		return "entering the working directory";
	if (!strcmp(iso->work, "/")) {
		/* What is mounted on it is not where names begin. */
		errno = EINVAL;
		return "an overlay of the root directory";
	}
	if (strpbrk(iso->work, ",:\\")) {
		errno = EINVAL;
		return "an overlay of a directory with a comma, colon or backslash in its name";
	}
	if (mount("tmpfs", iso->work, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"))
		return "mounting a tmpfs on the working directory";
	snprintf(upper, sizeof(upper), "%s/upper", iso->work);
	snprintf(work, sizeof(work), "%s/work", iso->work);
	if (mkdir(upper, 0755) || mkdir(work, 0755) || chown(upper, st.st_uid, st.st_gid) ||
	    chmod(upper, st.st_mode & 07777))
		return "making the directories of an overlay";
	if (asprintf(&data, "lowerdir=.,upperdir=%s,workdir=%s", upper, work) < 0)
		return "memory for the options of an overlay";
	if (mount("overlay", iso->work, "overlay", 0, data))
		what = "mounting an overlay on the working directory";
	free(data);
	return what;
}

static const char *make_mounts(struct chess_isolate *iso)
{
	const char *what = iso->init ? join_mounts(iso, iso->init_fd, iso->root_fd) : NULL;

	if (what)
		return what;
	if (unshare(CLONE_NEWNS))
		return "a mount namespace";
	/* What is mounted here must not show up in the rest of the system. */
	if (mount(NULL, "/", NULL, MS_SLAVE | MS_REC, NULL))
		return "making mounts private";
	if (iso->tmp)
		what = mount_tmp(iso);
	if (!what && iso->overlay)
		what = mount_overlay(iso);
	if (what)
		return what;
	iso->mnt_root_fd = open("/", O_PATH | O_CLOEXEC);
	iso->mnt_fd = openat(iso->proc_fd, "self/ns/mnt", O_RDONLY | O_CLOEXEC);
	return iso->mnt_root_fd < 0 || iso->mnt_fd < 0 ? "opening a mount namespace" : NULL;
}

/* In a helper that shares our memory and descriptors, and ends right away. */
static int make_namespaces(void *arg)
{
	struct chess_isolate *iso = arg;

	iso->what = NULL;
	if (iso->loopback) {
		if (unshare(CLONE_NEWNET))
			iso->what = "a network namespace";
		else
			iso->what = chess_loopback_up();
		iso->net_fd = iso->what ? -1 :
			      openat(iso->proc_fd, "self/ns/net", O_RDONLY | O_CLOEXEC);
		if (!iso->what && iso->net_fd < 0)
			iso->what = "opening a network namespace";
	}
	if (!iso->what && (iso->tmp || iso->overlay))
		iso->what = make_mounts(iso);
	iso->error = iso->what ? errno : 0;
	_exit(0);
}

/* Where the program will be, as a name without links. */
static int find_work(struct chess_isolate *iso, const char *cwd)
{
	close_fd(&iso->cwd_fd);
	/* One of the two will do. */
	iso->cwd_fd = open(".", O_PATH | O_CLOEXEC);
	if (!getcwd(iso->cwd, sizeof(iso->cwd)))
		iso->cwd[0] = '\0';
	if ((iso->tmp || iso->overlay) && !realpath(cwd ? cwd : ".", iso->work))
		return chess_set_error(errno, "the working directory %s cannot be found: %m",
				       cwd ? cwd : ".");
	return 0;
}

int chess_isolate_begin(struct chess_isolate *iso, const char *cwd)
{
	sigset_t all, old;
	int ret, status;
	pid_t pid;

	if (!iso->init && !iso->tmp && !iso->overlay && !iso->loopback)
		return 0;
	/* Somebody may have killed its pid 1. */
	if (iso->init && waitpid(iso->init, &status, WNOHANG)) {
		iso->init = 0;
		ret = restart_namespace(iso);
		if (ret)
			return ret;
	}
	ret = find_work(iso, cwd);
	if (ret || (!iso->tmp && !iso->overlay && !iso->loopback))
		return ret;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	pid = clone(make_namespaces, iso->stack + STACK_SIZE,
		    CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, iso);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (pid < 0)
		return chess_set_error(errno, "no process to isolate the run: %m");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!iso->what)
		return 0;
	chess_isolate_end(iso, false);
	return chess_set_error(iso->error, "the run cannot be isolated as asked: %s: %s%s",
			       iso->what, strerror(iso->error),
			       iso->error == EPERM ? "; it needs CAP_SYS_ADMIN, which root has" : "");
}

/* Names in @dir of this run's mounts, without that of a path to the working directory. */
static size_t count_names(const struct chess_isolate *iso, const char *dir)
{
	int fd = openat(iso->mnt_root_fd, dir + 1, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *names = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;
	size_t n = 0;

	if (!names) {
		close_fd(&fd);
		return 0;
	}
	while ((e = readdir(names)))
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(names);
	return n - (n && is_below(iso->work, dir) && strcmp(iso->work, dir));
}

bool chess_isolate_has_files(const struct chess_isolate *iso)
{
	return iso->tmp && iso->mnt_root_fd >= 0 &&
	       (count_names(iso, "/tmp") || count_names(iso, "/dev/shm"));
}

void chess_isolate_end(struct chess_isolate *iso, bool left)
{
	close_fd(&iso->mnt_fd);
	close_fd(&iso->mnt_root_fd);
	close_fd(&iso->net_fd);
	if (iso->init && (left || iso->last_fd < 0))
		restart_namespace(iso);
}

/* --- new and free --------------------------------------------------------- */

struct chess_isolate *chess_isolate_new(const struct chess_runner_opts *o)
{
	struct chess_isolate *iso = calloc(1, sizeof(*iso));
	const char *what;

	if (!iso) {
		chess_set_error(ENOMEM, "no memory for the surroundings of a run");
		return NULL;
	}
	iso->tmp = o->private_tmp;
	iso->overlay = o->overlay;
	iso->loopback = o->no_network;
	iso->last_pid = PROGRAM_PID;
	iso->init_fd = iso->life = iso->root_fd = -1;
	iso->outer_fd = iso->outer_life = -1;
	iso->mnt_fd = iso->mnt_root_fd = iso->net_fd = iso->cwd_fd = -1;
	iso->last_fd = open(LAST_PID, O_WRONLY | O_CLOEXEC);
	iso->proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	iso->self_fd = syscall(SYS_pidfd_open, getpid(), 0);
	iso->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (iso->stack == MAP_FAILED) {
		iso->stack = NULL;
		chess_set_error(ENOMEM, "no memory for a stack");
		chess_isolate_free(iso);
		return NULL;
	}
	if (o->host_pids)
		return iso;
	what = start_namespace(iso);
	if (what) {
		note_missing(iso, what, errno);
		end_namespace(iso);
	}
	return iso;
}

void chess_isolate_private_tmp(struct chess_isolate *iso, bool on)
{
	iso->tmp = on;
}

void chess_isolate_free(struct chess_isolate *iso)
{
	if (!iso)
		return;
	end_namespace(iso);
	end_outer(iso);
	close_fd(&iso->last_fd);
	close_fd(&iso->proc_fd);
	close_fd(&iso->self_fd);
	close_fd(&iso->mnt_fd);
	close_fd(&iso->mnt_root_fd);
	close_fd(&iso->net_fd);
	close_fd(&iso->cwd_fd);
	if (iso->stack)
		munmap(iso->stack, STACK_SIZE);
	free(iso);
}

const char *chess_isolate_missing(const struct chess_isolate *iso)
{
	return iso->missing[0] ? iso->missing : NULL;
}
