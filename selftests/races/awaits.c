// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops that wait for another task and do not say so, as programs have them: locks by an atomic
 * instruction, tickets, flags. awaits KIND [HOW]: two threads. Without HOW it is right, and
 * nothing is lost; with it something is wrong in some schedules, and main fails, or waits for ever.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_int lock, other, serving, next, want[2], turn, one, two, seen;
static volatile int plain;
static bool wrong;
static int counter, data;

/* Read and written apart, so that a lock that does not hold shows. */
static void count(void)
{
	int was = counter;

	atomic_load(&seen);
	counter = was + 1;
}

static void exchange(int me)
{
	(void)me;
	/* Wrong: it is looked at first, and taken after that. */
	if (wrong) {
		while (atomic_load(&lock))
			;
		atomic_store(&lock, 1);
	} else {
		while (atomic_exchange(&lock, 1))
			;
	}
	count();
	atomic_store(&lock, 0);
}

static void compare(int me)
{
	int expected = 0;

	(void)me;
	while (!atomic_compare_exchange_strong(&lock, &expected, 1))
		expected = 0;
	/* Wrong: it is given back too early. */
	if (wrong)
		atomic_store(&lock, 0);
	count();
	atomic_store(&lock, 0);
}

static void test_first(int me)
{
	(void)me;
	do {
		while (atomic_load_explicit(&lock, memory_order_relaxed))
			__builtin_ia32_pause();
	} while (atomic_exchange(&lock, !wrong));
	count();
	atomic_store(&lock, 0);
}

static void ticket(int me)
{
	int mine;

	(void)me;
	if (wrong) {
		mine = atomic_load(&next);
		atomic_store(&next, mine + 1);
	} else {
		mine = atomic_fetch_add(&next, 1);
	}
	while (atomic_load(&serving) != mine)
		;
	count();
	atomic_fetch_add(&serving, 1);
}

static void peterson(int me)
{
	/* Wrong: it is the other one's turn already when this one wants it. */
	if (!wrong)
		atomic_store(&want[me], 1);
	atomic_store(&turn, !me);
	if (wrong)
		atomic_store(&want[me], 1);
	while (atomic_load(&want[!me]) && atomic_load(&turn) == !me)
		;
	count();
	atomic_store(&want[me], 0);
}

static void flag(int me)
{
	if (me) {
		while (!plain)
			;
		counter = data;
	} else if (wrong) {
		plain = 1;
		data = 2;
	} else {
		data = 2;
		atomic_thread_fence(memory_order_seq_cst);
		plain = 1;
	}
}

/* What was read first is still to be used at the second one. */
static void sum(int me)
{
	if (me) {
		while (atomic_load(&one) + atomic_load(&two) != 2)
			;
		counter = data;
		return;
	}
	data = wrong ? 0 : 2;
	atomic_store(&one, 1);
	atomic_store(&two, 1);
	data = 2;
}

/* Whether tasks wait is a third value, so some turns change it. */
static void three(int me)
{
	int expected = 0;

	(void)me;
	if (!atomic_compare_exchange_strong(&lock, &expected, 1))
		while (atomic_exchange(&lock, 2))
			;
	count();
	/* Wrong: it is not given back to a task that waits. */
	if (!wrong || atomic_load(&lock) == 1)
		atomic_store(&lock, 0);
}

/* Wrong: in another order; for ever. */
static void both(int me)
{
	atomic_int *first = me && wrong ? &other : &lock, *second = first == &lock ? &other : &lock;

	while (atomic_exchange(first, 1))
		;
	while (atomic_exchange(second, 1))
		;
	count();
	atomic_store(second, 0);
	atomic_store(first, 0);
}

static volatile sig_atomic_t rung;

static void ring(int sig)
{
	(void)sig;
	rung = 1;
}

/* Time ends the wait; or one with a yield. */
static void late(int me)
{
	counter = 2;
	if (me)
		return;
	signal(SIGALRM, ring);
	alarm(1);
	while (!rung)
		if (wrong)
			sched_yield();
}

static const struct {
	const char *name;
	void (*run)(int me);
} kinds[] = {
	{ "exchange", exchange }, { "compare", compare }, { "test_first", test_first },
	{ "ticket", ticket }, { "peterson", peterson }, { "flag", flag }, { "sum", sum },
	{ "three", three }, { "both", both }, { "late", late },
};

static void (*run)(int me);

static void *thread(void *me)
{
	run(me != NULL);
	return me;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(argv[1], kinds[i].name))
			run = kinds[i].run;
	wrong = argc > 2;
	if (!run) {
		fprintf(stderr, "usage: %s KIND [wrong]\n", argv[0]);
		return 2;
	}
	pthread_create(&t[0], NULL, thread, NULL);
	pthread_create(&t[1], NULL, thread, t);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(counter == 2);
	return 0;
}
