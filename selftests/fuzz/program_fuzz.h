/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of program_fuzz share: program_fuzz.c runs programs one at a time,
 * program_batch.c many in one controlled process, program_alone.c without control.
 */
#ifndef CHESS_SELFTESTS_FUZZ_PROGRAM_FUZZ_H
#define CHESS_SELFTESTS_FUZZ_PROGRAM_FUZZ_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "chessctl/chessctl.h"
#include "program.h"

#define OUTPUT		65536
#define RUN_MS		30000
/* A difference must come again so often in this many tries to be made small. */
#define TRIES		3
#define MAX_FAILURES	10

struct outcome {
	char text[OUTPUT];
	int status;
};

struct user {
	const char *name;
	uint32_t uid;
	struct chess_runner *runner;
};

/**
 * struct fuzz_counts - what is printed at the end
 * @programs: that were made
 * @runs: under control, of one program or of a batch
 * @failures: differences from what they are alone
 * @unstable: programs that differ alone
 * @alone: how often a program was run alone
 * @seconds_alone: all of that took
 * @seconds_under: @runs took
 * @explored: runs of a batch by chess_explore(), of @runs
 * @diverged: of those whose prefix was not followed
 */
struct fuzz_counts {
	unsigned long programs, runs, failures, unstable, alone, explored, diverged;
	double seconds_alone, seconds_under;
};

extern struct fuzz_counts counts;
extern struct chess_ctl *ctl;

/* program_alone.c */
double now(void);
/* a number of the environment */
unsigned long number(const char *name, unsigned long otherwise);
/* what to execute; program_prepare() has found it */
extern char subject[PATH_MAX];
bool program_prepare(void);
/* Run program @seed without the steps of @drop as @u. 0, -ETIMEDOUT or -errno */
int run_alone(const struct user *u, uint64_t seed, const char *drop, struct outcome *o);
/* The first lines that differ. */
void print_difference(const char *alone, const char *under);
/* @drop as a list of numbers, for program_make() */
void drop_to_text(const struct program *p, const bool *drop, char *text, size_t size);

/* program_batch.c */
/*
 * Programs @list, see program_list(), in one process as @u: once as chessctl run does, and
 * @runs times as chess_explore() does, by another strategy for each @turn; only by what
 * @way names, where it is not NULL. 0, or -errno where nothing more can be said.
 */
int try_batch(struct user *u, const char *list, const char *drop, unsigned long turn,
	      unsigned long runs, const char *way);

#endif /* CHESS_SELFTESTS_FUZZ_PROGRAM_FUZZ_H */
