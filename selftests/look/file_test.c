// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks block in descriptors, and the snapshot has to say which object that is and
 * who is at its other end.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include "fixture.h"

/* Pipes. */

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

TEST_HARNESS_MAIN
