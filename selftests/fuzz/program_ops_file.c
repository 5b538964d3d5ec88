// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of fuzzed programs about descriptors: files, pipes, sockets, epoll, io_uring.
 * None notes the number of a descriptor, which depends on the schedule. See program.h.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

static int own_pipe(struct ctx *c)
{
	char bytes[16] = "";
	int fd[2];

	note(c, pipe2(fd, O_CLOEXEC | O_NONBLOCK));
	note(c, result_of(read(fd[0], bytes, 1)));
	note(c, write(fd[1], "abcdef", 6));
	note(c, read(fd[0], bytes, 4));
	note(c, bytes[3]);
	close(fd[1]);
	note(c, read(fd[0], bytes, 16));
	/* The end comes once no child another thread has just forked holds fd[1]. */
	fcntl(fd[0], F_SETFL, 0);
	note(c, TEMP_FAILURE_RETRY(read(fd[0], bytes, 16)));
	return close(fd[0]);
}

static int broken_pipe(struct ctx *c)
{
	int fd[2];

	note(c, pipe(fd));
	close(fd[0]);
	if (below(c, 2))
		signal(SIGPIPE, SIG_IGN);
	note(c, result_of(write(fd[1], "x", 1)));
	return 5;
}

static int copies(struct ctx *c)
{
	int base = OWN_FD + 4 * MAX_THREADS + 8 * c->me, fd = memfd_create("copies", 0);
	int other;

	note(c, dup2(fd, base) == base);
	note(c, dup3(fd, base + 1, O_CLOEXEC) == base + 1);
	note(c, write(base, "0123456789", 10));
	note(c, lseek(base + 1, 0, SEEK_CUR));
	note(c, fcntl(base + 1, F_GETFD));
	note(c, fcntl(base, F_GETFD));
	other = fcntl(fd, F_DUPFD, base);
	note(c, other == base + 2);
	note(c, result_of(dup3(fd, fd, 0)));
	close(other);
	close(base);
	close(base + 1);
	note(c, result_of(write(base, "x", 1)));
	return close(fd);
}

static int close_many(struct ctx *c)
{
	unsigned int i;

	for (i = 0; i < 5; i++)
		dup2(0, OWN_FD + i);
	note(c, syscall(SYS_close_range, OWN_FD + 1, OWN_FD + 3, 0));
	for (i = 0; i < 5; i++)
		note(c, fcntl(OWN_FD + i, F_GETFD));
	note(c, syscall(SYS_close_range, 3, ~0U, below(c, 2) ? CLOSE_RANGE_UNSHARE : 0));
	return fcntl(STEP_FD, F_GETFD) < 0 ? 0 : 1;
}

static int file(struct ctx *c)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	struct iovec v[2] = { { "first", 5 }, { "second", 6 } };
	char bytes[32] = "";

	note(c, writev(fd, v, 2));
	note(c, pread(fd, bytes, 6, 5));
	note(c, strcmp(bytes, "second"));
	note(c, ftruncate(fd, 3));
	note(c, lseek(fd, 0, SEEK_END));
	note(c, fallocate(fd, 0, 0, 100));
	note(c, pread(fd, bytes, 32, 90));
	note(c, fsync(fd));
	note(c, result_of(syscall(SYS_pread64, fd, 8UL, 10UL, 0UL)));
	return close(fd);
}

static int splices(struct ctx *c)
{
	int file = memfd_create("splice", MFD_CLOEXEC), a[2], b[2];
	char bytes[16] = "";
	off_t at = 0;

	note(c, write(file, "spliced text", 12));
	note(c, pipe2(a, O_CLOEXEC) || pipe2(b, O_CLOEXEC));
	note(c, splice(file, &at, a[1], NULL, 7, 0));
	note(c, tee(a[0], b[1], 7, 0));
	note(c, read(b[0], bytes, 16));
	note(c, strcmp(bytes, "spliced"));
	note(c, sendfile(b[1], file, &at, 5));
	note(c, read(b[0], bytes, 16));
	close(a[0]);
	close(a[1]);
	close(b[0]);
	close(b[1]);
	return close(file);
}

