// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring in shared memory: the producer stores where its data ends before it stores the data.
 * The consumer in another process reads what is not there yet.
 *
 * source: Howells and McKenney, Documentation/core-api/circular-buffers.rst (Linux)
 * expect: verdict=exit
 */
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

struct ring {
	atomic_int head;
	atomic_int data[4];
};

int main(void)
{
	struct ring *ring;
	int status;
	pid_t child;

	ring = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(ring != MAP_FAILED);
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(atomic_load(&ring->head) && !atomic_load(&ring->data[0]));
	if (IS_MENDED)
		atomic_store(&ring->data[0], 7);
	atomic_store(&ring->head, 1);
	if (!IS_MENDED)
		atomic_store(&ring->data[0], 7);
	assert(waitpid(child, &status, 0) == child);
	return WEXITSTATUS(status);
}
