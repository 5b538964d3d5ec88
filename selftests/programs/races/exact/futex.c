// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: a lock made by hand of atomic instructions and futex(2), as in U. Drepper,
 * "Futexes Are Tricky": 0 free, 1 taken, 2 taken and somebody may wait.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;
static int count;

static int swap_if(int from, int to)
{
	return __sync_val_compare_and_swap(&word, from, to);
}

static void lock(void)
{
	int seen = swap_if(0, 1);

	while (seen) {
		if (seen == 2 || swap_if(1, 2))
			syscall(SYS_futex, &word, FUTEX_WAIT, 2, NULL);
		seen = swap_if(0, 2);
	}
}

static void unlock(void)
{
	if (__atomic_exchange_n(&word, 0, __ATOMIC_SEQ_CST) == 2)
		syscall(SYS_futex, &word, FUTEX_WAKE, 1);
}

static void *increment(void *arg)
{
	for (int i = 0; i < 3; i++) {
		lock();
		count++;
		unlock();
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, increment, NULL);
	increment(NULL);
	pthread_join(t, NULL);
	return count != 6;
}