/* A server in a child; the kernel chooses its address. */
static int serve(struct ctx *c)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct sockaddr_in in = { .sin_family = AF_INET };
	bool local = below(c, 2);
	struct sockaddr *a = local ? (struct sockaddr *)&un : (struct sockaddr *)&in;
	socklen_t len = local ? sizeof(sa_family_t) : sizeof(in), full = sizeof(un);
	int s = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), fd, status = 0;
	char bytes[16] = "";
	pid_t pid;

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	note(c, bind(s, a, len));
	full = local ? sizeof(un) : sizeof(in);
	note(c, getsockname(s, a, &full));
	note(c, listen(s, 1));
	pid = fork();
	if (!pid) {
		fd = TEMP_FAILURE_RETRY(accept(s, NULL, NULL));
		_exit(write(fd, "served", 6) == 6 && !shutdown(fd, SHUT_WR) &&
		      read(fd, bytes, 1) == 0 ? 33 : 34);
	}
	fd = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	note(c, TEMP_FAILURE_RETRY(connect(fd, a, full)));
	note(c, recv(fd, bytes, 6, MSG_WAITALL));
	note(c, strcmp(bytes, "served"));
	note(c, read(fd, bytes, 1));
	close(fd);
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	close(s);
	return status_number(status);
}

static int datagrams(struct ctx *c)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(in);
	char bytes[16] = "";

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	note(c, bind(s, (struct sockaddr *)&in, sizeof(in)));
	getsockname(s, (struct sockaddr *)&in, &len);
	note(c, sendto(s, "datagram", 8, 0, (struct sockaddr *)&in, len));
	note(c, TEMP_FAILURE_RETRY(recv(s, bytes, 4, MSG_TRUNC)));
	note(c, result_of(recv(s, bytes, 4, MSG_DONTWAIT)));
	return close(s);
}

static int once(struct ctx *c)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLONESHOT | EPOLLET };
	int set = epoll_create1(EPOLL_CLOEXEC), fd[2];

	note(c, pipe2(fd, O_CLOEXEC));
	note(c, epoll_ctl(set, EPOLL_CTL_ADD, fd[0], &e));
	note(c, write(fd[1], "xy", 2));
	note(c, TEMP_FAILURE_RETRY(epoll_wait(set, &e, 1, -1)));
	note(c, epoll_wait(set, &e, 1, 0));
	note(c, epoll_ctl(set, EPOLL_CTL_MOD, fd[0], &e));
	note(c, epoll_wait(set, &e, 1, 0));
	close(fd[0]);
	close(fd[1]);
	return close(set);
}

static int read_signals(struct ctx *c)
{
	struct signalfd_siginfo info = { 0 };
	union sigval v = { .sival_int = 19 };
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	note(c, result_of(read(fd, &info, sizeof(info))));
	note(c, sigqueue(getpid(), SIGRTMIN + 3, v));
	note(c, kill(getpid(), SIGUSR1));
	note(c, read(fd, &info, sizeof(info)));
	note(c, info.ssi_signo);
	note(c, read(fd, &info, sizeof(info)));
	note(c, info.ssi_int);
	return close(fd);
}

static int watches(struct ctx *c)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	char bytes[256];

	note(c, inotify_add_watch(fd, "/proc/self", IN_CREATE));
	note(c, result_of(read(fd, bytes, sizeof(bytes))));
	return close(fd);
}

/* One ring without the help of a library. */
struct ring {
	int fd;
	void *map;
	size_t size;
	struct io_uring_sqe *sqe;
	struct io_uring_params p;
};

static unsigned int *at(struct ring *r, uint32_t offset)
{
	return (unsigned int *)((char *)r->map + offset);
}

