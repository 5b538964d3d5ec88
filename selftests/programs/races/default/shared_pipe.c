// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child writes a message into shared memory, and its parent reads it. Mended: when it has
 * been told through a pipe that it is there.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int ends[2], got;
	int *message;
	pid_t child;
	char byte = 0;

	assert(!pipe(ends));
	message = mmap(NULL, sizeof(*message), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	assert(message != MAP_FAILED);
	child = fork();
	assert(child >= 0);
	if (!child) {
		message[0] = 42;
		assert(write(ends[1], &byte, 1) == 1);
		message[1] = 1;
		_exit(0);
	}
#ifdef MENDED
	assert(read(ends[0], &byte, 1) == 1);
	got = message[0];
#else
	got = message[0];
	assert(read(ends[0], &byte, 1) == 1);
#endif
	waitpid(child, NULL, 0);
	assert(got == 42);
	return 0;
}
