// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that ends with a robust mutex, and that main tries to join without a wait. Whether the
 * thread has ended by then matters, unlike for a join that waits: "ended" aborts where it has,
 * "runs" where it has not. "left" aborts where main gets the mutex after the thread ended, "held"
 * where main tries for it while the thread has it. "detached" aborts where main joins it, with a
 * wait, after another thread has detached it.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex;

static void *thread(void *arg)
{
	pthread_mutex_lock(&mutex);
	return arg;
}

static void *alone(void *arg)
{
	return arg;
}

static void *waits(void *sem)
{
	sem_wait(sem);
	return NULL;
}

static void *detaches(void *thread)
{
	pthread_detach(*(pthread_t *)thread);
	return NULL;
}

static bool is_detached(void)
{
	pthread_t t, other;
	sem_t sem;

	sem_init(&sem, 0, 0);
	pthread_create(&t, NULL, waits, &sem);
	pthread_create(&other, NULL, detaches, &t);
	sem_post(&sem);
	return pthread_join(t, NULL);
}

static const char *try_mutex(void)
{
	switch (pthread_mutex_trylock(&mutex)) {
	case EOWNERDEAD:
		return "left";
	case EBUSY:
		return "held";
	default:
		pthread_mutex_unlock(&mutex);
		return "free";
	}
}

int main(int argc, char **argv)
{
	const char *wanted = argc > 1 ? argv[1] : "";
	bool robust = !strcmp(wanted, "left") || !strcmp(wanted, "held");
	pthread_mutexattr_t attr;
	pthread_t t;
	int busy = 1;

	if (!strcmp(wanted, "detached")) {
		if (is_detached())
			abort();
		return 0;
	}
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attr);
	pthread_create(&t, NULL, robust ? thread : alone, NULL);
	if (robust && !strcmp(wanted, try_mutex()))
		abort();
	if (!robust) {
		busy = pthread_tryjoin_np(t, NULL);
		if (!strcmp(wanted, busy ? "runs" : "ended"))
			abort();
	}
	if (busy)
		pthread_join(t, NULL);
	return 0;
}
