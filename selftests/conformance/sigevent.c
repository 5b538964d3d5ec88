// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that signals do under control what they do without: which blocked calls a
 * handler ends with EINTR and which go on with SA_RESTART, for calls without a
 * timeout; SIGCHLD with all that comes with it; SIGPIPE. Run by conformance.sh.
 */
#include "conf.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static int fds[2] = { -1, -1 }, id = -1;
static pid_t child;
static char fifo[64];

static void close_both(void)
{
	close(fds[0]);
	close(fds[1]);
}

/* --- files -------------------------------------------------------------- */

static void open_pipe(void)
{
	conf_must(pipe(fds));
}

static void write_pipe(void)
{
	conf_must(write(fds[1], "x", 1));
}

static long wait_read(struct conf_wait *w)
{
	char byte;

	(void)w;
	return read(fds[0], &byte, 1);
}

static void open_full_pipe(void)
{
	static const char page[4096];
	int size;

	open_pipe();
	size = conf_must(fcntl(fds[1], F_SETPIPE_SZ, 4096));
	conf_must(write(fds[1], page, size));
}

static void drain_pipe(void)
{
	char page[4096];

	conf_must(read(fds[0], page, sizeof(page)));
}

static long wait_write(struct conf_wait *w)
{
	(void)w;
	return write(fds[1], "x", 1);
}

static void make_fifo(void)
{
	snprintf(fifo, sizeof(fifo), "/tmp/conf-fifo-%d", conf_pid);
	unlink(fifo);
	conf_must(mkfifo(fifo, 0600));
}

static void open_fifo(void)
{
	close(conf_must(open(fifo, O_WRONLY)));
}

static void remove_fifo(void)
{
	unlink(fifo);
}

static long wait_open(struct conf_wait *w)
{
	int fd = open(fifo, O_RDONLY);

	(void)w;
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

/* Two descriptions of one file, so that they conflict within a process too. */
static void open_file(void)
{
	char path[] = "/tmp/conf-XXXXXX";

	fds[0] = conf_must(mkstemp(path));
	fds[1] = conf_must(open(path, O_RDWR));
	unlink(path);
}

static void own_flock(void) { conf_must(flock(fds[1], LOCK_EX)); }
static void leave_flock(void) { conf_must(flock(fds[1], LOCK_UN)); }

static long wait_flock(struct conf_wait *w)
{
	(void)w;
	return flock(fds[0], LOCK_SH);
}

static int lock_file(int fd, int cmd, int type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_len = 10 };

	return fcntl(fd, cmd, &l);
}

static void own_fcntl(void) { conf_must(lock_file(fds[1], F_OFD_SETLK, F_WRLCK)); }
static void leave_fcntl(void) { conf_must(lock_file(fds[1], F_OFD_SETLK, F_UNLCK)); }

static long wait_fcntl(struct conf_wait *w)
{
	(void)w;
	return lock_file(fds[0], F_OFD_SETLKW, F_RDLCK);
}

static void open_pair(void)
{
	conf_must(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
}

static long wait_recv(struct conf_wait *w)
{
	char byte;

	(void)w;
	return recv(fds[0], &byte, 1, 0);
}

static long wait_poll(struct conf_wait *w)
{
	struct pollfd p = { fds[0], POLLIN, 0 };

	(void)w;
	return syscall(SYS_poll, &p, 1, -1);
}

static long wait_epoll(struct conf_wait *w)
{
	struct epoll_event e = { .events = EPOLLIN };
	int epfd = conf_must(epoll_create1(0)), error;
	long ret;

	(void)w;
	conf_must(epoll_ctl(epfd, EPOLL_CTL_ADD, fds[0], &e));
	ret = syscall(SYS_epoll_wait, epfd, &e, 1, -1);
	error = errno;
	close(epfd);
	errno = error;
	return ret;
}

/* --- memory and IPC ----------------------------------------------------- */

static void clear_word(void)
{
	conf_shared->word[0] = 0;
}

static void wake_word(void)
{
	conf_shared->word[0] = 1;
	conf_must(syscall(SYS_futex, conf_shared->word, FUTEX_WAKE, 1, NULL, NULL, 0));
}

static long wait_futex(struct conf_wait *w)
{
	(void)w;
	return syscall(SYS_futex, conf_shared->word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void make_posix_sem(void) { sem_init((sem_t *)conf_shared->room, 1, 0); }
static void post_posix_sem(void) { sem_post((sem_t *)conf_shared->room); }

static long wait_posix_sem(struct conf_wait *w)
{
	(void)w;
	return sem_wait((sem_t *)conf_shared->room);
}

static void make_sem(void) { id = conf_must(semget(IPC_PRIVATE, 1, 0600)); }
static void remove_sem(void) { semctl(id, 0, IPC_RMID); }

static void post_sem(void)
{
	struct sembuf up = { .sem_op = 1 };

	conf_must(semop(id, &up, 1));
}

static long wait_sem(struct conf_wait *w)
{
	struct sembuf down = { .sem_op = -1 };

	(void)w;
	return syscall(SYS_semtimedop, id, &down, 1, NULL);
}

static void make_msg(void) { id = conf_must(msgget(IPC_PRIVATE, 0600)); }
static void remove_msg(void) { msgctl(id, IPC_RMID, NULL); }

static void send_msg(void)
{
	struct { long type; char text[4]; } m = { 1, "abc" };

	conf_must(msgsnd(id, &m, sizeof(m.text), 0));
}

static long wait_msg(struct conf_wait *w)
{
	struct { long type; char text[4]; } m = { 0, "" };
	long ret = msgrcv(id, &m, sizeof(m.text), 0, 0);

	snprintf(w->extra, sizeof(w->extra), "text=%s", m.text);
	return ret;
}

/* --- children ----------------------------------------------------------- */

/* It ends with code 7 when told. */
static void make_child(void)
{
	char byte;

	open_pipe();
	child = conf_must(fork());
	if (!child) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) < 0)
			_exit(1);
		_exit(7);
	}
}

