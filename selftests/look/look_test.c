// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks block in each kind of object, and the snapshot has to say so: which object,
 * who is at its other end, who holds it. Run by the suite "look", as root and
 * without the module.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>

#include "harness.h"
#include "internal.h"
#include "look.h"

/* The kernel's numbers come in many sizes; only values are compared. */
#define EXPECT_SAME(e, s) EXPECT_EQ((long long)(e), (long long)(s))
#define ASSERT_SAME(e, s) ASSERT_EQ((long long)(e), (long long)(s))
#define EXPECT_LESS(e, s) EXPECT_LT((long long)(e), (long long)(s))
#define ASSERT_LESS(e, s) ASSERT_LT((long long)(e), (long long)(s))
#define EXPECT_OTHER(e, s) EXPECT_NE((long long)(e), (long long)(s))
#define EXPECT_MOST(e, s) EXPECT_LE((long long)(e), (long long)(s))
#define ASSERT_MOST(e, s) ASSERT_LE((long long)(e), (long long)(s))

FIXTURE(look) {
	struct chess_look *look;
	struct chess_snapshot *shot;
};

FIXTURE_SETUP(look)
{
	self->shot = NULL;
	self->look = chess_look_new();
	if (!self->look)
		TH_LOG("%s", chess_error());
}

FIXTURE_TEARDOWN(look)
{
	chess_snapshot_free(self->shot);
	chess_look_free(self->look);
}

/* A child that runs @fn, which never returns. */
static pid_t blocked_in(void (*fn)(void *), void *arg)
{
	pid_t pid = fork();

	if (!pid) {
		fn(arg);
		TH_LOG("the child came back: %s", strerror(errno));
		_exit(1);
	}
	return pid;
}

static void take(struct look_fixture *self, const pid_t *tids, size_t n)
{
	chess_snapshot_free(self->shot);
	self->shot = NULL;
	ASSERT_TRUE(self->look);
	if (chess_look_take(self->look, tids, n, &self->shot))
		TH_LOG("%s", chess_error());
	ASSERT_TRUE(self->shot);
}

/*
 * Take snapshots until all of these sleep in system call @nr; the harness ends what
 * takes too long. Return: the first one.
 */
static const struct chess_look_task *await(struct look_fixture *self, const pid_t *tids, size_t n,
					   long nr)
{
	const struct chess_look_task *t;
	size_t i;

	for (;;) {
		take(self, tids, n);
		for (i = 0; i < n; i++) {
			t = chess_snapshot_task(self->shot, tids[i]);
			ASSERT_TRUE(t);
			ASSERT_SAME(0, t->exit_state);
			if (t->nr != nr || !(t->state & 1))
				break;
		}
		if (i == n)
			return chess_snapshot_task(self->shot, tids[0]);
		sched_yield();
	}
}

/* The row of a descriptor of ours. */
static const struct chess_look_file *mine(struct look_fixture *self, int fd)
{
	const struct chess_look_file *f;
	size_t i, n;

	f = chess_snapshot_files(self->shot, &n);
	for (i = 0; i < n; i++)
		if (f[i].tgid == (uint32_t)getpid() && f[i].fd == fd)
			return &f[i];
	return NULL;
}

static void expect_inode(const struct chess_look_file *f, int fd)
{
	struct stat st;

	ASSERT_SAME(0, fstat(fd, &st));
	EXPECT_SAME(st.st_ino, f->ino);
	EXPECT_SAME(major(st.st_dev), f->major);
	EXPECT_SAME(minor(st.st_dev), f->minor);
}

static int scratch_file(void)
{
	char name[] = "/tmp/look.XXXXXX";
	int fd = mkstemp(name);

	ASSERT_MOST(0, fd);
	unlink(name);
	return fd;
}

/* Tasks. */

static void do_pause(void *arg)
{
	sigset_t set;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_NAME, "pausing");
	syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 8L, 66L);
}

TEST_F(look, task_is_described)
{
	const struct chess_look_task *t;
	char path[64], wchan[64] = "";
	bool polls = false;
	uint64_t offset;
	const char *name;
	uint32_t i;
	pid_t pid;
	FILE *f;

	pid = blocked_in(do_pause, NULL);
	t = await(self, &pid, 1, SYS_ppoll);
	EXPECT_SAME(pid, t->tid);
	EXPECT_SAME(pid, t->tgid);
	EXPECT_SAME(66, t->args[5]);
	EXPECT_SAME(8, t->args[4]);
	EXPECT_STREQ("pausing", t->comm);
	EXPECT_OTHER(0, t->ip);
	EXPECT_OTHER(0, t->sp);
	EXPECT_SAME(CHESS_LOOK_TASK_REGS | CHESS_LOOK_TASK_INITNS, t->flags);
	EXPECT_SAME(1ul << (SIGUSR1 - 1), t->blocked);
	EXPECT_SAME(0, t->pending | t->shared_pending);
	EXPECT_SAME(0, t->waker.time);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));

	ASSERT_LESS(1, t->n_stack);
	for (i = 0; i < t->n_stack; i++) {
		name = chess_ksym(t->stack[i], &offset);
		ASSERT_TRUE(name);
		polls |= !!strstr(name, "sys_ppoll");
		EXPECT_LESS(offset, 1 << 16);
	}
	EXPECT_TRUE(polls);
	snprintf(path, sizeof(path), "/proc/%d/wchan", pid);
	f = fopen(path, "re");
	ASSERT_TRUE(f);
	ASSERT_TRUE(fgets(wchan, sizeof(wchan), f));
	fclose(f);
	EXPECT_STREQ(wchan, chess_ksym_wchan(t));

	kill(pid, SIGUSR1);
	syscall(SYS_tgkill, pid, pid, SIGUSR1);
	t = await(self, &pid, 1, SYS_ppoll);
	EXPECT_SAME(1ul << (SIGUSR1 - 1), t->shared_pending);
	EXPECT_SAME(1ul << (SIGUSR1 - 1), t->pending);
}

