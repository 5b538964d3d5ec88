/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The work-stealing queue of CHESS's tests, after Cilk's (Frigo, Leiserson and Randall,
 * PLDI'98, the THE protocol): the owner pushes and pops at the tail, thieves take at the
 * head. Each moves its end first and looks then whether it met the other; the lock is for
 * thieves, and for the owner where it met one or the queue is full. Head and tail are read
 * by compare-and-swap and written by exchange, as CHESS's tests do by interlocked calls.
 *
 * The bug: push() takes a queue for not full when no entry is free (mask + 1), so what a
 * thief is about to take is overwritten.
 *
 * LOCK() and UNLOCK(), THIEVES, ITEMS and STEALS come from who includes this. With PLAIN
 * head and tail are not set at first, and by plain stores where the queue grows, as in
 * the programs that show CHESS their state; with IN_TURN all is pushed before the first pop.
 * selftests/simulator/programs/steal.c is the same for the model.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 16
#define NOTHING (-1)

static long head, tail;
static int mask = 1;
static int entry[ENTRIES_MAX];
static int taken[ITEMS];

static long get(long *end)
{
	return __sync_val_compare_and_swap(end, 0, 0);
}

static void put(long *end, long value)
{
	__atomic_exchange_n(end, value, __ATOMIC_SEQ_CST);
}

static int steal(void)
{
	int item = NOTHING;
	long h;

	LOCK();
	h = get(&head);
	put(&head, h + 1);
	if (h < get(&tail))
		item = entry[h & mask];
	else
		put(&head, h);
	UNLOCK();
	return item;
}

static int pop_locked(void)
{
	int item = NOTHING;
	long t;

	LOCK();
	t = get(&tail) - 1;
	put(&tail, t);
	if (get(&head) <= t)
		item = entry[t & mask];
	else
		put(&tail, t + 1);
	if (get(&head) > t) {
		put(&head, 0);
		put(&tail, 0);
		item = NOTHING;
	}
	UNLOCK();
	return item;
}

static int pop(void)
{
	long t = get(&tail) - 1;

	put(&tail, t);
	if (get(&head) <= t)
		return entry[t & mask];
	put(&tail, t + 1);
	return pop_locked();
}

/* Twice the room; what is in the queue comes to its beginning. */
static void grow(long h, long count)
{
	int more[ENTRIES_MAX] = { 0 };

	for (long i = 0; i < count; i++)
		more[i] = entry[(h + i) & mask];
	memcpy(entry, more, sizeof(entry));
	mask = 2 * mask + 1;
#ifdef PLAIN
	head = 0;
	tail = count;
#else
	put(&head, 0);
	put(&tail, count);
#endif
}

static void push_locked(int item)
{
	long h, t, count;

	LOCK();
	h = get(&head);
	count = get(&tail) - h;
	h &= mask;
	put(&head, h);
	put(&tail, h + count);
	if (count >= mask)
		grow(h, count);
	t = get(&tail);
	entry[t & mask] = item;
	put(&tail, t + 1);
	UNLOCK();
}

static void push(int item)
{
	long t = get(&tail);

	if (t < get(&head) + mask + 1) {
		entry[t & mask] = item;
		put(&tail, t + 1);
	} else {
		push_locked(item);
	}
}

static void use(int item)
{
	if (item != NOTHING)
		taken[item]++;
}

static void *thief(void *arg)
{
	for (int i = 0; i < STEALS; i++)
		use(steal());
	return arg;
}

static void push_and_pop(void)
{
#ifdef IN_TURN
	for (int i = 0; i < ITEMS; i++)
		push(i);
	for (int i = 0; i < ITEMS; i++)
		use(pop());
#else
	for (int i = 0; i < ITEMS; i += 2) {
		push(i);
		push(i + 1);
		use(pop());
	}
	for (int i = 0; i < ITEMS; i += 2)
		use(pop());
#endif
}

int main(void)
{
	pthread_t t[THIEVES];

#ifndef PLAIN
	put(&head, 0);
	put(&tail, 0);
#endif
	for (int i = 0; i < THIEVES; i++)
		pthread_create(&t[i], NULL, thief, NULL);
	push_and_pop();
	for (int i = 0; i < THIEVES; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < ITEMS; i++)
		assert(taken[i] == 1);
	return 0;
}
