// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same in a named piece of memory, which both children open and map by themselves. Mended:
 * by a semaphore in it.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
	sem_t sem;
	int count;
};

static char name[32];

static struct shared *map(void)
{
	int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
	struct shared *shared;

	assert(fd >= 0 && !ftruncate(fd, sizeof(*shared)));
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(shared != MAP_FAILED);
	return shared;
}

static void increment(struct shared *shared)
{
#ifdef MENDED
	sem_wait(&shared->sem);
#endif
	shared->count++;
#ifdef MENDED
	sem_post(&shared->sem);
#endif
}

int main(void)
{
	struct shared *shared;

	snprintf(name, sizeof(name), "/chess-%d", (int)getpid());
	shared = map();
	sem_init(&shared->sem, 1, 1);
	for (int i = 0; i < 2; i++)
		if (!fork()) {
			munmap(shared, sizeof(*shared));
			increment(map());
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	shm_unlink(name);
	assert(shared->count == 2);
	return 0;
}
