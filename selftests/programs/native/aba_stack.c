// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock-free stack by compare-and-exchange alone. Between the look at the top and the
 * exchange the top is taken, the one below it too, and the first is put back: the exchange
 * succeeds, and the top is a node that somebody else has.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "window.h"

struct node {
	int next;
};

/* The top is an index; mended it has a count of its changes above it. */
static struct node nodes[4];
static atomic_uint top;

static unsigned int changed(unsigned int old, unsigned int index)
{
	return IS_MENDED ? ((old >> 8) + 1) << 8 | index : index;
}

static void push(unsigned int index)
{
	unsigned int old = atomic_load(&top);

	do
		nodes[index].next = old & 0xff;
	while (!atomic_compare_exchange_strong(&top, &old, changed(old, index)));
}

static unsigned int pop(int is_slow)
{
	unsigned int old = atomic_load(&top), next;

	do {
		if (!(old & 0xff))
			return 0;
		next = nodes[old & 0xff].next;
		if (is_slow)
			WINDOW();
	} while (!atomic_compare_exchange_strong(&top, &old, changed(old, next)));
	return old & 0xff;
}

static unsigned int kept;

static void *take_two(void *arg)
{
	unsigned int first;

	(void)arg;
	INTO_WINDOW();
	first = pop(0);
	kept = pop(0);
	if (first)
		push(first);
	return NULL;
}

int main(void)
{
	unsigned int mine, other;
	pthread_t thread;

	push(1);
	push(2);
	assert(!pthread_create(&thread, NULL, take_two, NULL));
	mine = pop(1);
	assert(!pthread_join(thread, NULL));
	other = pop(0);
	/* Each node is somewhere once. */
	assert(mine != kept || !mine);
	assert(other != kept || !other);
	assert(other != mine || !mine);
	return 0;
}
