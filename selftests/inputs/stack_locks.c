// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two mutexes on main's stack, locked in opposite orders: a deadlock with one
 * preemption. Where the stack begins goes by the length of the environment.
 */
#include <pthread.h>

struct locks {
	pthread_mutex_t first, second;
};

static void *other_way_round(void *arg)
{
	struct locks *l = arg;

	pthread_mutex_lock(&l->second);
	pthread_mutex_lock(&l->first);
	pthread_mutex_unlock(&l->first);
	pthread_mutex_unlock(&l->second);
	return NULL;
}

int main(void)
{
	struct locks l = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
	pthread_t t;

	if (pthread_create(&t, NULL, other_way_round, &l))
		return 2;
	pthread_mutex_lock(&l.first);
	pthread_mutex_lock(&l.second);
	pthread_mutex_unlock(&l.second);
	pthread_mutex_unlock(&l.first);
	return pthread_join(t, NULL);
}
