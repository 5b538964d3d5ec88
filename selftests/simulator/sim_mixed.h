/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small modelled programs out of a seed that have what those of sim_random.h have not: several
 * processes, pipes, signals, time-outs, a timer, waits for ends. They are run in two ways that
 * share nothing but the list of ops: under the search engine by way of sim.h, and by a plain
 * enumeration of all schedules.
 *
 * What comes of a run is one number: the tasks' logs, in which each op notes how often what it
 * works on was changed before. So it is the same for all orders of ops on different things.
 *
 * sim_mixed.c		seed to program; the program as bodies for sim.h
 * sim_mixed_step.c	an interpreter of programs
 * sim_mixed_count.c	every schedule, and what comes of it
 */
#ifndef SELFTESTS_SIM_MIXED_H
#define SELFTESTS_SIM_MIXED_H

#include <stdio.h>

#include "sim.h"

#define MIXED_TASKS	4
#define MIXED_OPS	12	/* of a task */
#define MIXED_OBJECTS	2	/* of a kind, numbers 0 and 1 */
#define MIXED_BOUND	3	/* the highest */

/**
 * enum mixed_kind - what one op does with object number a
 * @MIXED_CREATE: makes task number a, a thread
 * @MIXED_FORK: the same, a process
 * @MIXED_JOIN: waits for the end of thread number a
 * @MIXED_WAIT_CHILD: waits for the end of the process of task number a
 * @MIXED_TRYLOCK: goes on after the next b ops where the mutex is taken
 * @MIXED_TIMEDLOCK: the same where the deadline has passed
 * @MIXED_WAIT: at condition variable a with mutex b
 * @MIXED_TIMEDWAIT: the same with a deadline
 * @MIXED_TRYWAIT: goes on after the next b ops where the semaphore has nothing
 * @MIXED_READ: of a pipe; goes on after the next b ops where it is at its end
 * @MIXED_CLOSE: the writing end of a pipe
 * @MIXED_KILL: sends a signal to task number a
 * @MIXED_ARM: the timer
 * @MIXED_TIMER: waits until the timer has gone off
 * @MIXED_ADD: b to a variable
 * @MIXED_CHECK: reads a variable and fails when it is b
 * @MIXED_CAS: a variable from b to b + 1
 */
enum mixed_kind {
	MIXED_CREATE, MIXED_FORK, MIXED_JOIN, MIXED_WAIT_CHILD, MIXED_LOCK, MIXED_TRYLOCK,
	MIXED_TIMEDLOCK, MIXED_UNLOCK, MIXED_WAIT, MIXED_TIMEDWAIT, MIXED_SIGNAL, MIXED_BROADCAST,
	MIXED_SEM_WAIT, MIXED_TRYWAIT, MIXED_POST, MIXED_READ, MIXED_WRITE, MIXED_CLOSE, MIXED_KILL,
	MIXED_ARM, MIXED_TIMER, MIXED_SLEEP, MIXED_YIELD, MIXED_ADD, MIXED_CHECK, MIXED_CAS,
	__MIXED_KINDS,
};

struct mixed_op {
	enum mixed_kind kind;
	int a, b;
};

/* Features of a program, as bits. */
enum {
	MIXED_PROCESSES = 1, MIXED_PIPES = 2, MIXED_SIGNALS = 4, MIXED_TIME = 8, MIXED_TIMERS = 16,
	MIXED_SILENT = 32,	/* the end of a task is not a point */
};

/**
 * struct mixed_program - ops of each task; T0 begins
 * @seed: what it was made from
 * @has: features
 * @tasks: number of tasks
 * @parent: who creates each
 * @process: number of the process of each
 * @n: number of ops of each
 * @op: ops of each
 * @handlers: number of ops of @handler
 * @handler: what a task does when it takes a signal
 * @value: of each semaphore at the start
 */
struct mixed_program {
	uint64_t seed;
	unsigned int has;
	int tasks;
	int parent[MIXED_TASKS], process[MIXED_TASKS];
	int n[MIXED_TASKS];
	struct mixed_op op[MIXED_TASKS][MIXED_OPS];
	int handlers;
	struct mixed_op handler[2];
	int value[MIXED_OBJECTS];
};

/* Noted in a log when a task takes a signal; others are kinds of ops. */
#define MIXED_HANDLER	100

void mixed_make(struct mixed_program *p, uint64_t seed);
void mixed_print(const struct mixed_program *p, FILE *f);
const struct sim_program *mixed_sim(const struct mixed_program *p);
/* What came of the last run under sim.h; @fails: an assertion did, of @task */
uint64_t mixed_outcome(bool fails, bool deadlock, int task);

/* The same number, of what both ways know of a run. */
uint64_t mixed_number(const struct mixed_program *p, bool fails, bool deadlock, int task,
		      const int at[MIXED_TASKS], const uint64_t log[MIXED_TASKS]);

#define MIXED_OUTCOMES	4096

/**
 * struct mixed_outcomes - what can come of a program
 * @n: how many are there
 * @outcome: by number
 * @schedules: all, and by bound those within it
 */
struct mixed_outcomes {
	size_t n;
	struct {
		uint64_t number;
		unsigned int preemptions;	/* the fewest */
		unsigned int seen;		/* for the user */
	} outcome[MIXED_OUTCOMES];
	uint64_t schedules, within[MIXED_BOUND + 1];
};

bool mixed_count(const struct mixed_program *p, int fair_k, uint64_t max,
		 struct mixed_outcomes *out);

#endif /* SELFTESTS_SIM_MIXED_H */
