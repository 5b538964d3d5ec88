// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes lock a set of System V semaphores one by one, and in opposite order.
 *
 * expect: verdict=deadlock preemptions=1
 * Each must hold one and want the other. The first to hold one is enabled before the
 * second, which is free: it must be preempted there.
 */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static int set;

static void change(unsigned short semaphore, short by)
{
	struct sembuf op = { semaphore, by, 0 };

	assert(!semop(set, &op, 1));
}

static void lock_both(unsigned short first, unsigned short second)
{
	change(first, -1);
	change(second, -1);
	change(second, 1);
	change(first, 1);
}

int main(void)
{
	int status;
	pid_t child;

	set = semget(IPC_PRIVATE, 2, 0600);
	assert(set >= 0);
	assert(!semctl(set, 0, SETVAL, 1) && !semctl(set, 1, SETVAL, 1));
	child = fork();
	assert(child >= 0);
	if (!child) {
		lock_both(1, 0);
		_exit(0);
	}
	lock_both(0, 1);
	assert(waitpid(child, &status, 0) == child && !status);
	assert(!semctl(set, 0, IPC_RMID));
	return 0;
}
