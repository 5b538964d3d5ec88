// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers count themselves in one of two counters, and an updater has new readers use the
 * other one and waits for the first to drain. A reader that has chosen a counter, but is not
 * counted yet, is overlooked by the second updater. It takes two flips in each update.
 *
 * source: Desnoyers et al., IEEE TPDS 2012, section on general-purpose RCU
 * expect: verdict=memory
 */
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#include "outside.h"

struct config {
	volatile int value;
	long rest[4];
};

static struct config *_Atomic current;
static atomic_int phase, readers[2];
static sem_t is_registered;

static void flip(void)
{
	int old = atomic_load(&phase);

	atomic_store(&phase, !old);
	while (atomic_load(&readers[old]))
		sched_yield();
}

static struct config *make(void)
{
	struct config *config = calloc(1, sizeof(*config));

	assert(config);
	return config;
}

static void update(void)
{
	struct config *old = atomic_exchange(&current, make());

	flip();
	if (IS_MENDED)
		flip();
	free(old);
}

static void *get(void *arg)
{
	struct config *config;
	int mine;

	(void)arg;
	sem_post(&is_registered);
	mine = atomic_load(&phase);
	atomic_fetch_add(&readers[mine], 1);
	config = atomic_load(&current);
	(void)config->value;
	atomic_fetch_sub(&readers[mine], 1);
	return NULL;
}

static void update_twice(void)
{
	struct timespec pause = { .tv_nsec = 10000000 };

	sem_wait(&is_registered);
	update();
	nanosleep(&pause, NULL);
	update();
}

int main(void)
{
	sem_init(&is_registered, 0, 0);
	atomic_store(&current, make());
	together(update_twice, get);
	return 0;
}
