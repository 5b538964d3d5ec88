// SPDX-License-Identifier: GPL-2.0-only
/*
 * Treiber's stack (IBM RJ 5118, 1986) of nodes that are used again, without the counter
 * beside its head: a compare-and-swap cannot tell that the head went away and came back
 * (A-B-A).
 *
 * expect: verdict=assert preemptions=1
 * The schedule: T0 pops: it has loaded the head A and A's next B, and is preempted before
 * its compare-and-swap. T1 pops A and B, and pushes A. T0's swap succeeds and leaves B as
 * the head, which T1 has. T0's second pop gets it, too. One preemption: without it each
 * pop and push is whole.
 *
 * The head is of an atomic type and is loaded by a plain mov, so what must be preempted
 * there is neither a race, where the type is known, nor an atomic instruction.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define NODES 4

struct node {
	struct node *next;
	int owned;
};

static struct node nodes[NODES];
static struct node *_Atomic head;

static struct node *pop(void)
{
	struct node *top, *next;

	do {
		top = atomic_load(&head);
		next = top->next;
	} while (!atomic_compare_exchange_strong(&head, &top, next));
	return top;
}

static void push(struct node *node)
{
	struct node *top = atomic_load(&head);

	do {
		node->next = top;
	} while (!atomic_compare_exchange_strong(&head, &top, node));
}

static void take(struct node *node)
{
	assert(!node->owned);
	node->owned = 1;
}

static void *pop_two_push_one(void *arg)
{
	struct node *first = pop();

	take(first);
	take(pop());
	first->owned = 0;
	push(first);
	return arg;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i + 1 < NODES; i++)
		nodes[i].next = &nodes[i + 1];
	head = nodes;
	pthread_create(&t, NULL, pop_two_push_one, NULL);
	take(pop());
	take(pop());
	pthread_join(t, NULL);
	return 0;
}
