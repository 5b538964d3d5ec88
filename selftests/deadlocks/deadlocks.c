// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deadlocks of fifteen kinds, one by name. Each comes about under the default policy
 * already; what is tested is the report. A comment on a line says who stands there in
 * the end, "NAME Tn waits", or did there what makes it the one waited for, "NAME Tn
 * has": deadlocks.sh compares them with the report.
 */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <stdint.h>
#include <unistd.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(2); } } while (0)

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
		       c = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, s = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int p[2], q[2];

/* Everybody has come this far. */
static pthread_barrier_t met;

static void thread(void *(*fn)(void *))
{
	pthread_t t;

	CHECK(!pthread_create(&t, NULL, fn, NULL));
}

static void put(int fd)
{
	CHECK(write(fd, "x", 1) == 1);
}

static void get(int fd)
{
	char x;

	CHECK(read(fd, &x, 1) == 1);
}

/* --- locks ---------------------------------------------------------------- */

static void *mutexes2_other(void *arg)
{
	pthread_mutex_lock(&b);		/* mutexes2 T1 has */
	pthread_barrier_wait(&met);
	pthread_mutex_lock(&a);		/* mutexes2 T1 waits */
	return arg;
}

static void mutexes2(void)
{
	pthread_barrier_init(&met, NULL, 2);
	thread(mutexes2_other);
	pthread_mutex_lock(&a);		/* mutexes2 T0 has */
	pthread_barrier_wait(&met);
	pthread_mutex_lock(&b);		/* mutexes2 T0 waits */
}

static void *mutexes3_second(void *arg)
{
	pthread_mutex_lock(&b);		/* mutexes3 T1 has */
	pthread_barrier_wait(&met);
	pthread_mutex_lock(&c);		/* mutexes3 T1 waits */
	return arg;
}

static void *mutexes3_third(void *arg)
{
	pthread_mutex_lock(&c);		/* mutexes3 T2 has */
	pthread_barrier_wait(&met);
	pthread_mutex_lock(&a);		/* mutexes3 T2 waits */
	return arg;
}

static void mutexes3(void)
{
	pthread_barrier_init(&met, NULL, 3);
	thread(mutexes3_second);
	thread(mutexes3_third);
	pthread_mutex_lock(&a);		/* mutexes3 T0 has */
	pthread_barrier_wait(&met);
	pthread_mutex_lock(&b);		/* mutexes3 T0 waits */
}

static void *rwlocks_other(void *arg)
{
	pthread_rwlock_rdlock(&s);	/* rwlocks T1 has */
	pthread_barrier_wait(&met);
	pthread_rwlock_wrlock(&r);	/* rwlocks T1 waits */
	return arg;
}

static void rwlocks(void)
{
	pthread_barrier_init(&met, NULL, 2);
	thread(rwlocks_other);
	pthread_rwlock_rdlock(&r);	/* rwlocks T0 has */
	pthread_barrier_wait(&met);
	pthread_rwlock_wrlock(&s);	/* rwlocks T0 waits */
}

/* --- files ---------------------------------------------------------------- */

/* Each asks, is answered once, and then both wait for the other one's question. */
static void *pipes_other(void *arg)
{
	char x;

	get(p[0]);
	write(q[1], "x", 1);		/* pipes T1 has */
	read(p[0], &x, 1);		/* pipes T1 waits */
	return arg;
}

static void pipes(void)
{
	char x;

	CHECK(!pipe(p) && !pipe(q));
	thread(pipes_other);
	write(p[1], "x", 1);		/* pipes T0 has */
	get(q[0]);
	read(q[0], &x, 1);		/* pipes T0 waits */
}

static void sockets(void)
{
	int pair[2];
	char x;

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	if (!fork()) {
		close(pair[0]);
		CHECK(recv(pair[1], &x, 1, 0) == 1);
		CHECK(send(pair[1], "x", 1, 0) == 1);	/* sockets T1 has */
		recv(pair[1], &x, 1, 0);		/* sockets T1 waits */
		_exit(0);
	}
	close(pair[1]);
	CHECK(send(pair[0], "x", 1, 0) == 1);		/* sockets T0 has */
	CHECK(recv(pair[0], &x, 1, 0) == 1);
	recv(pair[0], &x, 1, 0);			/* sockets T0 waits */
}

