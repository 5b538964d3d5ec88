// SPDX-License-Identifier: GPL-2.0-only
/*
 * See outcome_objects.h.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "outcome_objects.h"

static void make_locks(struct outcome_objects *s, bool shared)
{
	const int who = shared ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
	pthread_rwlockattr_t rwlock;
	pthread_barrierattr_t barrier;
	pthread_mutexattr_t mutex;
	pthread_condattr_t cond;
	int i, k;

	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_setpshared(&mutex, who);
	for (i = 0; i < 2; i++)
		pthread_mutex_init(&s->mutex[i], &mutex);
	pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&s->robust, &mutex);
	pthread_rwlockattr_init(&rwlock);
	pthread_rwlockattr_setpshared(&rwlock, who);
	pthread_rwlock_init(&s->rwlock, &rwlock);
	pthread_spin_init(&s->spin, who);
	s->once = (pthread_once_t)PTHREAD_ONCE_INIT;
	sem_init(&s->sem, shared, 1);
	pthread_condattr_init(&cond);
	pthread_condattr_setpshared(&cond, who);
	pthread_cond_init(&s->cond, &cond);
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, who);
	pthread_barrier_init(&s->barrier, &barrier, 2);
	for (i = 0; i < OUTCOME_TASKS; i++)
		for (k = 0; k < OUTCOME_TASKS; k++)
			sem_init(&s->done[i][k], shared, 0);
}

static void make_files(struct outcome_objects *s, const char *folder)
{
	char path[128];
	int i;

	snprintf(s->dir, sizeof(s->dir), "%s", folder);
	snprintf(path, sizeof(path), "%s/file", s->dir);
	s->file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	for (i = 0; i < OUTCOME_TASKS; i++) {
		s->own[i] = open(path, O_RDWR);
		s->watch[i] = -1;
	}
	if (s->file < 0 || write(s->file, "0123", 4) != 4)
		exit(2);
	s->page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, s->file, 0);
	s->text = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The name is gone at once, so that nothing is left of a run that is killed. */
static void make_messages(struct outcome_objects *s)
{
	struct mq_attr attr = { .mq_maxmsg = 4, .mq_msgsize = 8 };
	char name[32];

	snprintf(name, sizeof(name), "/outcome-%d", getpid());
	s->messages = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0600, &attr);
	mq_unlink(name);
}

void outcome_objects_unlink(const char *folder)
{
	static const char *const names[] = { "a", "b", "file" };
	char path[128];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
}

struct outcome_objects *outcome_objects_make(bool shared, const char *folder)
{
	static struct outcome_objects of_threads;
	struct outcome_objects *s = &of_threads;
	sigset_t set;

	if (shared)
		s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			 0);
	make_locks(s, shared);
	make_files(s, folder);
	make_messages(s);
	if (pipe2(s->pipe, O_NONBLOCK) || pipe2(s->second, O_NONBLOCK) || pipe(s->slow) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s->pair))
		exit(2);
	s->event = eventfd(0, EFD_NONBLOCK);
	s->epoll = epoll_create1(0);
	s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	s->queue = msgget(IPC_PRIVATE, 0600);
	s->ipc_sem = semget(IPC_PRIVATE, 1, 0600);
	semctl(s->ipc_sem, 0, SETVAL, 1);
	s->spare = dup(s->event);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return s;
}
