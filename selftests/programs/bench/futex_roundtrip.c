// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads on one CPU in strict turns over a futex word, by bare syscalls: two
 * sleeps, two wake-ups. One operation is one round trip.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

static uint32_t turn;
static long n;

static void take_turns(uint32_t mine)
{
	for (long i = 0; i < n; i++) {
		uint32_t now;

		while ((now = __atomic_load_n(&turn, __ATOMIC_ACQUIRE)) != mine)
			syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
		__atomic_store_n(&turn, !mine, __ATOMIC_RELEASE);
		syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *second(void *arg)
{
	take_turns(1);
	return arg;
}

int main(int argc, char **argv)
{
	cpu_set_t cpu;
	pthread_t t;

	n = bench_count(argc, argv);
	/* where a group's tasks are anyway; without control it must be asked for */
	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	bench_check(!sched_setaffinity(0, sizeof(cpu), &cpu), "sched_setaffinity");
	pthread_create(&t, NULL, second, NULL);
	bench_start();
	take_turns(0);
	pthread_join(t, NULL);
	bench_end("futex_roundtrip", n);
	return 0;
}
