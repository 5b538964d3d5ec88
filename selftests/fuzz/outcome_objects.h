/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The objects that calls of outcome_calls.c are on.
 */
#ifndef OUTCOME_OBJECTS_H
#define OUTCOME_OBJECTS_H

#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "outcome_calls.h"

/* Of a System V queue. */
struct message { long type; char text; };

static inline long error_or(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* What a call can leave in its task's hands: the mutexes, the robust one, the rwlock. */
#define OUTCOME_HELD	4

struct outcome_objects {
	pthread_mutex_t mutex[2], robust;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_once_t once;
	sem_t sem;
	pthread_cond_t cond;
	pthread_barrier_t barrier;	/* of two tasks */
	sem_t done[OUTCOME_TASKS][OUTCOME_TASKS];	/* what the first did, for the second */
	int value[3];			/* under mutex[0], mutex[1], rwlock */
	int ready;			/* under mutex[0] */
	atomic_int robust_value;
	bool holds[OUTCOME_TASKS][OUTCOME_HELD];
	volatile int plain[2];		/* where accesses to memory are points */
	atomic_int counter[2];
	int pipe[2], second[2], slow[2], event, pair[2], file, own[OUTCOME_TASKS], spare, epoll;
	int watch[OUTCOME_TASKS], queue, ipc_sem, timer;
	mqd_t messages;
	pthread_t *thread;
	volatile int *page;		/* of the file */
	char *text;			/* a page of its own */
	char dir[64];
};

/*
 * @shared: in memory that processes share. @folder: for files, and empty. Ends the program if that
 * cannot be.
 */
struct outcome_objects *outcome_objects_make(bool shared, const char *folder);
/* Of what calls may have made there. */
void outcome_objects_unlink(const char *folder);

#endif /* OUTCOME_OBJECTS_H */
