// SPDX-License-Identifier: GPL-2.0-only
/*
 * The middle of memory that two processes share is unmapped. Both count in what comes after it.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define PAGE	4096

static sem_t *turn;

static void count_one(volatile int *count)
{
	int seen;

	if (IS_MENDED)
		sem_wait(turn);
	seen = *count;
	WINDOW();
	*count = seen + 1;
	if (IS_MENDED)
		sem_post(turn);
}

int main(void)
{
	char *bytes = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);
	volatile int *count = (int *)(bytes + 2 * PAGE);
	int status;
	pid_t pid;

	assert(bytes != MAP_FAILED);
	turn = (sem_t *)bytes;
	assert(!sem_init(turn, 1, 1));
	munmap(bytes + PAGE, PAGE);
	pid = fork();
	assert(pid >= 0);
	count_one(count);
	if (!pid)
		_exit(0);
	assert(waitpid(pid, &status, 0) == pid && !status);
	assert(*count == 2);
	return 0;
}
