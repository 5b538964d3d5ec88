// SPDX-License-Identifier: GPL-2.0-only
/*
 * See outcome_waits.h. What is locked by one call is given back by another, or when the task ends,
 * but for the robust mutex.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

#include "outcome_objects.h"
#include "outcome_waits.h"

/* Most do the same in each task, and many have nothing to choose. */
#define CALL(name)								\
	long outcome_##name(int me __attribute__((unused)),			\
			    unsigned int arg __attribute__((unused)))

/* Those of the program that runs. */
static struct outcome_objects *s;

void outcome_waits_use(struct outcome_objects *objects)
{
	s = objects;
}

enum held { MUTEX, OTHER_MUTEX, ROBUST, RWLOCK };

CALL(hold)
{
	if (s->holds[me][arg % 2])
		return -1;
	pthread_mutex_lock(&s->mutex[arg % 2]);
	s->holds[me][arg % 2] = true;
	return s->value[arg % 2]++;
}

/* After a function whose state no object shows. */
static void have_state(unsigned int arg)
{
	const time_t time = 0;

	if (arg % 3 == 1)
		getenv("HOME");
	else if (arg % 3 == 2)
		localtime(&time);
}

/* It is about to be given back. Return: false: the task does not have it. */
static bool gives(int me, enum held what, unsigned int arg)
{
	if (!s->holds[me][what])
		return false;
	have_state(arg);
	s->holds[me][what] = false;
	return true;
}

CALL(let_go)
{
	if (!gives(me, arg % 2, arg / 2))
		return -1;
	return pthread_mutex_unlock(&s->mutex[arg % 2]);
}

/* Whether the one that had it has ended, and how many had it before. */
CALL(hold_robust)
{
	int ret;

	if (s->holds[me][ROBUST])
		return -1;
	ret = pthread_mutex_lock(&s->robust);
	if (ret == EOWNERDEAD && arg % 2)
		pthread_mutex_consistent(&s->robust);
	s->holds[me][ROBUST] = !ret || ret == EOWNERDEAD;
	return ret * 10 + s->robust_value++;
}

CALL(let_robust_go)
{
	return gives(me, ROBUST, arg) ? pthread_mutex_unlock(&s->robust) : -1;
}

CALL(hold_rwlock)
{
	if (s->holds[me][RWLOCK])
		return -1;
	if (arg % 2)
		pthread_rwlock_rdlock(&s->rwlock);
	else
		pthread_rwlock_wrlock(&s->rwlock);
	s->holds[me][RWLOCK] = true;
	return arg % 2 ? s->value[2] : s->value[2]++;
}

CALL(let_rwlock_go)
{
	return gives(me, RWLOCK, arg) ? pthread_rwlock_unlock(&s->rwlock) : -1;
}

CALL(sem_wait_for)
{
	return sem_wait(&s->sem);
}

CALL(until_ready)
{
	int value;

	if (s->holds[me][MUTEX])
		return -1;
	pthread_mutex_lock(&s->mutex[0]);
	while (!s->ready)
		pthread_cond_wait(&s->cond, &s->mutex[0]);
	s->ready--;
	value = s->value[0]++;
	pthread_mutex_unlock(&s->mutex[0]);
	return value;
}

CALL(make_ready)
{
	if (s->holds[me][MUTEX])
		return -1;
	pthread_mutex_lock(&s->mutex[0]);
	s->ready++;
	if (arg % 2)
		pthread_cond_broadcast(&s->cond);
	else
		pthread_cond_signal(&s->cond);
	pthread_mutex_unlock(&s->mutex[0]);
	return 0;
}

CALL(together)
{
	return pthread_barrier_wait(&s->barrier);
}

CALL(slow_write)
{
	char c = 's' + me;

	return error_or(write(s->slow[1], &c, 1));
}

CALL(slow_read)
{
	char c;

	return read(s->slow[0], &c, 1) == 1 ? c : -errno;
}

CALL(flock_wait)
{
	static const int how[] = { LOCK_EX, LOCK_SH, LOCK_UN };

	return error_or(flock(s->own[me], how[arg % 3]));
}

CALL(range_wait)
{
	static const int how[] = { F_WRLCK, F_RDLCK, F_UNLCK };
	struct flock l = { .l_type = how[arg % 3], .l_start = arg / 3 % 2, .l_len = 1 };

	return error_or(fcntl(s->own[me], F_OFD_SETLKW, &l));
}

CALL(queue_wait)
{
	struct message m = { 0 };
	ssize_t n = msgrcv(s->queue, &m, 1, arg % 3, 0);

	return n == 1 ? m.text * 10 + m.type : error_or(n);
}

CALL(ipc_wait)
{
	struct sembuf op = { .sem_op = arg % 3 - 1 };

	return error_or(semop(s->ipc_sem, &op, 1));
}

void outcome_end(int me)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (s->holds[me][i])
			pthread_mutex_unlock(&s->mutex[i]);
	if (s->holds[me][RWLOCK])
		pthread_rwlock_unlock(&s->rwlock);
}

void outcome_made(int me, unsigned int waiters)
{
	int t;

	for (t = 0; t < OUTCOME_TASKS; t++)
		if (waiters >> t & 1)
			sem_post(&s->done[me][t]);
}

void outcome_wait_for(int of, int me)
{
	sem_wait(&s->done[of][me]);
}
