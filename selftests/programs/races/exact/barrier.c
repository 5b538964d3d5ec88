// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: each task writes its slot, and reads that of the other one in the next round.
 */
#include <pthread.h>

#define TASKS 3

static pthread_barrier_t round_end;
static int slot[TASKS], sum[TASKS];

static void *work(void *arg)
{
	int me = (int)(long)arg;

	for (int round = 0; round < 2; round++) {
		slot[me]++;
		pthread_barrier_wait(&round_end);
		sum[me] += slot[(me + 1) % TASKS];
		pthread_barrier_wait(&round_end);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[TASKS];

	pthread_barrier_init(&round_end, NULL, TASKS);
	for (long i = 1; i < TASKS; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	work(NULL);
	for (int i = 1; i < TASKS; i++)
		pthread_join(t[i], NULL);
	return sum[0] + sum[1] + sum[2] != 9;
}
