/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small modelled programs out of a seed, run in two ways that share nothing but the
 * list of ops: under the search engine by way of sim.h, and by a plain enumeration of
 * all schedules. What the engine claims about a bounded space is held against that.
 *
 * sim_random.c		seed to program; the program as bodies for sim.h
 * sim_random_step.c	an interpreter of programs
 * sim_random_count.c	the enumeration
 */
#ifndef SELFTESTS_SIM_RANDOM_H
#define SELFTESTS_SIM_RANDOM_H

#include <stdio.h>

#include "sim.h"

#define RANDOM_TASKS	4
#define RANDOM_OPS	16	/* of a task */
#define RANDOM_OBJECTS	2	/* of a kind */
#define RANDOM_BOUND	8	/* the enumeration goes no further */

/**
 * enum random_kind - what one op does with object number a
 * @RANDOM_CREATE: makes task number a
 * @RANDOM_TRYLOCK: goes on after the next b ops where the mutex is taken
 * @RANDOM_WAIT: at condition variable a with mutex b
 * @RANDOM_TRYWAIT: goes on after the next b ops where the semaphore has nothing
 * @RANDOM_ADD: b to a variable
 * @RANDOM_CHECK: reads a variable and fails when it is b
 * @RANDOM_CAS: a variable from b to b + 1
 */
enum random_kind {
	RANDOM_CREATE, RANDOM_LOCK, RANDOM_TRYLOCK, RANDOM_UNLOCK, RANDOM_WAIT, RANDOM_SIGNAL,
	RANDOM_BROADCAST, RANDOM_SEM_WAIT, RANDOM_TRYWAIT, RANDOM_POST, RANDOM_ADD, RANDOM_CHECK,
	RANDOM_CAS, RANDOM_YIELD,
};

struct random_op {
	enum random_kind kind;
	int a, b;
};

/**
 * struct random_program - ops of each task; T0 begins and makes the others
 * @seed: what it was made from
 * @tasks: number of tasks
 * @n: number of ops of each
 * @op: ops of each
 * @value: of each semaphore at the start
 */
struct random_program {
	uint64_t seed;
	int tasks;
	int n[RANDOM_TASKS];
	struct random_op op[RANDOM_TASKS][RANDOM_OPS];
	int value[RANDOM_OBJECTS];
};

void random_make(struct random_program *p, uint64_t seed);
void random_make_small(struct random_program *p, uint64_t seed);
void random_print(const struct random_program *p, FILE *f);

/* The program for sim_new(); there is one at a time, and @p must stay. */
const struct sim_program *random_sim(const struct random_program *p);

/* At which op each of its tasks is, or was when the last run ended. */
const int *random_at(void);

/* How runs are made. */
struct random_way {
	const char *name;
	enum sim_enabled enabled;
	int fair_k;		/* 0: not fair */
	bool wake_any;		/* and not who came first; under random_count() only */
};

/* The first three are as under the module. */
#define RANDOM_WAYS	5
extern const struct random_way random_ways[RANDOM_WAYS];

/* Dynamic orders are of runs as the module makes them: a task can always go on at its point. */
static inline bool random_goes_with(unsigned int reduce, enum sim_enabled enabled)
{
	return reduce != CHESS_REDUCE_DPOR || enabled == SIM_KERNEL;
}

enum random_verdict { RANDOM_OK, RANDOM_DEADLOCK, RANDOM_ASSERT, __RANDOM_VERDICTS };

/* How many schedules with exactly so many preemptions end in each way. */
struct random_count {
	uint64_t runs[RANDOM_BOUND + 1][__RANDOM_VERDICTS];
};

void random_count(const struct random_program *p, const struct random_way *way, int bound,
		  struct random_count *out);

#endif /* SELFTESTS_SIM_RANDOM_H */