static void *sleeper(void *arg)
{
	*(pid_t *)arg = gettid();
	syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 8L, 0L);
	return NULL;
}

static void do_threads(void *arg)
{
	pid_t *tid = arg;
	pthread_t thread;

	pthread_create(&thread, NULL, sleeper, tid);
	syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 8L, 0L);
}

static void *shared_page(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

TEST_F(look, process_stands_for_its_threads)
{
	const struct chess_look_task *t;
	pid_t *tid = shared_page(), pid, both[2];
	size_t n;

	pid = blocked_in(do_threads, tid);
	while (!*(volatile pid_t *)tid)
		sched_yield();
	both[0] = pid;
	both[1] = *tid;
	await(self, both, 2, SYS_ppoll);
	take(self, &pid, 1);
	t = chess_snapshot_tasks(self->shot, &n);
	ASSERT_SAME(2, n);
	EXPECT_SAME(pid, t[0].tgid);
	EXPECT_SAME(pid, t[1].tgid);
	EXPECT_SAME(t[0].files, t[1].files);
	take(self, tid, 1);
	t = chess_snapshot_tasks(self->shot, &n);
	ASSERT_SAME(1, n);
	EXPECT_SAME(*tid, t->tid);
	EXPECT_SAME(pid, t->tgid);
	EXPECT_TRUE(chess_snapshot_is_wanted(self->shot, pid));
	EXPECT_FALSE(chess_snapshot_is_wanted(self->shot, getpid()));
}

static void do_wait(void *arg)
{
	pid_t *child = arg;

	*child = blocked_in(do_pause, NULL);
	syscall(SYS_wait4, -1, NULL, 0, NULL);
}

TEST_F(look, children_are_counted)
{
	const struct chess_look_task *t;
	pid_t *child = shared_page(), both[2];

	both[0] = blocked_in(do_wait, child);
	t = await(self, both, 1, SYS_wait4);
	EXPECT_SAME(1, t->children);
	EXPECT_SAME(1, t->children_outside);
	EXPECT_SAME(0, t->children_dead);
	both[1] = *child;
	await(self, both + 1, 1, SYS_ppoll);
	take(self, both, 2);
	t = chess_snapshot_task(self->shot, both[0]);
	ASSERT_TRUE(t);
	EXPECT_SAME(1, t->children);
	EXPECT_SAME(0, t->children_outside);

	both[1] = getpid();
	kill(both[0], SIGKILL);
	do {
		take(self, both, 2);
		t = chess_snapshot_task(self->shot, both[0]);
		ASSERT_TRUE(t);
	} while (!t->exit_state);
	/* The parent may have been read before that. */
	take(self, both, 2);
	t = chess_snapshot_task(self->shot, getpid());
	ASSERT_TRUE(t);
	EXPECT_SAME(1, t->children_dead);
	EXPECT_SAME(0, t->children_outside);
}

static void do_futex(void *arg)
{
	syscall(SYS_futex, arg, FUTEX_WAIT, 0, NULL, NULL, 0);
}

TEST_F(look, futex_is_in_the_arguments)
{
	const struct chess_look_task *t;
	void *word = shared_page();
	const char *name;
	pid_t pid;

	pid = blocked_in(do_futex, word);
	t = await(self, &pid, 1, SYS_futex);
	EXPECT_SAME((uint64_t)(uintptr_t)word, t->args[0]);
	EXPECT_SAME(FUTEX_WAIT, t->args[1]);
	name = chess_ksym_wchan(t);
	ASSERT_TRUE(name);
	EXPECT_TRUE(!strncmp(name, "futex", 5) || strstr(name, "futex"));
}

/* Pipes. */

static void do_read(void *arg)
{
	char c[8];

	if (read(*(int *)arg, c, sizeof(c)) < 0)
		perror("# read");
}

static void close_and_pause(void *arg)
{
	close(*(int *)arg);
	do_pause(NULL);
}

TEST_F(look, pipe_has_two_ends)
{
	const struct chess_look_file *r, *w, *f;
	const struct chess_look_task *t;
	pid_t pid, other;
	int fd[2];

	ASSERT_SAME(0, pipe(fd));
	pid = blocked_in(do_read, &fd[0]);
	other = blocked_in(close_and_pause, &fd[1]);
	await(self, &other, 1, SYS_ppoll);
	t = await(self, &pid, 1, SYS_read);
	EXPECT_SAME(fd[0], t->args[0]);
	r = chess_snapshot_fd(self->shot, t, fd[0]);
	ASSERT_TRUE(r);
	EXPECT_SAME(CHESS_LOOK_PIPE, r->kind);
	EXPECT_SAME(CHESS_LOOK_READ, r->mode);
	expect_inode(r, fd[0]);
	w = mine(self, fd[1]);
	ASSERT_TRUE(w);
	EXPECT_SAME(CHESS_LOOK_WRITE, w->mode);
	EXPECT_SAME(r->object, w->object);
	EXPECT_OTHER(r->file, w->file);
	EXPECT_SAME(r->pipe.head, r->pipe.tail);
	EXPECT_SAME(1, r->pipe.readers);
	EXPECT_SAME(1, r->pipe.writers);

	/* The reader itself and this process can write, the other cannot. */
	f = chess_snapshot_outsider(self->shot, r->object, CHESS_LOOK_WRITE, NULL);
	ASSERT_TRUE(f);
	EXPECT_SAME(getpid(), f->tgid);
	EXPECT_SAME(fd[1], f->fd);
	EXPECT_FALSE(chess_snapshot_outsider(self->shot, r->object, CHESS_LOOK_WRITE, f));
	f = chess_snapshot_outsider(self->shot, r->object, CHESS_LOOK_READ, NULL);
	ASSERT_TRUE(f);
	f = chess_snapshot_outsider(self->shot, r->object, CHESS_LOOK_READ, f);
	ASSERT_TRUE(f);
	EXPECT_FALSE(chess_snapshot_outsider(self->shot, r->object, CHESS_LOOK_READ, f));
	f = NULL;
	while ((f = chess_snapshot_holder(self->shot, r->object, CHESS_LOOK_WRITE, f)))
		EXPECT_OTHER(other, f->tgid);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ASSERT_SAME(1, write(fd[1], "x", 1));
	take(self, &other, 1);
	w = mine(self, fd[1]);
	ASSERT_TRUE(w);
	EXPECT_SAME(1, w->pipe.head - w->pipe.tail);
}

/* A thread may have a table of descriptors of its own. */
static void *own_table(void *arg)
{
	int *fd = arg;

	unshare(CLONE_FILES);
	close(fd[1]);
	do_read(&fd[0]);
	return NULL;
}

TEST_F(look, thread_may_have_files_of_its_own)
{
	const struct chess_look_task *t;
	const struct chess_look_file *f;
	pid_t both[2] = { getpid() };
	pthread_t thread;
	int fd[2];
	size_t i, n;

	ASSERT_SAME(0, pipe(fd));
	ASSERT_SAME(0, pthread_create(&thread, NULL, own_table, fd));
	do {
		take(self, both, 1);
		t = chess_snapshot_tasks(self->shot, &n);
		for (i = 0; i < n; i++)
			if (t[i].nr == SYS_read && t[i].state == 1)
				both[1] = t[i].tid;
	} while (!both[1]);
	t = chess_snapshot_task(self->shot, both[1]);
	ASSERT_TRUE(t);
	EXPECT_TRUE(chess_snapshot_fd(self->shot, t, fd[0]));
	EXPECT_FALSE(chess_snapshot_fd(self->shot, t, fd[1]));
	t = chess_snapshot_task(self->shot, both[0]);
	ASSERT_TRUE(t);
	f = chess_snapshot_fd(self->shot, t, fd[1]);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_WRITE, f->mode);
}

