// SPDX-License-Identifier: GPL-2.0-only
/*
 * A log in memory is closed by unmapping it. A writer that asked whether it is open writes
 * a moment later.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

#include "window.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static char *buffer;

static char *opened(void)
{
	char *mine;

	pthread_rwlock_rdlock(&lock);
	mine = buffer;
	if (!IS_MENDED)
		pthread_rwlock_unlock(&lock);
	return mine;
}

static void *say(void *arg)
{
	char *mine = opened();

	(void)arg;
	WINDOW();
	if (mine)
		mine[0] = 'x';
	if (IS_MENDED)
		pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char *mine;

	buffer = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(buffer != MAP_FAILED);
	assert(!pthread_create(&thread, NULL, say, NULL));
	INTO_WINDOW();
	pthread_rwlock_wrlock(&lock);
	mine = buffer;
	buffer = NULL;
	pthread_rwlock_unlock(&lock);
	munmap(mine, 4096);
	assert(!pthread_join(thread, NULL));
	return 0;
}
