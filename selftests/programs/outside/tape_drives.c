// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two jobs need two tape drives each, and there are two. Each job asks for one first and for
 * the other one when it has mounted its tape: each may have one then.
 *
 * source: Coffman, Elphick and Shoshani, ACM Computing Surveys 3(2), 1971, section 1
 * expect: verdict=deadlock
 */
#include <semaphore.h>

#include "outside.h"

struct tape {
	long job, reel, side;
};

static sem_t drives, jobs;

static void copy_to(struct tape tape)
{
	sem_wait(&drives);
	assert(tape.side == 1);
	sem_post(&drives);
}

static void run_job(void)
{
	struct tape tape = { .reel = 7, .side = 1 };

	/* Mended: one job at a time begins to ask. */
	if (IS_MENDED)
		sem_wait(&jobs);
	sem_wait(&drives);
	copy_to(tape);
	sem_post(&drives);
	if (IS_MENDED)
		sem_post(&jobs);
}

static void *others(void *arg)
{
	(void)arg;
	run_job();
	return NULL;
}

int main(void)
{
	sem_init(&drives, 0, 2);
	sem_init(&jobs, 0, 1);
	together(run_job, others);
	return 0;
}
