// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread ends with a robust mutex that inherits priority. Hard: the kernel wakes and marks
 * on the way out.
 */
#include "abuse.h"

static pthread_mutex_t robust;

static void *leave(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&robust);
	return NULL;
}

static void *heir(void *result)
{
	int ret = pthread_mutex_lock(&robust);

	if (ret == EOWNERDEAD)
		pthread_mutex_consistent(&robust);
	pthread_mutex_unlock(&robust);
	*(int *)result = ret;
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;
	int a = 9, b = 9;
	pthread_t first;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&robust, &attr);
	pthread_create(&first, NULL, leave, NULL);
	pthread_join(first, NULL);
	both(heir, &a, &b);
	say("told of the owner's end: %d\n", (a == EOWNERDEAD) + (b == EOWNERDEAD));
	return 0;
}