/* Sockets. */

TEST_F(look, unix_socket_has_a_peer)
{
	const struct chess_look_file *a, *b, *f;
	const struct chess_look_task *t;
	pid_t pid;
	int fd[2];

	ASSERT_SAME(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	ASSERT_SAME(5, send(fd[0], "12345", 5, 0));
	pid = blocked_in(do_read, &fd[0]);
	t = await(self, &pid, 1, SYS_read);
	a = chess_snapshot_fd(self->shot, t, fd[0]);
	b = mine(self, fd[1]);
	ASSERT_TRUE(a && b);
	EXPECT_SAME(CHESS_LOOK_UNIX, a->kind);
	EXPECT_SAME(AF_UNIX, a->sock.family);
	EXPECT_SAME(SOCK_STREAM, a->sock.type);
	EXPECT_SAME(b->object, a->sock.peer);
	EXPECT_SAME(a->object, b->sock.peer);
	EXPECT_OTHER(a->object, b->object);
	EXPECT_SAME(0, a->sock.queued_bytes);
	EXPECT_SAME(1, b->sock.queued);
	EXPECT_SAME(5, b->sock.queued_bytes);
	expect_inode(a, fd[0]);
	f = chess_snapshot_peer(self->shot, a, NULL);
	ASSERT_TRUE(f);
	EXPECT_SAME(fd[1], f->fd);
	/* Both processes have it. */
	EXPECT_TRUE(chess_snapshot_peer(self->shot, a, f));
}

static int listen_tcp(struct sockaddr_in *addr)
{
	socklen_t len = sizeof(*addr);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	memset(addr, 0, sizeof(*addr));
	addr->sin_family = AF_INET;
	addr->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ASSERT_SAME(0, bind(fd, (void *)addr, sizeof(*addr)));
	ASSERT_SAME(0, listen(fd, 4));
	ASSERT_SAME(0, getsockname(fd, (void *)addr, &len));
	return fd;
}

/* Nobody has started it in a VM. */
static void loopback_up(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	ASSERT_SAME(0, ioctl(fd, SIOCSIFFLAGS, &r));
	close(fd);
}

TEST_F(look, tcp_socket_has_a_peer)
{
	static const uint8_t loopback[16] = { [10] = 0xff, 0xff, 127, 0, 0, 1 };
	const struct chess_look_file *a, *b, *f;
	struct sockaddr_in addr, own;
	const struct chess_look_task *t;
	socklen_t len = sizeof(own);
	int listener, client, server;
	pid_t pid;

	loopback_up();
	listener = listen_tcp(&addr);
	client = socket(AF_INET, SOCK_STREAM, 0);
	ASSERT_SAME(0, connect(client, (void *)&addr, sizeof(addr)));
	/* One that nobody has accepted yet. */
	ASSERT_SAME(0, connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&addr, sizeof(addr)));
	server = accept(listener, NULL, NULL);
	ASSERT_MOST(0, server);
	ASSERT_SAME(7, send(client, "1234567", 7, 0));
	ASSERT_SAME(0, getsockname(client, (void *)&own, &len));
	pid = blocked_in(do_read, &client);
	t = await(self, &pid, 1, SYS_read);
	a = chess_snapshot_fd(self->shot, t, client);
	b = mine(self, server);
	ASSERT_TRUE(a && b);
	EXPECT_SAME(CHESS_LOOK_SOCKET, a->kind);
	EXPECT_SAME(IPPROTO_TCP, a->sock.protocol);
	EXPECT_SAME(ntohs(own.sin_port), a->sock.port);
	EXPECT_SAME(ntohs(addr.sin_port), a->sock.peer_port);
	EXPECT_SAME(0, memcmp(loopback, a->sock.address, 16));
	EXPECT_SAME(0, memcmp(loopback, a->sock.peer_address, 16));
	EXPECT_SAME(7, b->sock.queued_bytes);
	f = chess_snapshot_peer(self->shot, a, NULL);
	ASSERT_TRUE(f);
	EXPECT_SAME(b->object, f->object);
	f = chess_snapshot_peer(self->shot, b, NULL);
	ASSERT_TRUE(f);
	EXPECT_SAME(a->object, f->object);
	b = mine(self, listener);
	ASSERT_TRUE(b);
	EXPECT_SAME(1, b->sock.backlog);
	EXPECT_FALSE(chess_snapshot_peer(self->shot, b, NULL));
}

