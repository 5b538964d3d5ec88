// SPDX-License-Identifier: GPL-2.0-only
/*
 * A segment of shared memory is detached while a thread that asked whether it is there is about to
 * write to it.
 *
 * expect: verdict=crash
 */
#include <sys/shm.h>

#include "in_use.h"

static void get(void)
{
	int segment = shmget(IPC_PRIVATE, SIZE, 0600);

	assert(segment >= 0);
	bytes = shmat(segment, NULL, 0);
	assert(bytes != (char *)-1);
	shmctl(segment, IPC_RMID, NULL);
}

static void use(void)
{
	bytes[SIZE - 1] = 1;
}

static void take_away(void)
{
	shmdt(bytes);
}
