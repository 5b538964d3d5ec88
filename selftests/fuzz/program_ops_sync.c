// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of fuzzed programs in which threads wait for each other: locks, semaphores,
 * futexes, pipes, sockets, signals to a thread. See program.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static void wait_sem(sem_t *s)
{
	while (sem_wait(s) && errno == EINTR)
		;
}

static long futex(volatile uint32_t *word, int op, uint32_t value, const struct timespec *t)
{
	return syscall(SYS_futex, word, op, value, t, NULL, 0);
}

static int mutex_count(struct ctx *c)
{
	unsigned int i, n = 1 + below(c, 3);

	for (i = 0; i < n; i++) {
		pthread_mutex_lock(&c->slot->mutex);
		c->slot->count++;
		pthread_mutex_unlock(&c->slot->mutex);
	}
	pthread_barrier_wait(&c->slot->barrier);
	return c->slot->count;
}

static int rwlock_count(struct ctx *c)
{
	pthread_rwlock_rdlock(&c->slot->rwlock);
	pthread_rwlock_unlock(&c->slot->rwlock);
	pthread_rwlock_wrlock(&c->slot->rwlock);
	c->slot->count += 3;
	pthread_rwlock_unlock(&c->slot->rwlock);
	pthread_barrier_wait(&c->slot->barrier);
	return c->slot->count;
}

static int atomic_count(struct ctx *c)
{
	__atomic_add_fetch(&c->slot->count, 1 + c->me, __ATOMIC_SEQ_CST);
	sched_yield();
	pthread_barrier_wait(&c->slot->barrier);
	return c->slot->count;
}

/* The last one wakes the others. */
static int cond_all(struct ctx *c)
{
	pthread_mutex_lock(&c->slot->mutex);
	if (++c->slot->count == c->parties)
		pthread_cond_broadcast(&c->slot->cond);
	while (c->slot->count < c->parties)
		pthread_cond_wait(&c->slot->cond, &c->slot->mutex);
	pthread_mutex_unlock(&c->slot->mutex);
	return c->slot->count;
}

static int futex_all(struct ctx *c)
{
	uint32_t seen;

	if (__atomic_add_fetch(&c->slot->word, 1, __ATOMIC_SEQ_CST) == c->parties)
		futex(&c->slot->word, FUTEX_WAKE, INT32_MAX, NULL);
	while ((seen = c->slot->word) < c->parties)
		futex(&c->slot->word, FUTEX_WAIT, seen, NULL);
	return c->slot->word;
}

static int cond_pair(struct ctx *c)
{
	struct slot *s = c->slot;

	pthread_mutex_lock(&s->mutex);
	if (c->second) {
		s->count = 1 + below(c, 100);
		pthread_cond_signal(&s->cond);
	}
	while (!s->count)
		pthread_cond_wait(&s->cond, &s->mutex);
	pthread_mutex_unlock(&s->mutex);
	return s->count;
}

static int sem_pair(struct ctx *c)
{
	if (c->second) {
		c->slot->count = below(c, 1000);
		sem_post(&c->slot->sem);
		wait_sem(&c->slot->back);
	} else {
		wait_sem(&c->slot->sem);
		sem_post(&c->slot->back);
	}
	return c->slot->count;
}

static int futex_pair(struct ctx *c)
{
	volatile uint32_t *word = &c->slot->word;

	if (c->second) {
		__atomic_store_n(word, 5, __ATOMIC_SEQ_CST);
		futex(word, FUTEX_WAKE, 1, NULL);
		return 5;
	}
	while (*word != 5)
		futex(word, FUTEX_WAIT, 0, NULL);
	return *word;
}

/* A lock that is held can neither be tried nor waited for. */
static int busy_pair(struct ctx *c)
{
	struct slot *s = c->slot;
	struct timespec until;

	if (!c->second) {
		pthread_mutex_lock(&s->mutex);
		sem_post(&s->sem);
		wait_sem(&s->back);
		return pthread_mutex_unlock(&s->mutex);
	}
	wait_sem(&s->sem);
	note(c, pthread_mutex_trylock(&s->mutex));
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	note(c, pthread_mutex_timedlock(&s->mutex, &until));
	sem_post(&s->back);
	note(c, pthread_mutex_lock(&s->mutex));
	return pthread_mutex_unlock(&s->mutex);
}

/* Bytes in pieces; the sum says whether all came, in order. */
static int send_bytes(struct ctx *c, int fd)
{
	unsigned char bytes[64];
	unsigned int left = 200, sum = 0, i, n;

	for (; left; left -= n) {
		n = 1 + below(c, 64);
		n = n < left ? n : left;
		for (i = 0; i < n; i++) {
			bytes[i] = below(c, 256);
			sum = sum * 31 + bytes[i];
		}
		if (TEMP_FAILURE_RETRY(write(fd, bytes, n)) != n)
			return -errno;
	}
	return sum & 0xffffff;
}

