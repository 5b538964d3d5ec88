// SPDX-License-Identifier: GPL-2.0-only
/*
 * What came of a search, for people. See explore.h.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "explore.h"
#include "left.h"
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
		.accesses = x->accesses, .later = o->later,
		.res = x->res, .strategy = o->strategy, .bound = o->bound,
		.points = x->s->points, .in = o->in, .not_in = o->not_in,
		.chosen_points = o->chosen_points, .chosen_strategy = o->chosen_strategy,
		.fair_k = session_fair(&o->session),
		.quantum_us = chess_runner_quantum(x->s->runner),
		.no_early = o->session.no_early, .chosen_reduce = o->chosen_reduce,
		.reductions = o->reductions, .unreduced = o->unreduced,
		.late_watchdogs = session_late_watchdogs(&o->session),
		.no_watchdogs = session_no_watchdogs(&o->session),
		.wake_any = session_wake_any(&o->session),
		.spurious = session_spurious(&o->session),
	};
}

double explore_rate(const struct explore_outcome *x)
{
	double seconds = x->res->seconds - x->bugs->smaller_seconds;

	return seconds > 0 ? x->res->runs / seconds : 0;
}

static void print_counts(const struct explore_outcome *x)
{
	const struct chess_explore_result *res = x->res;
	double rate = explore_rate(x);
	char chance[48] = "";

	if (res->chance_runs)
		snprintf(chance, sizeof(chance), " (%llu by chance)",
			 (unsigned long long)res->chance_runs);
	printf("  %llu run%s%s, %zu tasks, %zu points, %.2f s, %.0f runs/s, strategy %s, seed %llu\n",
	       (unsigned long long)res->runs, res->runs == 1 ? "" : "s", chance, res->max_tasks,
	       res->max_points, res->seconds, rate, x->asked->strategy,
	       (unsigned long long)x->asked->seed);
	if (res->retries)
		printf("  %llu run%s more for prefixes that were not followed at once\n",
		       (unsigned long long)res->retries, res->retries == 1 ? "" : "s");
	/* Loud enough to be seen: somebody else may call it a crash. */
	if (res->expected_runs)
		printf("  in %llu run%s a process died of a signal, which is taken for what was to happen; with --no-expect-signal it is a bug\n",
		       (unsigned long long)res->expected_runs, res->expected_runs == 1 ? "" : "s");
	if (res->diverged)
		printf("  %llu branch%s PRUNED, runs diverged from the schedule: 'chessctl doctor -- PROGRAM' looks for the cause\n",
		       (unsigned long long)res->diverged, res->diverged == 1 ? "" : "es");
	left_print(x->left, stdout);
}

/* The run that was found may have more preemptions than the one that is shown. */
static void print_smaller(const struct explore_outcome *x)
{
	const struct chess_shrink_result *small = &x->bugs->small;

	if (small->best.record && small->after.preemptions < small->before.preemptions)
		printf("  found with %zu preemptions, shown with %zu after %llu runs\n",
		       small->before.preemptions, small->after.preemptions,
		       (unsigned long long)small->runs);
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

/* Where it is "ok", in one line with what that does not speak of. */
static void print_verdict(const struct explore_outcome *x, const struct certificate *c)
{
	const struct chess_explore_result *res = x->res;
	const char *counts = chess_strategy_counts(x->asked->strategy);

	if (res->verdict == CHESS_VERDICT_OK && res->complete && counts)
		printf("%sok%s: no bug with at most %u %s%s", out_good(), out_plain(),
		       x->asked->bound, counts, x->asked->bound == 1 ? "" : "s");
	else if (res->verdict == CHESS_VERDICT_OK && res->complete)
		printf("%sok%s: no bug in any schedule", out_good(), out_plain());
	if (res->verdict == CHESS_VERDICT_OK && res->complete)
		certificate_print_unseen(c);
	else if (counts)
		printf("%s%s%s: no bug so far; bound %u is not finished\n", out_bold(),
		       chess_verdict_name(res->verdict), out_plain(), res->bound);
	else
		printf("%s%s%s: no bug so far%s\n", out_bold(), chess_verdict_name(res->verdict),
		       out_plain(), chess_strategy_is_exhaustive(x->asked->strategy) ? "" :
		       "; this strategy never says that there is none");
}

/* What nobody asked for, so that people know what to ask for otherwise. */
static void print_chosen(const struct explore_outcome *x)
{
	const struct explore_options *o = x->asked;

	if (o->chosen_points || o->chosen_strategy)
		printf("  chosen by default: %s%s%s%s%s%s%s\n", o->chosen_points ? "points " : "",
		       o->chosen_points ? x->s->points : "",
		       o->chosen_reduce && !o->unreduced ? "; reduce hb" : "",
		       o->chosen_points && o->chosen_strategy ? "; " : "",
		       o->chosen_strategy ? "strategy " : "",
		       o->chosen_strategy ? o->strategy : "",
		       o->chosen_strategy && !strcmp(o->strategy, "turns") ?
		       ": icb, and by turns with it hold, surw and pct" : "");
	if (o->unreduced)
		printf("  schedules that differ in the order of independent ops alone were run all: %s\n",
		       o->unreduced);
}

void explore_print(const struct explore_outcome *x)
{
	struct certificate c = explore_certificate(x);

	if (x->report) {
		report_print(x->report, stdout, x->bugs->paths[0]);
		printf("found in a search of\n");
		print_counts(x);
		print_smaller(x);
		if (x->accesses)
			race_facts_print_points(x->accesses);
		print_bugs(x);
		print_rest(x);
		return;
	}
	print_verdict(x, &c);
	if (x->res->why)
		printf("  %s\n", x->res->why);
	print_counts(x);
	print_chosen(x);
	certificate_print(&c);
	print_rest(x);
}