TEST_F(look, udp_socket_sends_to_somebody)
{
	struct sockaddr_in6 addr = { .sin6_family = AF_INET6 };
	const struct chess_look_file *a, *f;
	const struct chess_look_task *t;
	socklen_t len = sizeof(addr);
	int from, to;
	pid_t pid;

	loopback_up();
	to = socket(AF_INET6, SOCK_DGRAM, 0);
	ASSERT_SAME(0, bind(to, (void *)&addr, sizeof(addr)));
	ASSERT_SAME(0, getsockname(to, (void *)&addr, &len));
	addr.sin6_addr = (struct in6_addr)IN6ADDR_LOOPBACK_INIT;
	from = socket(AF_INET6, SOCK_DGRAM, 0);
	ASSERT_SAME(0, connect(from, (void *)&addr, sizeof(addr)));
	ASSERT_SAME(3, send(from, "123", 3, 0));
	ASSERT_SAME(4, send(from, "1234", 4, 0));
	pid = blocked_in(do_read, &from);
	t = await(self, &pid, 1, SYS_read);
	a = chess_snapshot_fd(self->shot, t, from);
	ASSERT_TRUE(a);
	EXPECT_SAME(IPPROTO_UDP, a->sock.protocol);
	f = chess_snapshot_peer(self->shot, a, NULL);
	ASSERT_TRUE(f);
	EXPECT_SAME(to, f->fd);
	EXPECT_SAME(2, f->sock.queued);
	EXPECT_SAME(7, f->sock.queued_bytes);
}

/* File locks. */

static void hold_flock(void *arg)
{
	/* An open file of its own, else it would be the same lock. */
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", *(int *)arg);
	fd = open(path, O_RDWR);
	flock(fd, LOCK_EX);
	do_pause(NULL);
}

TEST_F(look, flock_is_held_by)
{
	const struct chess_look_lock *l, *h;
	const struct chess_look_file *f;
	pid_t holder, both[2];
	int fd = scratch_file();
	size_t n;

	holder = blocked_in(hold_flock, &fd);
	await(self, &holder, 1, SYS_ppoll);
	both[0] = blocked_in(hold_flock, &fd);
	both[1] = blocked_in(hold_flock, &fd);
	await(self, both, 2, SYS_flock);
	l = chess_snapshot_lock_wait(self->shot, both[0]);
	ASSERT_TRUE(l);
	EXPECT_SAME(CHESS_LOOK_FLOCK, l->kind);
	EXPECT_SAME(1, l->write);
	EXPECT_SAME(both[0], l->tgid);
	h = chess_snapshot_conflict(self->shot, l, NULL);
	ASSERT_TRUE(h);
	EXPECT_SAME(holder, h->tgid);
	EXPECT_SAME(0, h->start);
	EXPECT_SAME(INT64_MAX, h->end);
	EXPECT_FALSE(chess_snapshot_conflict(self->shot, l, h));
	EXPECT_TRUE(chess_snapshot_lock_wait(self->shot, both[1]));
	EXPECT_FALSE(chess_snapshot_lock_wait(self->shot, holder));
	chess_snapshot_locks(self->shot, &n);
	EXPECT_SAME(3, n);
	f = mine(self, fd);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_LOCKED, f->kind);
	EXPECT_SAME(l->inode, f->object);
}

struct range {
	int fd, command;
	short type;
	long start, len;
};

static void hold_range(void *arg)
{
	const struct range *r = arg;
	struct flock fl = {
		.l_type = r->type, .l_whence = SEEK_SET, .l_start = r->start, .l_len = r->len,
	};
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", r->fd);
	fd = open(path, O_RDWR);
	if (fcntl(fd, r->command, &fl))
		perror("# fcntl");
	do_pause(NULL);
}