static int take_bytes(int fd)
{
	unsigned char bytes[64];
	unsigned int got = 0, sum = 0;
	ssize_t i, n;

	for (; got < 200; got += n) {
		n = TEMP_FAILURE_RETRY(read(fd, bytes, 200 - got < 64 ? 200 - got : 64));
		if (n <= 0)
			return n ? -errno : 0;
		for (i = 0; i < n; i++)
			sum = sum * 31 + bytes[i];
	}
	return sum & 0xffffff;
}

static int pipe_pair(struct ctx *c)
{
	return c->second ? take_bytes(c->fd[0]) : send_bytes(c, c->fd[1]);
}

static int socket_pair(struct ctx *c)
{
	int sent, taken;

	if (c->second) {
		taken = take_bytes(c->fd[0]);
		sent = send_bytes(c, c->fd[0]);
	} else {
		sent = send_bytes(c, c->fd[1]);
		taken = take_bytes(c->fd[1]);
	}
	note(c, sent);
	return taken;
}

static int poll_pair(struct ctx *c)
{
	struct pollfd p = { .fd = c->fd[0], .events = POLLIN };

	if (c->second)
		return send_bytes(c, c->fd[1]);
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	note(c, p.revents);
	return take_bytes(c->fd[0]);
}

static int epoll_pair(struct ctx *c)
{
	struct epoll_event e = { .events = EPOLLIN, .data.u32 = 77 };
	int set;

	if (c->second)
		return send_bytes(c, c->fd[1]);
	set = epoll_create1(EPOLL_CLOEXEC);
	note(c, epoll_ctl(set, EPOLL_CTL_ADD, c->fd[0], &e));
	note(c, TEMP_FAILURE_RETRY(epoll_wait(set, &e, 1, -1)));
	note(c, e.data.u32);
	close(set);
	return take_bytes(c->fd[0]);
}

static int eventfd_pair(struct ctx *c)
{
	eventfd_t value = 0;
	unsigned int i, sum = 0;

	if (c->second)
		return eventfd_write(c->fd[0], 3);
	for (i = 0; i < 3; i++) {
		while (eventfd_read(c->fd[0], &value) && errno == EINTR)
			;
		sum += value;
	}
	return sum;
}

static int pass_fd(struct ctx *c)
{
	char space[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))), byte = 'f';
	struct iovec v = { &byte, 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = space,
			    .msg_controllen = sizeof(space) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	char text[8] = "";
	int fd;

	if (c->second) {
		fd = memfd_create("passed", MFD_CLOEXEC);
		note(c, write(fd, "content", 7));
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(h), &fd, sizeof(fd));
		note(c, TEMP_FAILURE_RETRY(sendmsg(c->fd[1], &m, 0)));
		return close(fd);
	}
	note(c, TEMP_FAILURE_RETRY(recvmsg(c->fd[0], &m, 0)));
	memcpy(&fd, CMSG_DATA(h), sizeof(fd));
	note(c, pread(fd, text, 7, 0));
	close(fd);
	return strcmp(text, "content");
}

/* A signal with a value to one thread, which waits for it. */
static int signal_pair(struct ctx *c)
{
	siginfo_t info = { .si_code = SI_QUEUE };
	int sig = SIGRTMIN;
	sigset_t set;

	if (c->second) {
		wait_sem(&c->slot->sem);
		info.si_value.sival_int = c->slot->count;
		return syscall(SYS_rt_tgsigqueueinfo, c->slot->word, c->slot->tid, sig, &info);
	}
	c->slot->count = below(c, 1000);
	c->slot->word = getpid();
	c->slot->tid = syscall(SYS_gettid);
	sem_post(&c->slot->sem);
	sigemptyset(&set);
	sigaddset(&set, sig);
	note(c, TEMP_FAILURE_RETRY(sigwaitinfo(&set, &info)) == sig);
	return info.si_value.sival_int;
}

static int lock_pair(struct ctx *c)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	char path[32];
	int fd, ret;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->fd[0]);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (!c->second) {
		note(c, fcntl(fd, F_OFD_SETLK, &l));
		sem_post(&c->slot->sem);
		wait_sem(&c->slot->back);
	} else {
		wait_sem(&c->slot->sem);
		note(c, result_of(fcntl(fd, F_OFD_SETLK, &l)));
		sem_post(&c->slot->back);
		note(c, TEMP_FAILURE_RETRY(fcntl(fd, F_OFD_SETLKW, &l)));
	}
	l.l_type = F_UNLCK;
	ret = fcntl(fd, F_OFD_SETLK, &l);
	close(fd);
	return ret;
}

struct robust {
	pthread_mutex_t mutex;
	int value;
};

