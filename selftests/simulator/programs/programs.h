/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs for the user-space model whose figures were published, to hold ours
 * against theirs: CHESS's regression programs, those of PLDI'08, table 2, and the
 * pthread programs of SCTBench.
 */
#ifndef SELFTESTS_PROGRAMS_H
#define SELFTESTS_PROGRAMS_H

#include "chess_rule.h"
#include "sim.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* Bounds 1, 2 and 3. */
#define GOLDEN_BOUNDS	3

/**
 * struct golden - a program of CHESS's regression tests
 * @program: it
 * @runs: CHESS's number of runs with up to N + 1 preemptions; 0: it gives none
 * @classes: its number of happens-before classes; 0: it gives none
 * @steps: its longest run
 * @verdict: what it reports first; one of them for all bounds but where
 * @verdict_from says otherwise
 * @verdict_from: the first bound that shows @verdict; 0: the first one
 * @max_points: sim_opts.max_points; 0: default
 * @version: of CHESS that wrote the figures
 * @joins: WaitForMultipleObjects(all) of so many threads is so many joins here
 * @differs: why the rule of chess_rule.h does not give CHESS's figures; NULL: it does
 */
struct golden {
	struct sim_program program;
	unsigned int runs[GOLDEN_BOUNDS], classes[GOLDEN_BOUNDS], steps[GOLDEN_BOUNDS];
	enum chess_verdict verdict;
	unsigned int verdict_from;
	unsigned int max_points;
	enum chess_rule_version version;
	unsigned int joins;
	const char *differs;
};

/* chess_locks.c, chess_vars.c, chess_waits.c, steal.c */
extern const struct golden chess_locks[], chess_vars[], chess_waits[], chess_steal[];
extern const size_t n_chess_locks, n_chess_vars, n_chess_waits, n_chess_steal;

/* All of them by number; NULL after the last. */
const struct golden *golden_at(size_t i);

/* What table 2 of PLDI'08 says about one row: without fairness from depth 20 to 60. */
#define COVER_DEPTHS	5
#define COVER_SEARCHES	4

/**
 * struct cover - a program whose states are counted
 * @program: with state()
 * @name: as in the table
 * @total: states by a stateful search with 1, 2 and 3 preemptions and without bound; here
 *	and below 0: not in the paper
 * @fair: states with fairness
 * @unfair: without, per depth bound
 * @stopped: bit N: the search of row N had not ended after 5,000 seconds; of the
 *	columns from @fair on, bit 0 is the fair one
 */
struct cover {
	const struct sim_program *program;
	const char *name;
	unsigned int total[COVER_SEARCHES], fair[COVER_SEARCHES];
	unsigned int unfair[COVER_SEARCHES][COVER_DEPTHS];
	unsigned int stopped[COVER_SEARCHES];
};

extern const struct cover covers[];
extern const size_t n_covers;

/* philosophers.c and steal.c, for covers[] */
extern const struct sim_program philosophers2, philosophers3, stealing1, stealing2, stealing2_less;

/**
 * struct sct - a program of SCTBench
 * @program: it
 * @bound: fewest preemptions that show the bug
 * @verdict: how it shows
 * @schedules: mean number of schedules to the first bug as published: of Maple's
 *	idiom-driven search, PERIOD, SURW, PCT with d 3 and 10, POS, random walk;
 *	negative: not given
 * @missed: of 20 searches how many ended without it, by column; @schedules is the mean
 *	of the others, for Maple, with one search, the number it made. They give up after
 *	10,000
 */
#define SCT_COLUMNS	7
#define SCT_SEEDS	20
#define SCT_RUNS_MAX	10000
struct sct {
	struct sim_program program;
	unsigned int bound;
	enum chess_verdict verdict;
	double schedules[SCT_COLUMNS];
	unsigned char missed[SCT_COLUMNS];
};

/* sct_locks.c, sct_races.c, steal.c */
extern const struct sct sct_locks[], sct_races[], sct_steal[];
extern const size_t n_sct_locks, n_sct_races, n_sct_steal;

/* sct_stack.c; none of the searches above gets to its bug */
extern const struct sim_program safestack;
/*
 * The same after as many points as a process has before its main(): with
 * sim_opts.alone_free a search is, run by run, that of the real program
 */
extern const struct sim_program safestack_started;
#define SAFESTACK_LOADER	10

const struct sct *sct_at(size_t i);

/* T0 creates @n tasks that run @body with their number from 0, and joins them. */
void run_tasks(void (*body)(void *arg), int n);
/* It creates @n tasks that run @body, then @m that run @last, and joins them in this order. */
void run_two_kinds(void (*body)(void *arg), int n, void (*last)(void *arg), int m);

/* By words, since a state is looked at before each decision; for state() */
uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t n);
#define DIGEST_START	0xcbf29ce484222325ULL

#endif /* SELFTESTS_PROGRAMS_H */