static void ranges(struct look_fixture *self, int command, unsigned int kind)
{
	int fd = scratch_file();
	struct range r[] = {
		{ fd, command, F_WRLCK, 10, 10 },
		{ fd, command, F_RDLCK, 100, 0 },
		{ fd, command, F_RDLCK, 15, 30 },
		/* Only another request is in its way: 10..19 ends before. */
		{ fd, command, F_WRLCK, 20, 5 },
	};
	const struct chess_look_lock *first, *second, *h;
	pid_t pid[4];

	pid[0] = blocked_in(hold_range, &r[0]);
	pid[1] = blocked_in(hold_range, &r[1]);
	await(self, pid, 2, SYS_ppoll);
	pid[2] = blocked_in(hold_range, &r[2]);
	await(self, pid + 2, 1, SYS_fcntl);
	first = chess_snapshot_lock_wait(self->shot, pid[2]);
	ASSERT_TRUE(first);
	EXPECT_SAME(kind, first->kind);
	EXPECT_SAME(0, first->write);
	EXPECT_SAME(15, first->start);
	EXPECT_SAME(44, first->end);
	h = chess_snapshot_conflict(self->shot, first, NULL);
	ASSERT_TRUE(h);
	EXPECT_SAME(pid[0], h->tgid);
	EXPECT_SAME(kind, h->kind);
	EXPECT_SAME(1, h->write);
	EXPECT_SAME(10, h->start);
	EXPECT_SAME(19, h->end);
	EXPECT_SAME(h->id, first->blocker);
	/* The other lock neither overlaps nor is for writing. */
	EXPECT_FALSE(chess_snapshot_conflict(self->shot, first, h));

	/* Behind the holder, and behind who waits already. */
	r[3].start = 18;
	pid[3] = blocked_in(hold_range, &r[3]);
	await(self, pid + 2, 2, SYS_fcntl);
	first = chess_snapshot_lock_wait(self->shot, pid[2]);
	second = chess_snapshot_lock_wait(self->shot, pid[3]);
	ASSERT_TRUE(first && second);
	EXPECT_SAME(first->id, second->blocker);
	EXPECT_SAME(pid[3], second->tid);
	EXPECT_SAME(18, second->start);
	EXPECT_SAME(22, second->end);
	h = chess_snapshot_conflict(self->shot, second, NULL);
	ASSERT_TRUE(h);
	EXPECT_SAME(pid[0], h->tgid);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));
}

TEST_F(look, posix_lock_has_a_range)
{
	ranges(self, F_SETLKW, CHESS_LOOK_POSIX);
}

TEST_F(look, ofd_lock_has_a_range)
{
	ranges(self, F_OFD_SETLKW, CHESS_LOOK_OFD);
}

TEST_F(look, too_many_locks_are_said)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	int fd = scratch_file(), i;
	pid_t pid = getpid();
	size_t n;

	for (i = 0; i < CHESS_LOOK_LOCKS; i++, fl.l_start += 2)
		ASSERT_SAME(0, fcntl(fd, F_SETLK, &fl));
	take(self, &pid, 1);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));
	chess_snapshot_locks(self->shot, &n);
	EXPECT_SAME(CHESS_LOOK_LOCKS, n);
	for (i = 0; i < 10; i++, fl.l_start += 2)
		ASSERT_SAME(0, fcntl(fd, F_SETLK, &fl));
	take(self, &pid, 1);
	EXPECT_SAME(CHESS_LOST_OBJECTS, chess_snapshot_lost(self->shot));
	chess_snapshot_locks(self->shot, &n);
	EXPECT_MOST(CHESS_LOOK_LOCKS, n);
}

/* Descriptors that are only events. */

TEST_F(look, eventfd_has_a_count)
{
	const struct chess_look_file *f, *g;
	const struct chess_look_task *t;
	int empty = eventfd(0, 0), full = eventfd(7, EFD_SEMAPHORE);
	char path[64], line[128];
	int id = -1;
	pid_t pid;
	FILE *in;

	pid = blocked_in(do_read, &empty);
	t = await(self, &pid, 1, SYS_read);
	f = chess_snapshot_fd(self->shot, t, empty);
	g = mine(self, empty);
	ASSERT_TRUE(f && g);
	EXPECT_SAME(CHESS_LOOK_EVENTFD, f->kind);
	EXPECT_SAME(f->object, g->object);
	EXPECT_SAME(0, f->eventfd.count);
	EXPECT_SAME(0, f->eventfd.semaphore);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", empty);
	in = fopen(path, "re");
	ASSERT_TRUE(in);
	while (fgets(line, sizeof(line), in))
		sscanf(line, "eventfd-id: %d", &id);
	fclose(in);
	EXPECT_SAME(id, f->eventfd.id);
	g = mine(self, full);
	ASSERT_TRUE(g);
	EXPECT_SAME(7, g->eventfd.count);
	EXPECT_SAME(1, g->eventfd.semaphore);
	EXPECT_OTHER(f->object, g->object);
}

TEST_F(look, timerfd_signalfd_pidfd)
{
	struct itimerspec hour = { .it_value.tv_sec = 3600 };
	const struct chess_look_file *f;
	pid_t pid = getpid();
	int t, s, p, idle;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	t = timerfd_create(CLOCK_MONOTONIC, 0);
	idle = timerfd_create(CLOCK_REALTIME, 0);
	ASSERT_SAME(0, timerfd_settime(t, 0, &hour, NULL));
	s = signalfd(-1, &set, 0);
	p = syscall(SYS_pidfd_open, getppid(), 0);
	ASSERT_MOST(0, p);
	take(self, &pid, 1);
	f = mine(self, t);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_TIMERFD, f->kind);
	EXPECT_SAME(CLOCK_MONOTONIC, f->timerfd.clock);
	EXPECT_SAME(1, f->timerfd.armed);
	EXPECT_SAME(0, f->timerfd.ticks);
	f = mine(self, idle);
	ASSERT_TRUE(f);
	EXPECT_SAME(0, f->timerfd.armed);
	f = mine(self, s);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_SIGNALFD, f->kind);
	EXPECT_SAME(1ul << (SIGUSR2 - 1), f->signalfd.signals);
	f = mine(self, p);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_PIDFD, f->kind);
	EXPECT_SAME(getppid(), f->pidfd.tid);
}

