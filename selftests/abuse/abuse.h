/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs of this folder share: each does one odd thing that control has to leave
 * alone, and says what came of it, the same in every run.
 */
#ifndef _CHESS_ABUSE_H
#define _CHESS_ABUSE_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Without stdio, which has locks of its own. */
#define say(...) dprintf(1, __VA_ARGS__)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counted;

/* Four turns of a lock. */
static inline void *count(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 4; i++) {
		pthread_mutex_lock(&mutex);
		counted++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* Runs @one with @a and @b in two threads. */
static inline void both(void *(*one)(void *), void *a, void *b)
{
	pthread_t threads[2];

	if (pthread_create(&threads[0], NULL, one, a) || pthread_create(&threads[1], NULL, one, b))
		_exit(99);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

/* The status of a child as one number, as wait(2) gives it. */
static inline int status_of(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, __WALL) == pid ? status : -1;
}

#endif /* _CHESS_ABUSE_H */
