// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: the queue lock of Mellor-Crummey and Scott (TOCS, 1991) around a counter. Its
 * nodes are on the stacks of those who wait; what is recorded there are a release store and an
 * acquire load, plain moves both, by pointers.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define ROUNDS 2

struct node {
	_Atomic(struct node *) next;
	atomic_bool waits;
};

static _Atomic(struct node *) tail;
static int count;

static void lock(struct node *me)
{
	struct node *before;

	atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
	before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
	if (!before)
		return;
	atomic_store_explicit(&me->waits, true, memory_order_relaxed);
	atomic_store_explicit(&before->next, me, memory_order_release);
	while (atomic_load_explicit(&me->waits, memory_order_acquire))
		sched_yield();
}

static void unlock(struct node *me)
{
	struct node *next = atomic_load_explicit(&me->next, memory_order_acquire), *self = me;

	if (!next) {
		if (atomic_compare_exchange_strong_explicit(&tail, &self, NULL,
							    memory_order_release,
							    memory_order_relaxed))
			return;
		while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
			sched_yield();
	}
	atomic_store_explicit(&next->waits, false, memory_order_release);
}

static void *add(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct node me;

		lock(&me);
		count++;
		unlock(&me);
	}
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return count != 2 * ROUNDS;
}
