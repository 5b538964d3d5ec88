// SPDX-License-Identifier: GPL-2.0-only
/*
 * SafeStack (D. Vyukov), which SCTBench has: a stack of indices whose pop takes away the
 * next of an item before it swaps the head, against A-B-A. It takes three tasks and five
 * preemptions to have two of them own one item. selftests/programs/races/wrong/safestack.c
 * is the same as a real program.
 */
#include "programs.h"

#define ITEMS		3
#define TASKS		3
#define ROUNDS		3

static struct {
	struct sim_var head, count, next[ITEMS];
	struct sim_var value[ITEMS];
} g;

static void reset_stack(void)
{
	int i;

	g.head.value = 0;
	g.count.value = ITEMS;
	for (i = 0; i < ITEMS; i++) {
		g.next[i].value = i + 1 < ITEMS ? i + 1 : -1;
		g.value[i].value = 0;
	}
}

static long pop(void)
{
	long top, next;

	while (sim_load(&g.count) > 1) {
		top = sim_load(&g.head);
		next = sim_exchange(&g.next[top], -1);
		if (next >= 0) {
			if (sim_cas(&g.head, top, next)) {
				sim_add(&g.count, -1);
				return top;
			}
			sim_exchange(&g.next[top], next);
		}
		sim_yield();
	}
	return -1;
}

static void push(long index)
{
	long top;

	do {
		top = sim_load(&g.head);
		sim_store(&g.next[index], top);
	} while (!sim_cas(&g.head, top, index));
	sim_add(&g.count, 1);
}

static void use_items(void *arg)
{
	long me = (long)arg, index;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		while ((index = pop()) < 0)
			sim_yield();
		sim_store(&g.value[index], me);
		sim_assert(sim_load(&g.value[index]) == me);
		push(index);
	}
}

static void stack_main(void *arg)
{
	(void)arg;
	run_tasks(use_items, TASKS);
}

const struct sim_program safestack = {
	.name = "safestack", .reset = reset_stack, .main = stack_main,
};
