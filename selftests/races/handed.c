// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mutex that its owner hands over in a way that is easily missed: "dead" ends with it, and it is
 * robust; "inside" gives it back right after getenv(), which has a state of its own. Two tasks wait
 * for it then. In some schedules the second one gets it first: main aborts.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex;
static sem_t taken, begun, ready;
static const char *how = "";
static int first;

static void *owner(void *arg)
{
	pthread_mutex_lock(&mutex);
	sem_post(&taken);
	sem_wait(&ready);
	if (!strcmp(how, "inside")) {
		getenv("HOME");
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

static void take(int number)
{
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
		pthread_mutex_consistent(&mutex);
	if (!first)
		first = number;
	pthread_mutex_unlock(&mutex);
}

static void *one(void *arg)
{
	sem_wait(&taken);
	sem_post(&begun);
	take(1);
	return arg;
}

static void *other(void *arg)
{
	sem_wait(&begun);
	sem_post(&ready);
	take(2);
	return arg;
}

int main(int argc, char **argv)
{
	void *(*const routine[])(void *) = { owner, one, other };
	pthread_mutexattr_t attr;
	pthread_t t[3];
	size_t i;

	if (argc > 1)
		how = argv[1];
	pthread_mutexattr_init(&attr);
	if (strcmp(how, "inside"))
		pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attr);
	sem_init(&taken, 0, 0);
	sem_init(&begun, 0, 0);
	sem_init(&ready, 0, 0);
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, routine[i], NULL);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	if (first == 2)
		abort();
	return 0;
}
