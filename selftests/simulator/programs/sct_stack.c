// SPDX-License-Identifier: GPL-2.0-only
/*
 * SafeStack (D. Vyukov), which SCTBench has: a stack of indices whose pop takes away the
 * next of an item before it swaps the head, against A-B-A. It takes three tasks and seven
 * preemptions until one of two that own an item notices (selftests/unit/safestack_test.c).
 * selftests/programs/races/wrong/safestack.c is the same as a real program, with the same
 * accesses to the same variables, in the same order in memory: strategy surw draws by it.
 */
#include "programs.h"

#define ITEMS		3
#define TASKS		3
#define ROUNDS		3

static struct {
	struct {
		struct sim_var value, next;
	} item[ITEMS];
	struct sim_var head, count;
	struct sim_event loaded;
} g;

static void reset_stack(void)
{
	int i;

	g.head.value = 0;
	g.count.value = ITEMS;
	for (i = 0; i < ITEMS; i++) {
		g.item[i].next.value = i + 1 < ITEMS ? i + 1 : -1;
		g.item[i].value.value = 0;
	}
}

static long pop(void)
{
	long top, next;

	while (sim_load(&g.count) > 1) {
		top = sim_load(&g.head);
		next = sim_exchange(&g.item[top].next, -1);
		if (next >= 0) {
			if (sim_cas(&g.head, top, next)) {
				sim_add(&g.count, -1);
				return top;
			}
			sim_exchange(&g.item[top].next, next);
		}
		sim_yield();
	}
	return -1;
}

static void push(long index)
{
	long top = sim_load(&g.head);

	for (;;) {
		sim_store(&g.item[index].next, top);
		if (sim_cas(&g.head, top, index))
			break;
		/* As in C11 the exchange that fails says what it found: no other access. */
		top = g.head.value;
	}
	sim_add(&g.count, 1);
}

static void use_items(void *arg)
{
	long me = (long)arg, index;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		while ((index = pop()) < 0)
			sim_yield();
		sim_store(&g.item[index].value, me);
		sim_assert(sim_load(&g.item[index].value) == me);
		push(index);
	}
}

static void stack_main(void *arg)
{
	(void)arg;
	run_tasks(use_items, TASKS);
}

static void stack_started(void *arg)
{
	int i;

	for (i = 0; i < SAFESTACK_LOADER; i++)
		sim_event_set(&g.loaded);
	stack_main(arg);
}

const struct sim_program safestack = {
	.name = "safestack", .reset = reset_stack, .main = stack_main,
};
const struct sim_program safestack_started = {
	.name = "safestack_started", .reset = reset_stack, .main = stack_started,
};
