/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What brute force knows of the bugs of a program of sim_random.h, and so what a strategy has
 * to find. Nothing here knows the engine.
 *
 * sim_random_bugs.c	every schedule: the bugs, their price, a random walk's chance
 * sim_random_chance.c	pct and pos of their papers, to be held against ours
 */
#ifndef SELFTESTS_SIM_RANDOM_BUGS_H
#define SELFTESTS_SIM_RANDOM_BUGS_H

#include "sim_random_step.h"

#define RANDOM_BUGS	256	/* of one program */

/**
 * struct random_bug - a deadlock, told by where each task is; or a failure, told by its op
 * @key: which
 * @preemptions: the fewest of a schedule that shows it
 * @delays: the same
 * @walk: chance that a random walk shows it
 * @chance: what random_pct() gives it
 * @hits: in how many runs of random_pos() it was
 */
struct random_bug {
	uint64_t key;
	unsigned int preemptions, delays;
	double walk, chance;
	unsigned int hits;
};

/**
 * struct random_bugs - all bugs of a program
 * @n: length of @bug
 * @bug: one by one
 * @schedules: how many the program has
 * @preempted: of them with so many preemptions, up to RANDOM_BOUND
 * @delayed: with so many delays
 */
struct random_bugs {
	size_t n;
	struct random_bug bug[RANDOM_BUGS];
	uint64_t schedules;
	uint64_t preempted[RANDOM_BOUND + 1], delayed[RANDOM_BOUND + 1];
};

/* Of a run that ended as @v says, of @task the failure, with tasks at these ops; 0: no bug. */
uint64_t random_bug_key(enum random_verdict v, int task, const int at[RANDOM_TASKS]);
uint64_t random_bug_of(const struct random_state *s, enum random_verdict v);
struct random_bug *random_bug_find(struct random_bugs *bugs, uint64_t key);
/* Return: false: there are more than @max schedules, and @out is not all. */
bool random_bugs(const struct random_program *p, enum sim_enabled enabled, int fair_k,
		 uint64_t max, struct random_bugs *out);

/* May chance choose @task? */
bool random_chance_may(const struct random_state *s, enum random_decision d, int task);
/* The exact chances of pct's runs with @depth when it takes the program for @k steps. */
void random_pct(const struct random_program *p, enum sim_enabled enabled, int fair_k,
		unsigned int depth, unsigned int k, struct random_bugs *bugs);
/* @runs runs of pos; hits are added. */
void random_pos(const struct random_program *p, int fair_k, unsigned int runs,
		struct random_bugs *bugs);

#endif /* SELFTESTS_SIM_RANDOM_BUGS_H */
