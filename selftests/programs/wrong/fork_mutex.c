// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process forks while one of its threads holds a mutex. The child has a locked
 * copy of it and nobody who could unlock it.
 *
 * expect: verdict=deadlock preemptions=1
 * Main sleeps until the thread has started; the thread then goes on until it is
 * done and the mutex is free again. Main must fork while the thread stands inside
 * its critical section, where it is enabled.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t started;
static int lines;

static void log_line(void)
{
	pthread_mutex_lock(&lock);
	lines++;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	sem_post(&started);
	log_line();
	return arg;
}

int main(void)
{
	pthread_t t;
	int status;
	pid_t child;

	sem_init(&started, 0, 0);
	pthread_create(&t, NULL, work, NULL);
	sem_wait(&started);
	child = fork();
	assert(child >= 0);
	if (!child) {
		log_line();
		_exit(0);
	}
	assert(waitpid(child, &status, 0) == child && !status);
	pthread_join(t, NULL);
	return 0;
}