static void do_epoll(void *arg)
{
	struct epoll_event e;

	syscall(SYS_epoll_wait, *(int *)arg, &e, 1, -1);
}

TEST_F(look, epoll_set_has_members)
{
	struct epoll_event in = { .events = EPOLLIN }, out = { .events = EPOLLOUT | EPOLLET };
	int set = epoll_create1(0), event = eventfd(0, 0), fd[2], sock[2];
	const struct chess_look_member *m;
	const struct chess_look_file *f, *g;
	const struct chess_look_task *t;
	uint64_t object;
	size_t n;
	pid_t pid;

	ASSERT_SAME(0, pipe(fd));
	ASSERT_SAME(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	ASSERT_SAME(0, epoll_ctl(set, EPOLL_CTL_ADD, fd[0], &in));
	ASSERT_SAME(0, epoll_ctl(set, EPOLL_CTL_ADD, event, &in));
	pid = blocked_in(do_epoll, &set);
	t = await(self, &pid, 1, SYS_epoll_wait);
	f = chess_snapshot_fd(self->shot, t, set);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_EPOLL, f->kind);
	g = mine(self, set);
	ASSERT_TRUE(g);
	EXPECT_SAME(f->object, g->object);
	object = f->object;
	m = chess_snapshot_set(self->shot, object, &n);
	ASSERT_SAME(2, n);
	/* In order of descriptor. */
	EXPECT_SAME(event, m[0].fd);
	EXPECT_SAME(CHESS_LOOK_EVENTFD, m[0].kind);
	g = mine(self, event);
	ASSERT_TRUE(g);
	EXPECT_SAME(g->object, m[0].object);
	EXPECT_SAME(fd[0], m[1].fd);
	EXPECT_SAME(CHESS_LOOK_PIPE, m[1].kind);
	/* epoll adds these two to every member. */
	EXPECT_SAME(EPOLLIN | EPOLLERR | EPOLLHUP, m[1].events);
	g = mine(self, fd[1]);
	ASSERT_TRUE(g);
	EXPECT_SAME(g->object, m[1].object);
	EXPECT_SAME(mine(self, fd[0])->file, m[1].file);
	EXPECT_TRUE(chess_snapshot_outsider(self->shot, m[1].object, CHESS_LOOK_WRITE, NULL));

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	out.data.fd = sock[0];
	ASSERT_SAME(0, epoll_ctl(set, EPOLL_CTL_ADD, sock[0], &out));
	pid = getpid();
	take(self, &pid, 1);
	m = chess_snapshot_set(self->shot, object, &n);
	ASSERT_SAME(3, n);
	EXPECT_SAME(CHESS_LOOK_UNIX, m[2].kind);
	EXPECT_SAME(EPOLLOUT | EPOLLET | EPOLLERR | EPOLLHUP, m[2].events);
}

TEST_F(look, epoll_set_is_walked_whole)
{
	struct epoll_event in = { .events = EPOLLIN };
	int set = epoll_create1(0), zero = open("/dev/zero", O_RDONLY), tty, fd[2], i;
	const struct chess_look_member *m;
	pid_t pid = getpid();
	size_t n;

	(void)zero;
	ASSERT_SAME(0, pipe(fd));
	tty = fd[0];
	for (i = 0; i < CHESS_LOOK_MEMBERS - 2; i++)
		ASSERT_SAME(0, epoll_ctl(set, EPOLL_CTL_ADD, dup(tty), &in));
	take(self, &pid, 1);
	ASSERT_TRUE(mine(self, set));
	m = chess_snapshot_set(self->shot, mine(self, set)->object, &n);
	ASSERT_SAME(CHESS_LOOK_MEMBERS - 2, n);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));
	for (i = 1; i < (int)n; i++)
		EXPECT_SAME(m[i - 1].fd + 1, m[i].fd);
	for (i = 0; i < 3; i++)
		ASSERT_SAME(0, epoll_ctl(set, EPOLL_CTL_ADD, dup(tty), &in));
	take(self, &pid, 1);
	EXPECT_SAME(CHESS_LOST_OBJECTS, chess_snapshot_lost(self->shot));
}

/* Message queues and semaphores. */

static void do_mq_receive(void *arg)
{
	char text[64];

	mq_receive(*(mqd_t *)arg, text, sizeof(text), NULL);
}

static void do_mq_send(void *arg)
{
	for (;;)
		mq_send(*(mqd_t *)arg, "x", 1, 0);
}