/* Who holds the lock dies. */
static int robust(struct ctx *c)
{
	struct robust *r = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				-1, 0);
	pthread_mutexattr_t a;
	int status;
	pid_t pid;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	if (below(c, 2))
		pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&r->mutex, &a);
	pid = fork();
	if (!pid) {
		pthread_mutex_lock(&r->mutex);
		r->value = 9;
		_exit(0);
	}
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	note(c, pthread_mutex_lock(&r->mutex));
	note(c, pthread_mutex_consistent(&r->mutex));
	note(c, pthread_mutex_unlock(&r->mutex));
	status = r->value;
	munmap(r, 4096);
	return status;
}

static void *add_one(void *arg)
{
	__atomic_add_fetch((int *)arg, 1, __ATOMIC_SEQ_CST);
	return (void *)3;
}

static int thread_storm(struct ctx *c)
{
	unsigned int i, n = 1 + below(c, 4);
	pthread_t t[4];
	int count = 0;
	void *ret;

	for (i = 0; i < n; i++)
		note(c, pthread_create(&t[i], NULL, add_one, &count));
	for (i = 0; i < n; i++) {
		pthread_join(t[i], &ret);
		count += (intptr_t)ret;
	}
	return count;
}

static void *read_for_ever(void *arg)
{
	char byte;

	return (void *)read(*(int *)arg, &byte, 1);
}

static int cancel(struct ctx *c)
{
	void *ret = NULL;
	pthread_t t;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) || pthread_create(&t, NULL, read_for_ever, &fd[0]))
		return -1;
	if (below(c, 2))
		sched_yield();
	note(c, pthread_cancel(t));
	note(c, pthread_join(t, &ret));
	close(fd[0]);
	close(fd[1]);
	return ret == PTHREAD_CANCELED;
}

static void *take_pi(void *arg)
{
	pthread_mutex_lock(arg);
	pthread_mutex_unlock(arg);
	return NULL;
}

static int pi_mutex(struct ctx *c)
{
	pthread_mutexattr_t a;
	pthread_mutex_t m;
	pthread_t t[2];
	int i;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&m, &a);
	pthread_mutex_lock(&m);
	for (i = 0; i < 2; i++)
		note(c, pthread_create(&t[i], NULL, take_pi, &m));
	sched_yield();
	note(c, pthread_mutex_unlock(&m));
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return pthread_mutex_destroy(&m);
}

static int sysv_sem(struct ctx *c)
{
	int id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600), status = 0;
	struct sembuf down = { .sem_op = -2 }, up = { .sem_op = 1 };
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(TEMP_FAILURE_RETRY(semop(id, &down, 1)) ? 1 : 4);
	note(c, semop(id, &up, 1));
	note(c, semop(id, &up, 1));
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	note(c, semctl(id, 0, GETVAL));
	semctl(id, 0, IPC_RMID);
	return status_number(status);
}

static const struct op table[] = {
	{ "mutex_count",	ALL,	NOTHING,	6, mutex_count },
	{ "rwlock_count",	ALL,	NOTHING,	3, rwlock_count },
	{ "atomic_count",	ALL,	NOTHING,	2, atomic_count },
	{ "cond_all",		ALL,	NOTHING,	4, cond_all },
	{ "futex_all",		ALL,	NOTHING,	3, futex_all },
	{ "cond_pair",		PAIR,	NOTHING,	5, cond_pair },
	{ "sem_pair",		PAIR,	NOTHING,	5, sem_pair },
	{ "futex_pair",		PAIR,	NOTHING,	5, futex_pair },
	{ "busy_pair",		PAIR,	NOTHING,	5, busy_pair },
	{ "pipe_pair",		PAIR,	A_PIPE,		5, pipe_pair },
	{ "socket_pair",	PAIR,	A_SOCKET,	4, socket_pair },
	{ "poll_pair",		PAIR,	A_PIPE,		4, poll_pair },
	{ "epoll_pair",		PAIR,	A_SOCKET,	4, epoll_pair },
	{ "eventfd_pair",	PAIR,	AN_EVENTFD,	4, eventfd_pair },
	{ "pass_fd",		PAIR,	A_SOCKET,	3, pass_fd },
	{ "signal_pair",	PAIR,	NOTHING,	5, signal_pair },
	{ "lock_pair",		PAIR,	A_FILE,		3, lock_pair },
	{ "robust",		SOLO,	NOTHING,	3, robust },
	{ "thread_storm",	SOLO,	NOTHING,	3, thread_storm },
	{ "cancel",		CHILD,	NOTHING,	2, cancel },
	{ "pi_mutex",		SOLO,	NOTHING,	3, pi_mutex },
	{ "sysv_sem",		SOLO,	NOTHING,	3, sysv_sem },
};

const struct ops sync_ops = { table, sizeof(table) / sizeof(*table) };
