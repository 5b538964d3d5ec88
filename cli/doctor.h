/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chessctl doctor -- PROGRAM: is a program deterministic under control?
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "report/report.h"
#include "session.h"
#include "sources.h"

#define DOCTOR_DIFFERENCES	4

/**
 * struct doctor - what the runs came to
 * @s: the program
 * @run: the runs
 * @n: runs that were made
 * @wanted: runs that were asked for
 * @same: runs that are as the first
 * @diff: where events differ: run 1 and @run (from 0) do first at event @at
 * @n_diff: how many of them; events that differ first at one place have one source
 * @again: one run more with stacks and mappings, where runs differ
 * @sources: what another one read from outside control
 */
struct doctor {
	struct session *s;
	struct chess_run_result *run;
	unsigned int n, wanted, same;
	struct {
		size_t at;
		unsigned int run;
	} diff[DOCTOR_DIFFERENCES];
	size_t n_diff;
	struct chess_run_result again;
	struct sources sources;
};

/*
 * Runs the program of an open session @runs times under the default policy and
 * prints every source of nondeterminism it sees. Return: exit code for the command.
 */
int doctor_program(struct session *s, const struct session_opts *o, unsigned int runs, bool json);

/* doctor_json.c: all of it as one object */
void doctor_json(const struct doctor *d);

/* A report of one run; @t is what it was made from. */
void doctor_open_report(const struct doctor *d, unsigned int run, struct chess_trace *t,
			struct report *r);
/* The first run whose output, or end, is not that of the first; d->n when none. */
unsigned int doctor_other_output(const struct doctor *d, bool err);
unsigned int doctor_other_end(const struct doctor *d);
/* Instructions in a file; 0 in the C library, where they do no harm. */
int doctor_scan(const char *path, struct chess_code_site **v);
/* Is this the first site of its instruction, and how many are there? 0: it is not. */
size_t doctor_count(const struct chess_code_site *v, size_t n, size_t i);

#endif /* CLI_DOCTOR_H */