TEST_F(look, mqueue_has_waiters)
{
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 64 };
	const struct chess_look_mq_wait *w;
	const struct chess_look_task *t;
	const struct chess_look_file *f;
	mqd_t empty, full;
	pid_t pid[2];
	char name[32];
	size_t n;

	snprintf(name, sizeof(name), "/look-%d", getpid());
	empty = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
	ASSERT_MOST(0, empty);
	mq_unlink(name);
	full = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
	ASSERT_MOST(0, full);
	mq_unlink(name);
	pid[0] = blocked_in(do_mq_receive, &empty);
	pid[1] = blocked_in(do_mq_send, &full);
	await(self, pid, 1, SYS_mq_timedreceive);
	await(self, pid + 1, 1, SYS_mq_timedsend);
	take(self, pid, 2);
	t = chess_snapshot_task(self->shot, pid[0]);
	ASSERT_TRUE(t);
	f = chess_snapshot_fd(self->shot, t, empty);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_MQUEUE, f->kind);
	EXPECT_SAME(0, f->mqueue.messages);
	EXPECT_SAME(2, f->mqueue.most);
	f = mine(self, full);
	ASSERT_TRUE(f);
	EXPECT_SAME(2, f->mqueue.messages);
	w = chess_snapshot_mq_waits(self->shot, &n);
	ASSERT_SAME(2, n);
	if (w[0].sends) {
		EXPECT_SAME(pid[1], w[0].tid);
		EXPECT_SAME(pid[0], w[1].tid);
		EXPECT_SAME(f->object, w[0].object);
		EXPECT_SAME(0, w[1].sends);
	} else {
		EXPECT_SAME(pid[0], w[0].tid);
		EXPECT_SAME(pid[1], w[1].tid);
		EXPECT_SAME(1, w[1].sends);
		EXPECT_SAME(f->object, w[1].object);
	}
}

static int sem_set;

static void do_semop(void *arg)
{
	syscall(SYS_semop, sem_set, arg, 1);
}

static void do_semop2(void *arg)
{
	syscall(SYS_semop, sem_set, arg, 2);
}

static const struct chess_look_ipc *find_ipc(struct look_fixture *self, int type, int id,
					     uint32_t num)
{
	const struct chess_look_ipc *r;
	size_t i, n;

	r = chess_snapshot_ipc(self->shot, &n);
	for (i = 0; i < n; i++)
		if ((int)r[i].type == type && r[i].id == id && r[i].num == num)
			return &r[i];
	return NULL;
}

TEST_F(look, semaphore_has_waiters)
{
	struct sembuf take_one = { .sem_num = 2, .sem_op = -1 };
	struct sembuf two[2] = { { .sem_num = 0, .sem_op = -1 }, { .sem_num = 1, .sem_op = -3 } };
	struct sembuf till_zero = { .sem_num = 0, .sem_op = 0 }, give = { .sem_num = 0, .sem_op = 4 };
	const struct chess_look_ipc *r;
	const struct chess_look_task *t;
	pid_t pid[3];

	/* So many that their index is a tree of more than one node. */
	for (int i = 0; i < 70; i++)
		sem_set = semget(IPC_PRIVATE, 1, 0600);
	sem_set = semget(0x4711, 3, IPC_CREAT | 0600);
	ASSERT_MOST(0, sem_set);
	ASSERT_SAME(0, semop(sem_set, &give, 1));
	pid[0] = blocked_in(do_semop, &take_one);
	pid[1] = blocked_in(do_semop, &till_zero);
	await(self, pid, 2, SYS_semop);
	pid[2] = blocked_in(do_semop2, two);
	t = await(self, pid, 3, SYS_semop);
	r = find_ipc(self, CHESS_LOOK_SEM, sem_set, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(4, r->sem.value);
	EXPECT_SAME(0x4711, r->key);
	EXPECT_SAME(getpid(), r->sem.last);
	EXPECT_SAME(t->ipc_ns, r->ns);
	r = find_ipc(self, CHESS_LOOK_SEM, sem_set, 2);
	ASSERT_TRUE(r);
	EXPECT_SAME(0, r->sem.value);
	r = find_ipc(self, CHESS_LOOK_SEM_WAIT, sem_set, 2);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[0], r->sem_wait.tid);
	EXPECT_SAME(-1, r->sem_wait.op);
	EXPECT_SAME(1, r->sem_wait.alter);
	EXPECT_SAME(1, r->sem_wait.nsops);
	r = find_ipc(self, CHESS_LOOK_SEM_WAIT, sem_set, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[1], r->sem_wait.tid);
	EXPECT_SAME(0, r->sem_wait.alter);
	r = find_ipc(self, CHESS_LOOK_SEM_WAIT, sem_set, 1);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[2], r->sem_wait.tid);
	EXPECT_SAME(-3, r->sem_wait.op);
	EXPECT_SAME(2, r->sem_wait.nsops);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));
}

struct message {
	long type;
	char text[64];
};

static void do_msgrcv(void *arg)
{
	struct message m;

	msgrcv(*(int *)arg, &m, sizeof(m.text), 5, 0);
}

static void do_msgsnd(void *arg)
{
	struct message m = { .type = 3 };

	for (;;)
		msgsnd(*(int *)arg, &m, 64, 0);
}

