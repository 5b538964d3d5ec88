/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chessctl explore: what was asked for, and what came of it. cmd_explore.c searches,
 * explore_account.c works out what is to be reported, explore_text.c and explore_json.c write
 * that.
 */
#ifndef CLI_EXPLORE_H
#define CLI_EXPLORE_H

#include "bugs.h"
#include "explain.h"
#include "html/html.h"
#include "memo/remember.h"
#include "report/certificate.h"
#include "races.h"
#include "report/report.h"
#include "scope.h"
#include "session.h"
#include "where.h"

struct explore_account;
struct explore_part;
struct runs;

/* As on the command line. */
struct explore_options {
	unsigned int bound, depth, window, jobs;
	const char *strategy;
	uint64_t runs, seed;
	double time;
	const char *out, *resume;
	bool keep_going, json, skip_ordered, explains, no_predict;
	const char *in, *not_in, *reduce, *memo, *html;
	struct html_curve *curve;	/* for @html, or NULL */
	unsigned int reductions;	/* enum chess_reduction, what @reduce says */
	struct scope *scope;
	struct chess_racing *racing;
	bool has_races;			/* races are points */
	bool chosen_points, chosen_strategy, chosen_reduce;	/* not on the command line */
	bool grows;			/* the bound may rise, as none was given */
	char *unreduced;		/* why a reduction that was chosen is none */
	struct explain *explain;	/* where the branches are, or NULL */
	struct chess_later *later;	/* files it maps later than at its start */
	struct remember *remember;	/* what @memo is for, or NULL */
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
/*
 * explore_options.c: the @n_own options of a command and explore's, without those of the same name
 * and those listed in @without, which ends with NULL; @n in all, malloc'ed
 */
struct opt *explore_options_with(const struct opt *own, size_t n_own, const char *const *without,
				 size_t *n);
/*
 * Of the words from @argv, the name of the command, to @program, those that are explore's options
 * and their values; borrowed, in a list that is malloc'ed and ends with NULL
 */
char **explore_options_given(const struct opt *all, size_t n, size_t n_own, char **argv,
			     char **program);
/*
 * cmd_explore.c: do those make sense, as far as can be said without a program? CLI_PROCEED, or an
 * exit code
 */
int explore_check(void);

/* cmd_explore.c: what was asked for, as far as it was parsed */
struct explore_options *explore_asked(void);
/* options as at the start of chessctl, but for where */
void explore_forget(void);
/*
 * cmd_explore.c: the search, with the options that were parsed; @argv is the whole command for the
 * VM. Returns the exit code
 */
int explore_part(struct explore_part *p, int argc, char **argv, char **program);
/* cmd_explore.c: of the library's search, for a part whose runs are all in a journal */
struct chess_explore_opts explore_part_opts(const struct explore_part *p);
/* cmd_explore.c: what was not asked for is chosen; CLI_PROCEED, or an exit code */
int explore_choose(struct session *s);

/* Is there more of the search to be run, in its own opinion? */
bool explore_may_go_on(const struct explore_options *asked,
		       const struct chess_explore_result *res);

/**
 * struct explore_part - a search that is a part of one, or that is to be cut into parts
 * @from: where it begins; NULL: at the root
 * @rest: gets what is left over; NULL: nobody wants it
 * @enough: it ends once so many prefixes wait; 0: it does not
 * @enough_runs: but not before so many runs
 * @levels: it ends before that bound; 0: no bound ends it
 * @choose_reduce: hb is to be taken where it can be trusted
 * @journal: file in which its runs are kept; NULL: nowhere
 * @classes: numbers of its happens-before classes, @n_classes of them; set when it has ended
 * @strict: as struct runs has it at the end
 * @begin: the program is at hand, nothing is run yet; CLI_PROCEED, or an exit code after one
 *	sentence. May be NULL
 * @end: in place of what explore prints; @code is explore's exit code. Returns the exit code
 * @arg: for both
 * @written: what is left is in a file, so the journal is of no more use
 */
struct explore_part {
	const struct chess_frontier *from;
	struct chess_frontier *rest;
	uint64_t enough, enough_runs;
	unsigned int levels;
	bool choose_reduce;
	char *journal;
	uint64_t *classes;
	size_t n_classes;
	bool strict;
	int (*begin)(struct explore_part *p, struct session *s, struct runs *r);
	int (*end)(struct explore_part *p, const struct explore_outcome *x,
		   struct explore_account *a, int code);
	void *arg;
	bool written;
};

/**
 * struct explore_account - what text and JSON say of an outcome, worked out once
 * @c: what it covered
 * @goes_on: where the search goes on, if there is more of it to be run; else NULL
 * @path: of the first trace, from the root; NULL: there is none
 * @replay: the command that replays it; NULL as @path
 * @traces: that were written
 * @all_traces: no more are written
 * @smaller: the run that is shown has fewer preemptions than the one that was found
 */
struct explore_account {
	struct certificate c;
	const char *goes_on;
	char *path, *replay;
	size_t traces;
	bool all_traces, smaller;
};

/* explore_account.c; the account borrows from the outcome */
void explore_account_of(const struct explore_outcome *x, struct explore_account *out);
void explore_account_clear(struct explore_account *a);

/* What is said of the search: of a bug, all but the report. */
void explore_print_search(const struct explore_outcome *x, const struct explore_account *a);
/* The outcome for people, and for programs. */
void explore_print(const struct explore_outcome *x, const struct explore_account *a);
void explore_print_json(const struct explore_outcome *x, const struct explore_account *a);

/*
 * explore_pages.c, for --html; without that option they do nothing. The first is called once the
 * options are known. In the VM only the directory of traces, @out, can be written in: _send()
 * names a directory there, malloc'ed, for the VM that where_go() starts, and _fetch() moves what
 * is in it and releases it; @code is what where_go() returned. _write() and _fetch() return @code,
 * or that of what went wrong unless there is a bug.
 */
void explore_pages_begin(struct explore_options *o);
char *explore_pages_send(const struct explore_options *o, const char *out);
int explore_pages_fetch(const struct explore_options *o, char *sent, int code);
int explore_pages_write(const struct explore_outcome *x, const struct explore_account *a, int code);

#endif /* CLI_EXPLORE_H */
