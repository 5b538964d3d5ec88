// SPDX-License-Identifier: GPL-2.0-only
/*
 * What came of a search, for people. See explore.h.
 */
#include <stdio.h>

#include "cli.h"
#include "explore.h"
#include "out.h"

bool explore_may_go_on(const struct explore_options *asked,
		       const struct chess_explore_result *res)
{
	return res->stopped && (session_interrupted() || asked->runs || asked->time > 0);
}

const char *explore_goes_on(const struct explore_outcome *x)
{
	return explore_may_go_on(x->asked, x->res) ? x->bugs->resume->path : NULL;
}

struct certificate explore_certificate(const struct explore_outcome *x)
{
	const struct explore_options *o = x->asked;

	return (struct certificate) {
		.accesses = x->accesses,
		.res = x->res, .strategy = o->strategy, .bound = o->bound,
		.points = x->s->points, .in = o->in, .not_in = o->not_in,
		.fair_k = session_fair(&o->session),
		.quantum_us = chess_runner_quantum(x->s->runner),
	};
}

static void print_counts(const struct explore_outcome *x)
{
	const struct chess_explore_result *res = x->res;

	printf("  %llu run%s, %zu tasks, %zu points, %.2f s, %.0f runs/s, strategy %s, seed %llu\n",
	       (unsigned long long)res->runs, res->runs == 1 ? "" : "s", res->max_tasks,
	       res->max_points, res->seconds,
	       res->seconds > 0 ? res->runs / res->seconds : 0, x->asked->strategy,
	       (unsigned long long)x->asked->seed);
	if (res->retries)
		printf("  %llu run%s more for prefixes that were not followed at once\n",
		       (unsigned long long)res->retries, res->retries == 1 ? "" : "s");
	if (res->diverged)
		printf("  %llu branch%s PRUNED, runs diverged from the schedule: 'chessctl doctor -- PROGRAM' looks for the cause\n",
		       (unsigned long long)res->diverged, res->diverged == 1 ? "" : "es");
}

static void print_rest(const struct explore_outcome *x)
{
	const char *path = explore_goes_on(x);

	if (path)
		printf("  go on with it: chessctl explore --continue %s\n", path);
}

static void print_bugs(const struct explore_outcome *x)
{
	const struct chess_explore_result *res = x->res;
	size_t i;

	if (res->bugs < 2)
		return;
	printf("  %u failing runs; the first is shown, %zu %s a trace%s\n", res->bugs, x->bugs->n,
	       x->bugs->n == 1 ? "has" : "have",
	       x->bugs->n == TRACES_MAX ? ", which is as many as are written" : "");
	for (i = 0; i < x->bugs->n; i++)
		printf("    %s\n", x->bugs->paths[i]);
}

static void print_verdict(const struct explore_outcome *x)
{
	const struct chess_explore_result *res = x->res;
	const char *counts = chess_strategy_counts(x->asked->strategy);

	if (res->verdict == CHESS_VERDICT_OK && res->complete && counts)
		printf("%sok%s: no bug with at most %u %s%s\n", out_good(), out_plain(),
		       x->asked->bound, counts, x->asked->bound == 1 ? "" : "s");
	else if (res->verdict == CHESS_VERDICT_OK && res->complete)
		printf("%sok%s: no bug in any schedule\n", out_good(), out_plain());
	else if (counts)
		printf("%s%s%s: no bug so far; bound %u is not finished\n", out_bold(),
		       chess_verdict_name(res->verdict), out_plain(), res->bound);
	else
		printf("%s%s%s: no bug so far%s\n", out_bold(), chess_verdict_name(res->verdict),
		       out_plain(), chess_strategy_is_exhaustive(x->asked->strategy) ? "" :
		       "; this strategy never says that there is none");
}

void explore_print(const struct explore_outcome *x)
{
	struct certificate c = explore_certificate(x);

	if (x->report) {
		report_print(x->report, stdout, x->bugs->paths[0]);
		printf("found in a search of\n");
		print_counts(x);
		if (x->accesses)
			race_facts_print(x->accesses);
		print_bugs(x);
		print_rest(x);
		return;
	}
	print_verdict(x);
	if (x->res->why)
		printf("  %s\n", x->res->why);
	print_counts(x);
	certificate_print(&c);
	print_rest(x);
}