TEST_F(look, message_queue_has_waiters)
{
	int empty = msgget(IPC_PRIVATE, 0600), full = msgget(IPC_PRIVATE, 0600);
	const struct chess_look_ipc *r;
	struct msqid_ds ds;
	pid_t pid[2];

	ASSERT_SAME(0, msgctl(full, IPC_STAT, &ds));
	ds.msg_qbytes = 128;
	ASSERT_SAME(0, msgctl(full, IPC_SET, &ds));
	pid[0] = blocked_in(do_msgrcv, &empty);
	pid[1] = blocked_in(do_msgsnd, &full);
	await(self, pid, 1, SYS_msgrcv);
	await(self, pid + 1, 1, SYS_msgsnd);
	take(self, pid, 2);
	r = find_ipc(self, CHESS_LOOK_MSG, empty, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(0, r->msg.messages);
	r = find_ipc(self, CHESS_LOOK_MSG_RECEIVER, empty, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[0], r->msg_wait.tid);
	EXPECT_SAME(5, r->msg_wait.what);
	r = find_ipc(self, CHESS_LOOK_MSG, full, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(2, r->msg.messages);
	EXPECT_SAME(128, r->msg.bytes);
	EXPECT_SAME(128, r->msg.most_bytes);
	EXPECT_SAME(pid[1], r->msg.last_sender);
	r = find_ipc(self, CHESS_LOOK_MSG_SENDER, full, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[1], r->msg_wait.tid);
	EXPECT_SAME(64, r->msg_wait.what);
}

/* Wakers. */

static void read_for_ever(void *arg)
{
	char c;

	while (read(*(int *)arg, &c, 1) == 1)
		;
}

static void nap_and_read(void *arg)
{
	int *fd = arg;

	usleep(10000);
	read_for_ever(fd);
}

TEST_F(look, waker_is_noted)
{
	const struct chess_look_task *t;
	struct utsname u;
	pid_t pid;
	int fd[2];

	ASSERT_SAME(0, pipe(fd));
	pid = blocked_in(read_for_ever, &fd[0]);
	t = await(self, &pid, 1, SYS_read);
	EXPECT_SAME(0, t->waker.time);
	ASSERT_SAME(0, chess_look_watch(self->look, &pid, 1));
	prctl(PR_SET_NAME, "waking");
	ASSERT_SAME(1, write(fd[1], "x", 1));
	do {
		t = await(self, &pid, 1, SYS_read);
	} while (!t->waker.time);
	EXPECT_SAME(getpid(), t->waker.tid);
	EXPECT_STREQ("waking", t->waker.comm);
	EXPECT_SAME(0, t->waker.interrupt);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);

	/* A timer's waker is an interrupt; with PREEMPT_RT it is a thread. */
	pid = blocked_in(nap_and_read, fd);
	ASSERT_SAME(0, chess_look_watch(self->look, &pid, 1));
	t = await(self, &pid, 1, SYS_read);
	uname(&u);
	if (t->waker.time && !strstr(u.version, "PREEMPT_RT"))
		EXPECT_TRUE(t->waker.interrupt & CHESS_LOOK_HARDIRQ);

	/* Off: nothing is noted any more. */
	ASSERT_SAME(0, chess_look_watch(self->look, NULL, 0));
	ASSERT_SAME(1, write(fd[1], "x", 1));
	t = await(self, &pid, 1, SYS_read);
	EXPECT_SAME(0, t->waker.time);
}

/* Namespaces, rights, limits. */

TEST_F(look, numbers_are_of_the_callers_namespace)
{
	const struct chess_look_lock *l;
	const struct chess_look_task *t;
	int fd = scratch_file(), status;
	pid_t pid, holder;

	ASSERT_SAME(0, unshare(CLONE_NEWPID));
	pid = fork();
	if (!pid) {
		ASSERT_SAME(1, getpid());
		holder = blocked_in(hold_flock, &fd);
		t = await(self, &holder, 1, SYS_ppoll);
		EXPECT_SAME(holder, t->tid);
		EXPECT_LESS(t->tid, t->gtid);
		EXPECT_SAME(0, t->flags & CHESS_LOOK_TASK_INITNS);
		pid = blocked_in(hold_flock, &fd);
		await(self, &pid, 1, SYS_flock);
		l = chess_snapshot_lock_wait(self->shot, pid);
		ASSERT_TRUE(l);
		l = chess_snapshot_conflict(self->shot, l, NULL);
		ASSERT_TRUE(l);
		EXPECT_SAME(holder, l->tgid);
		_exit(harness_result);
	}
	ASSERT_SAME(pid, waitpid(pid, &status, 0));
	EXPECT_SAME(0, status);
}

static int set_caps(uint64_t caps)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = {
		{ .effective = caps, .permitted = caps },
		{ .effective = caps >> 32, .permitted = caps >> 32 },
	};

	return syscall(SYS_capset, &h, d);
}

TEST(two_capabilities_are_enough)
{
	struct look_fixture self = { 0 };
	const struct chess_look_task *t;
	pid_t pid = blocked_in(do_pause, NULL);

	ASSERT_SAME(0, set_caps(1ull << CAP_BPF | 1ull << CAP_PERFMON));
	self.look = chess_look_new();
	if (!self.look)
		TH_LOG("%s", chess_error());
	ASSERT_TRUE(self.look);
	t = await(&self, &pid, 1, SYS_ppoll);
	EXPECT_OTHER(0, t->n_stack);
	EXPECT_SAME(0, chess_look_watch(self.look, &pid, 1));
	chess_snapshot_free(self.shot);
	chess_look_free(self.look);
}

TEST(without_rights_it_says_so)
{
	ASSERT_SAME(0, set_caps(0));
	EXPECT_FALSE(chess_look_new());
	EXPECT_SAME(EPERM, errno);
	EXPECT_TRUE(strstr(chess_error(), "CAP_BPF"));
}

TEST_F(look, too_many_tasks_are_refused)
{
	pid_t *many = calloc(CHESS_LOOK_WANTED + 1, sizeof(*many));

	ASSERT_TRUE(many && self->look);
	EXPECT_SAME(-E2BIG, chess_look_take(self->look, many, CHESS_LOOK_WANTED + 1, &self->shot));
	free(many);
}

TEST_F(look, gone_task_is_left_out)
{
	pid_t pid = fork();
	size_t n;

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	take(self, &pid, 1);
	chess_snapshot_tasks(self->shot, &n);
	EXPECT_FALSE(n);
	EXPECT_FALSE(chess_snapshot_task(self->shot, pid));
}

TEST_HARNESS_MAIN
