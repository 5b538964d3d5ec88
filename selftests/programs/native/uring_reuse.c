// SPDX-License-Identifier: GPL-2.0-only
/*
 * A read and a time-out are given to io_uring. When the time is up its buffer is used for
 * something else, but nobody cancels the read: it still goes to that buffer.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "window.h"

enum { READ = 1, TIMEOUT, CANCEL };

static unsigned int *sq_tail, *sq_array, *cq_head, *cq_tail, sq_mask, cq_mask;
static struct io_uring_sqe *sqes;
static struct io_uring_cqe *cqes;
static int ring, fds[2];

static void *map(size_t size, off_t offset)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, offset);

	assert(p != MAP_FAILED);
	return p;
}

static void init(void)
{
	struct io_uring_params p;
	char *sq, *cq;

	memset(&p, 0, sizeof(p));
	ring = syscall(SYS_io_uring_setup, 4, &p);
	assert(ring >= 0);
	sq = map(p.sq_off.array + p.sq_entries * sizeof(unsigned int), IORING_OFF_SQ_RING);
	cq = map(p.cq_off.cqes + p.cq_entries * sizeof(*cqes), IORING_OFF_CQ_RING);
	sqes = map(p.sq_entries * sizeof(*sqes), IORING_OFF_SQES);
	sq_tail = (unsigned int *)(sq + p.sq_off.tail);
	sq_mask = *(unsigned int *)(sq + p.sq_off.ring_mask);
	sq_array = (unsigned int *)(sq + p.sq_off.array);
	cq_head = (unsigned int *)(cq + p.cq_off.head);
	cq_tail = (unsigned int *)(cq + p.cq_off.tail);
	cq_mask = *(unsigned int *)(cq + p.cq_off.ring_mask);
	cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

static void submit(int op, int fd, const void *address, unsigned int len, uint64_t id)
{
	unsigned int at = *sq_tail & sq_mask;

	memset(&sqes[at], 0, sizeof(sqes[at]));
	sqes[at].opcode = op;
	sqes[at].fd = fd;
	sqes[at].addr = (uintptr_t)address;
	sqes[at].len = len;
	sqes[at].user_data = id;
	sq_array[at] = at;
	__atomic_store_n(sq_tail, *sq_tail + 1, __ATOMIC_RELEASE);
	assert(syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) == 1);
}

/* What is complete next. */
static uint64_t next(void)
{
	unsigned int head = *cq_head;
	uint64_t id;

	while (head == __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE))
		syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
	id = cqes[head & cq_mask].user_data;
	__atomic_store_n(cq_head, head + 1, __ATOMIC_RELEASE);
	return id;
}

static void *answer(void *arg)
{
	(void)arg;
	WINDOW();
	assert(write(fds[1], "a", 1) == 1);
	return NULL;
}

int main(void)
{
	struct __kernel_timespec in = { .tv_nsec = 10000000 };
	static volatile char buffer;
	pthread_t thread;

	init();
	assert(!pipe(fds));
	assert(!pthread_create(&thread, NULL, answer, NULL));
	submit(IORING_OP_READ, fds[0], (const void *)&buffer, 1, READ);
	submit(IORING_OP_TIMEOUT, -1, &in, 1, TIMEOUT);
	if (next() == TIMEOUT) {
		if (IS_MENDED) {
			submit(IORING_OP_ASYNC_CANCEL, -1, (const void *)READ, 0, CANCEL);
			while (next() != READ)
				;
		}
		buffer = 'n';
		assert(!pthread_join(thread, NULL));
		assert(buffer == 'n');
		return 0;
	}
	assert(buffer == 'a');
	assert(!pthread_join(thread, NULL));
	return 0;
}
