// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: the queue of Michael and Scott (PODC, 1996), with nodes that are freed at the
 * end only. Both links of it are atomic members of what was allocated.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ITEMS 3

struct node {
	int value;
	_Atomic(struct node *) next;
};

struct queue {
	_Atomic(struct node *) head, tail;
};

static struct node *new_node(int value)
{
	struct node *n = malloc(sizeof(*n));

	n->value = value;
	atomic_init(&n->next, NULL);
	return n;
}

static void enqueue(struct queue *q, int value)
{
	struct node *n = new_node(value), *tail, *next;

	for (;;) {
		tail = atomic_load_explicit(&q->tail, memory_order_acquire);
		next = atomic_load_explicit(&tail->next, memory_order_acquire);
		if (next) {
			atomic_compare_exchange_weak(&q->tail, &tail, next);
			continue;
		}
		if (atomic_compare_exchange_weak(&tail->next, &next, n))
			break;
	}
	atomic_compare_exchange_strong(&q->tail, &tail, n);
}

/* Returns -1 where it is empty. */
static int dequeue(struct queue *q)
{
	for (;;) {
		struct node *head = atomic_load_explicit(&q->head, memory_order_acquire);
		struct node *tail = atomic_load_explicit(&q->tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&head->next, memory_order_acquire);
		int value;

		if (!next)
			return -1;
		if (head == tail) {
			atomic_compare_exchange_weak(&q->tail, &tail, next);
			continue;
		}
		value = next->value;
		if (atomic_compare_exchange_weak(&q->head, &head, next))
			return value;
	}
}

static void *produce(void *queue)
{
	for (int i = 1; i <= ITEMS; i++)
		enqueue(queue, i);
	return NULL;
}

int main(void)
{
	struct queue *q = malloc(sizeof(*q));
	struct node *first = new_node(0), *next;
	pthread_t t;
	int sum = 0;

	atomic_init(&q->head, first);
	atomic_init(&q->tail, first);
	pthread_create(&t, NULL, produce, q);
	for (int got = 0; got < ITEMS;) {
		int value = dequeue(q);

		if (value < 0) {
			sched_yield();
			continue;
		}
		sum += value;
		got++;
	}
	pthread_join(t, NULL);
	for (; first; first = next) {
		next = atomic_load(&first->next);
		free(first);
	}
	free(q);
	return sum != ITEMS * (ITEMS + 1) / 2;
}