static void end_child(void)
{
	close_both();
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

static long wait_child(struct conf_wait *w)
{
	int status = 0;
	long ret = waitpid(child, &status, 0);

	snprintf(w->extra, sizeof(w->extra), "status=%#x", status);
	return ret == child ? 0 : ret;
}

static siginfo_t seen;

static void on_child(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	conf_shared->handled++;
	seen = *info;
}

static sigset_t none, chld;

static void catch_child(int flags)
{
	struct sigaction sa = { .sa_sigaction = on_child, .sa_flags = SA_SIGINFO | flags };

	conf_shared->handled = 0;
	memset(&seen, 0, sizeof(seen));
	conf_must(sigprocmask(SIG_BLOCK, &chld, NULL));
	conf_must(sigaction(SIGCHLD, &sa, NULL));
}

static void forget_child(void)
{
	conf_default(SIGCHLD);
	conf_must(sigprocmask(SIG_UNBLOCK, &chld, NULL));
}

static void say_child(const char *name, long ret)
{
	conf_line(name, ret, "handled=%d code=%s status=%d pid=%s", conf_shared->handled,
		  seen.si_code == CLD_EXITED ? "exited" : seen.si_code == CLD_KILLED ? "killed" :
		  seen.si_code == CLD_STOPPED ? "stopped" :
		  seen.si_code == CLD_CONTINUED ? "continued" : "none",
		  seen.si_status, seen.si_pid == child ? "child" : "other");
}

static void child_ends(const char *name, int sig)
{
	long ret;

	if (!conf_wanted(name))
		return;
	catch_child(0);
	make_child();
	if (sig)
		conf_must(kill(child, sig));
	else
		write_pipe();
	ret = sigsuspend(&none);
	say_child(name, ret);
	end_child();
	forget_child();
}

static void child_stops(void)
{
	int status = 0;
	long ret;

	catch_child(0);
	make_child();
	conf_must(kill(child, SIGSTOP));
	ret = sigsuspend(&none);
	say_child("stopped", ret);
	ret = waitpid(child, &status, WUNTRACED);
	conf_line("stopped-wait", ret == child ? 0 : ret, "stopped=%d", WIFSTOPPED(status));
	conf_must(kill(child, SIGCONT));
	ret = sigsuspend(&none);
	say_child("continued", ret);
	ret = waitpid(child, &status, WCONTINUED);
	conf_line("continued-wait", ret == child ? 0 : ret, "continued=%d", WIFCONTINUED(status));
	end_child();
	forget_child();
}

/* Nobody has to wait for it; who does learns that there is none. */
static void child_ignored(const char *name, int flags)
{
	struct sigaction sa = { .sa_handler = flags ? SIG_DFL : SIG_IGN, .sa_flags = flags };
	long ret;

	if (!conf_wanted(name))
		return;
	conf_must(sigaction(SIGCHLD, &sa, NULL));
	make_child();
	write_pipe();
	errno = 0;
	ret = waitpid(child, NULL, 0);
	conf_line(name, ret, " ");
	close_both();
	conf_default(SIGCHLD);
}

static void child_more(void)
{
	siginfo_t info = { 0 };
	long ret;

	child_ends("exited", 0);
	child_ends("killed", SIGTERM);
	if (conf_wanted("stopped"))
		child_stops();
	child_ignored("ignored", 0);
	child_ignored("nocldwait", SA_NOCLDWAIT);
	if (conf_wanted("nohang")) {
		make_child();
		ret = waitpid(child, NULL, WNOHANG);
		conf_line("nohang", ret, " ");
		write_pipe();
		ret = waitid(P_PID, child, &info, WEXITED | WNOWAIT);
		conf_line("nowait", ret, "code=%s status=%d",
			  info.si_code == CLD_EXITED ? "exited" : "other", info.si_status);
		ret = waitpid(child, NULL, 0);
		conf_line("after-nowait", ret == child ? 0 : ret, " ");
		close_both();
	}
	conf_try("echild", waitpid(-1, NULL, 0));
	conf_try("einval", waitpid(-1, NULL, 0x77770000));
}

/* --- SIGPIPE ------------------------------------------------------------ */

static long broken_write(int flags)
{
	long ret;
	int error;

	if (flags < 0) {
		open_pipe();
		close(fds[0]);
		ret = write(fds[1], "x", 1);
	} else {
		open_pair();
		close(fds[0]);
		ret = send(fds[1], "x", 1, flags);
	}
	error = errno;
	close(fds[1]);
	errno = error;
	return ret;
}

static void pipe_more(void)
{
	int status = 0;
	long ret;

	if (conf_wanted("deadly")) {
		child = conf_must(fork());
		if (!child) {
			broken_write(-1);
			_exit(0);
		}
		conf_must(waitpid(child, &status, 0));
		conf_line("deadly", 0, "signal=%d", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
	}
	conf_catch(SIGPIPE, SA_RESTART);
	conf_shared->handled = 0;
	ret = broken_write(-1);
	conf_line("pipe", ret, "handled=%d", conf_shared->handled);
	ret = broken_write(0);
	conf_line("socket", ret, "handled=%d", conf_shared->handled);
	ret = broken_write(MSG_NOSIGNAL);
	conf_line("nosignal", ret, "handled=%d", conf_shared->handled);
	signal(SIGPIPE, SIG_IGN);
	ret = broken_write(-1);
	conf_line("ignored", ret, "handled=%d", conf_shared->handled);
	conf_default(SIGPIPE);
}

/* A reader that goes away while the writer is blocked in a full pipe. */
static void close_reader(void)
{
	close(fds[0]);
	fds[0] = -1;
}

static void blocked_pipe_more(void)
{
	long ret;

	if (!conf_wanted("reader-gone"))
		return;
	conf_catch(SIGPIPE, SA_RESTART);
	conf_shared->handled = 0;
	open_full_pipe();
	conf_when_blocked(SYS_write, close_reader);
	ret = write(fds[1], "x", 1);
	conf_line("reader-gone", ret, "handled=%d", conf_shared->handled);
	conf_join();
	close_both();
	conf_default(SIGPIPE);
}

#define PLAIN(n, call)	.name = n, .nr = call, .flags = CONF_NO_TIME, .clock = CLOCK_MONOTONIC

static const struct conf_call calls[] = {
	{ PLAIN("pipe-read", SYS_read), .setup = open_pipe, .wake = write_pipe, .wait = wait_read,
	  .teardown = close_both },
	{ PLAIN("pipe-write", SYS_write), .setup = open_full_pipe, .wake = drain_pipe,
	  .wait = wait_write, .teardown = close_both, .more = blocked_pipe_more },
	{ .name = "fifo-open", .nr = SYS_openat, .flags = CONF_NO_TIME | CONF_NO_READY,
	  .clock = CLOCK_MONOTONIC, .setup = make_fifo, .wake = open_fifo, .wait = wait_open,
	  .teardown = remove_fifo },
	{ PLAIN("flock", SYS_flock), .setup = open_file, .own = own_flock, .wake = leave_flock,
	  .wait = wait_flock, .teardown = close_both },
	{ PLAIN("fcntl-lock", SYS_fcntl), .setup = open_file, .own = own_fcntl,
	  .wake = leave_fcntl, .wait = wait_fcntl, .teardown = close_both },
	{ PLAIN("socket-recv", SYS_recvfrom), .setup = open_pair, .wake = write_pipe,
	  .wait = wait_recv, .teardown = close_both },
	{ PLAIN("poll", SYS_poll), .setup = open_pipe, .wake = write_pipe, .wait = wait_poll,
	  .teardown = close_both },
	{ PLAIN("epoll", SYS_epoll_wait), .setup = open_pipe, .wake = write_pipe,
	  .wait = wait_epoll, .teardown = close_both },
	{ .name = "futex", .nr = SYS_futex, .flags = CONF_NO_TIME | CONF_NO_READY,
	  .clock = CLOCK_MONOTONIC, .setup = clear_word, .wake = wake_word, .wait = wait_futex },
	{ PLAIN("sem_wait", SYS_futex), .setup = make_posix_sem, .wake = post_posix_sem,
	  .wait = wait_posix_sem },
	{ PLAIN("semop", SYS_semtimedop), .setup = make_sem, .wake = post_sem, .wait = wait_sem,
	  .teardown = remove_sem },
	{ PLAIN("msgrcv", SYS_msgrcv), .setup = make_msg, .wake = send_msg, .wait = wait_msg,
	  .teardown = remove_msg },
	{ PLAIN("waitpid", SYS_wait4), .setup = make_child, .wake = write_pipe, .wait = wait_child,
	  .teardown = end_child },
	{ .name = "sigchld", .more = child_more },
	{ .name = "sigpipe", .more = pipe_more },
};

int main(int argc, char **argv)
{
	sigemptyset(&none);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}
