// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads take 70 from an account that has 100. Each looks in one critical section
 * and takes in another: both may find enough. The lock is the program's own, so no
 * schedule of chessctl's separates the two sections, until spin.bpf.c makes points of it.
 * With an argument it is right: one critical section for both.
 *
 * expect: preemptions=1 right: runs=3,24,135
 *
 * The numbers are those of model/bpf.c, which enumerates the schedules of two tasks with
 * these points: lock, unlock, the end of each thread, and a yield for each round of waiting.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#include "spin.h"

static int lock, balance = 100;
static bool right;

static void *take(void *unused)
{
	bool enough;

	spin_lock(&lock);
	enough = balance >= 70;
	if (!right) {
		spin_unlock(&lock);
		spin_lock(&lock);
	}
	if (enough)
		balance -= 70;
	spin_unlock(&lock);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	right = argc > 1;
	pthread_create(&a, NULL, take, NULL);
	pthread_create(&b, NULL, take, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance >= 0);
	return 0;
}
