/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chessctl explore: what was asked for, and what came of it. cmd_explore.c searches,
 * explore_text.c and explore_json.c tell people.
 */
#ifndef CLI_EXPLORE_H
#define CLI_EXPLORE_H

#include "bugs.h"
#include "report/certificate.h"
#include "races.h"
#include "report/report.h"
#include "scope.h"
#include "session.h"
#include "where.h"

/* As on the command line. */
struct explore_options {
	unsigned int bound, depth, jobs;
	const char *strategy;
	uint64_t runs, seed;
	double time;
	const char *out, *resume;
	bool keep_going, json, skip_ordered;
	const char *in, *not_in, *reduce;
	unsigned int reductions;	/* enum chess_reduction, what @reduce says */
	struct scope *scope;
	struct chess_racing *racing;
	bool has_races;			/* races are points */
	bool chosen_points, chosen_strategy, chosen_reduce;	/* not on the command line */
	char *unreduced;		/* why a reduction that was chosen is none */
	struct chess_later *later;	/* files it maps later than at its start */
	struct where where;
	struct session_opts session;
};

/**
 * struct explore_outcome - a search that has ended
 * @asked: for
 * @s: the program
 * @res: the library's answer
 * @report: of the first bug, or NULL
 * @bugs: all of them
 * @left: branches that were left out because runs differ
 * @accesses: with races as points, else NULL
 */
struct explore_outcome {
	const struct explore_options *asked;
	const struct session *s;
	const struct chess_explore_result *res;
	const struct report *report;
	const struct bugs *bugs;
	const struct left *left;
	const struct race_facts *accesses;
};

/* cmd_explore.c: what it takes, for commands that take the same; parsing fills in its options */
const struct usage *explore_usage(void);
/* do those make sense, as far as can be said without a program? -1, or an exit code */
int explore_check(void);

/* Is there more of the search to be run, in its own opinion? */
bool explore_may_go_on(const struct explore_options *asked,
		       const struct chess_explore_result *res);
/* Where the search goes on, if there is more of it to be run; else NULL. */
const char *explore_goes_on(const struct explore_outcome *x);
/* What it covered. */
struct certificate explore_certificate(const struct explore_outcome *x);

/* Runs in a second, without the time in which failing ones were made smaller. */
double explore_rate(const struct explore_outcome *x);

/* The outcome for people, and for programs. */
void explore_print(const struct explore_outcome *x);
void explore_print_json(const struct explore_outcome *x);

#endif /* CLI_EXPLORE_H */
