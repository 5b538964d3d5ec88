// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two children each have shared memory of their own, at the same address: that is not a race.
 * Nor is it where they change what they share by turns. Wrong: both change what the parent
 * mapped.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *map(void)
{
	int *at = mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);

	assert(at != MAP_FAILED);
	return at;
}

static void work(int *shared)
{
	int *own = map();

	for (int i = 0; i < 3; i++)
		(*own)++;
	assert(*own == 3);
#ifndef MENDED
	(*shared)++;
#endif
	(void)shared;
	_exit(0);
}

int main(void)
{
	int *shared = map();
	int i, status, bad = 0;

	for (i = 0; i < 2; i++)
		if (!fork())
			work(shared);
	while (wait(&status) > 0)
		bad |= status;
	assert(!bad);
#ifndef MENDED
	assert(*shared == 2);
#endif
	return 0;
}