static int scratch(void)
{
	char name[] = "/tmp/chess-deadlock-XXXXXX";
	int fd = mkstemp(name);

	CHECK(fd >= 0);
	unlink(name);
	return fd;
}

/* A description of its own, as locks belong to these. */
static int again(int fd)
{
	char name[40];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	fd = open(name, O_RDWR);
	CHECK(fd >= 0);
	return fd;
}

static void flocks(void)
{
	int x = scratch(), y = scratch();

	CHECK(!pipe(p) && !pipe(q));
	if (!fork()) {
		x = again(x);
		y = again(y);
		flock(y, LOCK_EX);	/* flocks T1 has */
		put(p[1]);
		get(q[0]);
		flock(x, LOCK_EX);	/* flocks T1 waits */
		_exit(0);
	}
	flock(x, LOCK_EX);		/* flocks T0 has */
	put(q[1]);
	get(p[0]);
	flock(y, LOCK_EX);		/* flocks T0 waits */
}

/* Of the description, since the kernel itself refuses such a cycle of process locks. */
static void ranges(void)
{
	struct flock low = { .l_type = F_WRLCK, .l_start = 0, .l_len = 10 };
	struct flock high = { .l_type = F_WRLCK, .l_start = 100, .l_len = 10 };
	int x = scratch();

	CHECK(!pipe(p) && !pipe(q));
	if (!fork()) {
		x = again(x);
		fcntl(x, F_OFD_SETLKW, &high);	/* ranges T1 has */
		put(p[1]);
		get(q[0]);
		fcntl(x, F_OFD_SETLKW, &low);	/* ranges T1 waits */
		_exit(0);
	}
	fcntl(x, F_OFD_SETLKW, &low);		/* ranges T0 has */
	put(q[1]);
	get(p[0]);
	fcntl(x, F_OFD_SETLKW, &high);		/* ranges T0 waits */
}

static void child(void)
{
	CHECK(!pipe(p));
	if (!fork()) {			/* child T1 has */
		get(p[0]);
		read(p[0], &p[1], 1);	/* child T1 waits */
		_exit(0);
	}
	write(p[1], "x", 1);		/* child T0 has */
	waitpid(-1, NULL, 0);		/* child T0 waits */
}

static int watch(int fd)
{
	struct epoll_event e = { .events = EPOLLIN };
	int set = epoll_create1(0);

	CHECK(set >= 0 && !epoll_ctl(set, EPOLL_CTL_ADD, fd, &e));
	return set;
}

static void *epolls_other(void *arg)
{
	struct epoll_event e;
	int set = watch(p[0]);

	epoll_wait(set, &e, 1, -1);
	get(p[0]);
	write(q[1], "x", 1);		/* epolls T1 has */
	epoll_wait(set, &e, 1, -1);	/* epolls T1 waits */
	return arg;
}

static void epolls(void)
{
	struct epoll_event e;
	int set;

	CHECK(!pipe(p) && !pipe(q));
	set = watch(q[0]);
	thread(epolls_other);
	write(p[1], "x", 1);		/* epolls T0 has */
	epoll_wait(set, &e, 1, -1);
	get(q[0]);
	epoll_wait(set, &e, 1, -1);	/* epolls T0 waits */
}

static void *eventfds_other(void *arg)
{
	uint64_t n = 1;

	read(p[0], &n, sizeof(n));
	write(q[0], &n, sizeof(n));	/* eventfds T1 has */
	read(p[0], &n, sizeof(n));	/* eventfds T1 waits */
	return arg;
}

static void eventfds(void)
{
	uint64_t n = 1;

	p[0] = eventfd(0, 0);
	q[0] = eventfd(0, 0);
	thread(eventfds_other);
	write(p[0], &n, sizeof(n));	/* eventfds T0 has */
	read(q[0], &n, sizeof(n));
	read(q[0], &n, sizeof(n));	/* eventfds T0 waits */
}

