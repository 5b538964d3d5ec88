// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes count in memory that they share. Mended: by a mutex in it.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shared {
	pthread_mutex_t lock;
	int count;
} *shared;

static void increment(void)
{
#ifdef MENDED
	pthread_mutex_lock(&shared->lock);
#endif
	shared->count++;
#ifdef MENDED
	pthread_mutex_unlock(&shared->lock);
#endif
}

int main(void)
{
	pthread_mutexattr_t attr;
	pid_t child;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	assert(shared != MAP_FAILED);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->lock, &attr);
	child = fork();
	assert(child >= 0);
	increment();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	assert(shared->count == 2);
	return 0;
}