static void put(struct ring *r, struct io_uring_sqe sqe)
{
	unsigned int tail = *at(r, r->p.sq_off.tail);

	r->sqe[tail & 7] = sqe;
	at(r, r->p.sq_off.array)[tail & 7] = tail & 7;
	__atomic_store_n(at(r, r->p.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
}

/* The result of what completed, or this. */
#define NONE_YET	4711

static long take(struct ring *r)
{
	unsigned int head = *at(r, r->p.cq_off.head);
	struct io_uring_cqe *cqe = (void *)at(r, r->p.cq_off.cqes);
	long res;

	if (head == __atomic_load_n(at(r, r->p.cq_off.tail), __ATOMIC_ACQUIRE))
		return NONE_YET;
	res = cqe[head & (r->p.cq_entries - 1)].res;
	__atomic_store_n(at(r, r->p.cq_off.head), head + 1, __ATOMIC_RELEASE);
	return res;
}

static int enter(struct ring *r, unsigned int n)
{
	return syscall(SYS_io_uring_enter, r->fd, n, n, IORING_ENTER_GETEVENTS, NULL, 0);
}

static int uring(struct ctx *c)
{
	struct __kernel_timespec t = { .tv_nsec = 1000000 };
	struct ring r = { .fd = -1 };
	char bytes[16] = "";
	int fd[2];
	long res;

	r.fd = syscall(SYS_io_uring_setup, 8, &r.p);
	if (r.fd < 0)
		return -errno;
	r.size = r.p.cq_off.cqes + r.p.cq_entries * sizeof(struct io_uring_cqe);
	r.map = mmap(NULL, r.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r.fd,
		     IORING_OFF_SQ_RING);
	r.sqe = mmap(NULL, 8 * sizeof(*r.sqe), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_POPULATE, r.fd, IORING_OFF_SQES);
	note(c, pipe2(fd, O_CLOEXEC));
	put(&r, (struct io_uring_sqe){ .opcode = IORING_OP_NOP });
	note(c, TEMP_FAILURE_RETRY(enter(&r, 1)));
	note(c, take(&r));
	put(&r, (struct io_uring_sqe){ .opcode = IORING_OP_WRITE, .fd = fd[1], .len = 5,
				       .addr = (uintptr_t)"uring" });
	note(c, TEMP_FAILURE_RETRY(enter(&r, 1)));
	note(c, take(&r));
	note(c, read(fd[0], bytes, 16));
	if (below(c, 2)) {
		put(&r, (struct io_uring_sqe){ .opcode = IORING_OP_TIMEOUT, .len = 1,
					       .addr = (uintptr_t)&t });
		note(c, TEMP_FAILURE_RETRY(enter(&r, 1)));
		/*
		 * The call ends early for a signal that is ignored, without EINTR as it has
		 * submitted something: SIGCHLD of a child that another thread spawned is queued,
		 * and any thread woken for it, while that one still has all signals blocked.
		 */
		while ((res = take(&r)) == NONE_YET)
			syscall(SYS_io_uring_enter, r.fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
		note(c, res);
	}
	munmap(r.map, r.size);
	munmap(r.sqe, 8 * sizeof(*r.sqe));
	close(fd[0]);
	close(fd[1]);
	return close(r.fd);
}

static const struct op table[] = {
	{ "own_pipe",		SOLO,	NOTHING, 3, own_pipe },
	{ "broken_pipe",	CHILD,	NOTHING, 2, broken_pipe },
	{ "copies",		SOLO,	NOTHING, 3, copies },
	{ "close_many",		CHILD,	NOTHING, 2, close_many },
	{ "file",		SOLO,	NOTHING, 3, file },
	{ "splices",		SOLO,	NOTHING, 2, splices },
	{ "serve",		SOLO,	NOTHING, 4, serve },
	{ "datagrams",		SOLO,	NOTHING, 2, datagrams },
	{ "once",		SOLO,	NOTHING, 2, once },
	{ "read_signals",	CHILD,	NOTHING, 2, read_signals },
	{ "watches",		SOLO,	NOTHING, 1, watches },
	{ "uring",		SOLO,	NOTHING, 3, uring },
};

const struct ops file_ops = { table, sizeof(table) / sizeof(*table) };
