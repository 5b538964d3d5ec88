// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: two processes with a mutex in memory that they share.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shared {
	pthread_mutex_t lock;
	int count;
} *shared;

static void increment(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&shared->lock);
		shared->count++;
		pthread_mutex_unlock(&shared->lock);
	}
}

int main(void)
{
	pthread_mutexattr_t attr;
	pid_t child;
	int status;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		return 2;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->lock, &attr);
	child = fork();
	if (child < 0)
		return 2;
	increment();
	if (!child)
		_exit(0);
	waitpid(child, &status, 0);
	return status || shared->count != 6;
}