/* --- between processes ------------------------------------------------------ */

static void semaphores(void)
{
	sem_t *sem = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(!pipe(p) && !pipe(q));
	sem_init(&sem[0], 1, 1);
	sem_init(&sem[1], 1, 1);
	if (!fork()) {
		sem_wait(&sem[1]);	/* semaphores T1 has */
		put(p[1]);
		get(q[0]);
		sem_wait(&sem[0]);	/* semaphores T1 waits */
		_exit(0);
	}
	sem_wait(&sem[0]);		/* semaphores T0 has */
	put(q[1]);
	get(p[0]);
	sem_wait(&sem[1]);		/* semaphores T0 waits */
}

/* Two sets, for the record tells sets and not the semaphores in them. */
static void sysv(void)
{
	int x = semget(IPC_PRIVATE, 1, 0600), y = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf up = { .sem_op = 1 }, down = { .sem_op = -1 };

	CHECK(x >= 0 && y >= 0 && !pipe(p) && !pipe(q));
	CHECK(!semop(x, &up, 1) && !semop(y, &up, 1));
	if (!fork()) {
		semop(y, &down, 1);	/* sysv T1 has */
		put(p[1]);
		get(q[0]);
		semop(x, &down, 1);	/* sysv T1 waits */
		_exit(0);
	}
	semop(x, &down, 1);		/* sysv T0 has */
	put(q[1]);
	get(p[0]);
	semop(y, &down, 1);		/* sysv T0 waits */
}

static mqd_t queue(const char *name)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	mqd_t m = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);

	CHECK(m >= 0);
	return m;
}

static void queues(void)
{
	mqd_t x = queue("/deadlock-x"), y = queue("/deadlock-y");
	char text;

	if (!fork()) {
		CHECK(mq_receive(x, &text, 1, NULL) == 1);
		mq_send(y, "x", 1, 0);		/* queues T1 has */
		mq_receive(x, &text, 1, NULL);	/* queues T1 waits */
		_exit(0);
	}
	mq_send(x, "x", 1, 0);			/* queues T0 has */
	CHECK(mq_receive(y, &text, 1, NULL) == 1);
	mq_receive(y, &text, 1, NULL);		/* queues T0 waits */
}

/* --- others ----------------------------------------------------------------- */

static void *condvar_other(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_cond_wait(&filled, &a);	/* condvar T1 waits */
	pthread_mutex_unlock(&a);
	return arg;
}

static void condvar(void)
{
	pthread_t t;

	pthread_create(&t, NULL, condvar_other, NULL);	/* condvar T1 has */
	pthread_join(t, NULL);		/* condvar T0 waits */
}

/* It reads with the lock held that the writer needs. */
static void *mixed_other(void *arg)
{
	write(p[1], "x", 1);		/* mixed T1 has */
	pthread_barrier_wait(&met);
	pthread_mutex_lock(&a);		/* mixed T1 waits */
	put(p[1]);
	return arg;
}

static void mixed(void)
{
	CHECK(!pipe(p));
	pthread_barrier_init(&met, NULL, 2);
	thread(mixed_other);
	pthread_mutex_lock(&a);		/* mixed T0 has */
	pthread_barrier_wait(&met);
	get(p[0]);
	read(p[0], q, 1);		/* mixed T0 waits */
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {
#define CASE(name) { #name, name }
		CASE(mutexes2), CASE(mutexes3), CASE(rwlocks), CASE(pipes), CASE(sockets),
		CASE(flocks), CASE(ranges), CASE(child), CASE(semaphores), CASE(sysv),
		CASE(condvar), CASE(epolls), CASE(eventfds), CASE(queues), CASE(mixed),
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (argc < 2)
			puts(cases[i].name);
		else if (!strcmp(argv[1], cases[i].name))
			return cases[i].run(), 0;
	}
	return argc < 2 ? 0 : 2;
}
