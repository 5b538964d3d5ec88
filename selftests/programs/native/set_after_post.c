// SPDX-License-Identifier: GPL-2.0-only
/*
 * System V semaphores are made in one call and set in another. Who finds the set made may
 * post before it is set; that post is lost.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define KEY 0x63686573

static int op(int set, int by)
{
	struct sembuf one = { .sem_op = by };

	return semop(set, &one, 1);
}

static void post(void)
{
	int set;

	while ((set = semget(KEY, 1, 0)) < 0)
		sched_yield();
	assert(!op(set, 1));
}

int main(void)
{
	int set = semget(KEY, 1, 0), status;
	pid_t child;

	/* One that an earlier run has left behind. */
	if (set >= 0)
		semctl(set, 0, IPC_RMID);
	child = fork();
	assert(child >= 0);
	if (!child) {
		post();
		_exit(0);
	}
	set = semget(KEY, 1, IPC_CREAT | IPC_EXCL | 0600);
	assert(set >= 0);
	WINDOW();
	/* Linux makes them zero, which is what is wanted. */
	if (!IS_MENDED)
		assert(!semctl(set, 0, SETVAL, 0));
	assert(!op(set, -1));
	assert(waitpid(child, &status, 0) == child && !status);
	assert(!semctl(set, 0, IPC_RMID));
	return 0;
}
