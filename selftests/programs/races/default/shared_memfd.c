// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same in a file without a name that each process maps by itself, one of them at another
 * address. Mended: by a mutex in it, which has two addresses, too.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
	pthread_mutex_t lock;
	int count;
};

static struct shared *map(int fd)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
				     fd, 0);

	assert(shared != MAP_FAILED);
	return shared;
}

static void increment(struct shared *shared)
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
	int fd = memfd_create("count", 0);
	pthread_mutexattr_t attr;
	struct shared *shared;
	pid_t child;

	assert(fd >= 0 && !ftruncate(fd, sizeof(*shared)));
	shared = map(fd);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->lock, &attr);
	child = fork();
	assert(child >= 0);
	if (!child) {
		increment(map(fd));
		_exit(0);
	}
	increment(shared);
	waitpid(child, NULL, 0);
	assert(shared->count == 2);
	return 0;
}
