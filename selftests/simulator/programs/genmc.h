/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of GenMC's regression suite, of which the number of executions under sequential
 * consistency was published. Ours were written from what the originals do.
 *
 * What GenMC counts are execution graphs: which write each read takes its value from, and in
 * which order the writes of each location come. Under sequential consistency two runs have the
 * same graph exactly when operations that conflict come in the same order in both, so these are
 * our happens-before classes. Runs in which an assumption did not hold are not among them.
 */
#ifndef SELFTESTS_GENMC_H
#define SELFTESTS_GENMC_H

#include "programs.h"

#define GENMC_BOUNDS	14

/**
 * struct genmc_counts - what was published of one test
 * @suite: the directory of tests/correct
 * @name: of the test
 * @n: its parameter N; 0: it has none
 * @executions: under sequential consistency
 * @within: of those, how many have at most 0, 1, 2... preemptions; the last is for all that
 *	follow
 * @bounds: how many of these were published
 */
struct genmc_counts {
	const char *suite, *name;
	int n;
	unsigned int executions;
	unsigned int within[GENMC_BOUNDS];
	unsigned int bounds;
};

extern const struct genmc_counts genmc_counts[];
extern const size_t n_genmc_counts;

/**
 * struct genmc - a program
 * @suite, @name: as in struct genmc_counts
 * @n: list of its parameters, ended by 0; none: it has no parameter
 * @main: body of T0
 * @tasks: without @main: what its tasks do, see genmc_litmus.c
 */
struct genmc {
	const char *suite, *name;
	int n[8];
	void (*main)(void *arg);
	const char *tasks;
};

/* genmc_litmus.c, genmc_synthetic.c */
extern const struct genmc genmc_litmus[], genmc_synthetic[];
extern const size_t n_genmc_litmus, n_genmc_synthetic;

/* One row: a program with one parameter. */
struct genmc_row {
	const struct genmc *of;
	const struct genmc_counts *published;
	struct sim_program program;
};

/* Makes row @i ready to run, there is one at a time. Return: false after the last. */
bool genmc_at(size_t i, struct genmc_row *row);

/* Digest of the execution graph of the last run, from its reads and writes alone. */
uint64_t genmc_graph(void);

/* For the programs */
#define GENMC_VARS	700
extern struct sim_var genmc_var[GENMC_VARS];
extern struct sim_mutex genmc_mutex[4];
extern int genmc_n;			/* N */
extern const char *genmc_tasks;
/*
 * What the same of sim.h does, noted for genmc_graph(). The last three return the value that was
 * there before. A genmc_cas() that fails is a read there.
 */
long genmc_load(const struct sim_var *v);
void genmc_store(struct sim_var *v, long value);
long genmc_add(struct sim_var *v, long n);
long genmc_exchange(struct sim_var *v, long value);
long genmc_cas(struct sim_var *v, long from, long to);
void genmc_lock(struct sim_mutex *m);
void genmc_unlock(struct sim_mutex *m);
/* An assumption does not hold: the run is not counted. The task must return. */
void genmc_give_up(void);
/* T0's last: the run fails if an assumption did not hold. */
void genmc_end(void);
/* T0 creates a task for each of the bodies, and joins them in this order. */
void genmc_run(void (*const body[])(void *arg), int n);
/* The same with @n times the same one, given its number from @first on. */
void genmc_run_same(void (*body)(void *arg), int first, int n);
void genmc_run_litmus(void *arg);

#endif /* SELFTESTS_GENMC_H */
