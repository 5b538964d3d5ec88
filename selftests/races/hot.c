// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose record of accesses is long: a loop with millions of them comes first, in a
 * task that has had company, since one that is alone has few recorded (rests.c).
 *
 *   hot late		then two threads race on a variable
 *   hot ordered	then one thread gives numbers to another through an atomic flag, by
 *			plain moves, thousands of times: no race
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define LOOPS	5000000
#define ROUNDS	5000

static volatile unsigned int table[1024];
static volatile int late;
static int number;
static atomic_int given;

static void __attribute__((noinline)) fill(void)
{
	unsigned int i;

	for (i = 0; i < LOOPS; i++)
		table[i % 1024] += i;
}

static void *change(void *unused)
{
	late++;
	return unused;
}

/* All stores are one instruction. */
static void __attribute__((noinline)) give(int round)
{
	atomic_store_explicit(&given, round, memory_order_release);
}

static int __attribute__((noinline)) is_given(int round)
{
	return atomic_load_explicit(&given, memory_order_acquire) == round;
}

static void *nothing(void *unused)
{
	return unused;
}

static void *take(void *unused)
{
	while (!is_given(ROUNDS))
		sched_yield();
	return number == ROUNDS ? unused : NULL;
}

int main(int argc, char **argv)
{
	void *(*second)(void *) = argc > 1 && !strcmp(argv[1], "ordered") ? take : change;
	pthread_t thread;
	int i;

	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	fill();
	pthread_create(&thread, NULL, second, NULL);
	if (second == change)
		change(NULL);
	for (i = 1; second == take && i <= ROUNDS; i++) {
		if (i == ROUNDS)
			number = i;
		give(i);
	}
	pthread_join(thread, NULL);
	printf("%u %d\n", table[1], late);
	return 0;
}
