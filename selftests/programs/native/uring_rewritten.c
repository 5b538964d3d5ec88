// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread changes two numbers that belong together. Another one has io_uring write them to a
 * pipe, maybe in between: the reader gets one new and one old.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "window.h"

static struct state {
	long first;
	long last;
} state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	state.first = 1;
	WINDOW();
	state.last = 1;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

static void *map(int fd, size_t bytes, off_t offset)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

	assert(at != MAP_FAILED);
	return at;
}

int main(void)
{
	struct io_uring_params params = { 0 };
	struct io_uring_sqe *requests;
	struct state sent;
	pthread_t thread;
	int ring, fd[2];
	char *queue;

	ring = syscall(SYS_io_uring_setup, 1, &params);
	assert(ring >= 0 && !pipe(fd));
	queue = map(ring, params.sq_off.array + sizeof(int), IORING_OFF_SQ_RING);
	requests = map(ring, sizeof(*requests), IORING_OFF_SQES);
	assert(!pthread_create(&thread, NULL, change, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	*requests = (struct io_uring_sqe) {
		.opcode = IORING_OP_WRITE, .fd = fd[1],
		.addr = (uintptr_t)&state, .len = sizeof(state),
	};
	__atomic_store_n((unsigned int *)(queue + params.sq_off.tail), 1, __ATOMIC_RELEASE);
	assert(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(read(fd[0], &sent, sizeof(sent)) == sizeof(sent));
	assert(sent.first == sent.last);
	assert(!pthread_join(thread, NULL));
	return 0;
}
