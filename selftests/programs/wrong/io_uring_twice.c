// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads take completions from one io_uring. The head of the completion queue
 * is moved on only after the completion was handled, and no lock is held meanwhile:
 * both can find the same entry at the head.
 *
 * expect: verdict=assert preemptions=1
 * To handle an entry is to count it under a lock. The thread must look while main
 * stands at that lock, which is free, with the entry still at the head. Main does
 * not block before: a NOP has completed when io_uring_enter(2) returns.
 */
#include <assert.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct request {
	int completions;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int *sq_tail, *sq_array, *cq_head, *cq_tail, cq_mask;
static struct io_uring_sqe *sqes;
static struct io_uring_cqe *cqes;
static int ring;

static void *map(size_t size, off_t offset)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, offset);

	assert(p != MAP_FAILED);
	return p;
}

static void ring_init(unsigned int entries)
{
	struct io_uring_params p;
	char *sq, *cq;

	memset(&p, 0, sizeof(p));
	ring = syscall(SYS_io_uring_setup, entries, &p);
	assert(ring >= 0);
	sq = map(p.sq_off.array + p.sq_entries * sizeof(unsigned int), IORING_OFF_SQ_RING);
	cq = map(p.cq_off.cqes + p.cq_entries * sizeof(*cqes), IORING_OFF_CQ_RING);
	sqes = map(p.sq_entries * sizeof(*sqes), IORING_OFF_SQES);
	sq_tail = (unsigned int *)(sq + p.sq_off.tail);
	sq_array = (unsigned int *)(sq + p.sq_off.array);
	cq_head = (unsigned int *)(cq + p.cq_off.head);
	cq_tail = (unsigned int *)(cq + p.cq_off.tail);
	cq_mask = *(unsigned int *)(cq + p.cq_off.ring_mask);
	cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

static void submit(struct request *r)
{
	memset(&sqes[0], 0, sizeof(sqes[0]));
	sqes[0].opcode = IORING_OP_NOP;
	sqes[0].user_data = (unsigned long)r;
	sq_array[0] = 0;
	__atomic_store_n(sq_tail, *sq_tail + 1, __ATOMIC_RELEASE);
	assert(syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) == 1);
}

static void complete(struct request *r)
{
	pthread_mutex_lock(&lock);
	r->completions++;
	assert(r->completions == 1);
	pthread_mutex_unlock(&lock);
}

static void *reap(void *arg)
{
	unsigned int head = *cq_head;

	while (head != __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE)) {
		complete((struct request *)(unsigned long)cqes[head & cq_mask].user_data);
		__atomic_store_n(cq_head, ++head, __ATOMIC_RELEASE);
	}
	return arg;
}

int main(void)
{
	struct request r = { 0 };
	pthread_t t;

	ring_init(1);
	pthread_create(&t, NULL, reap, NULL);
	submit(&r);
	reap(NULL);
	pthread_join(t, NULL);
	assert(r.completions == 1);
	return 0;
}
