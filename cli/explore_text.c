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

/* What part of the runs was not of the bounded search. */
static void add_part(char *list, size_t size, uint64_t n, const char *what)
{
	size_t length = strlen(list);

	if (n)
		snprintf(list + length, size - length, "%s%llu %s", length ? ", " : " (",
			 (unsigned long long)n, what);
}

static void print_counts(const struct explore_outcome *x, const struct explore_account *a)
{
	const struct chess_explore_result *res = x->res;
	/* As the rate is: without what came after the failing run. */
	double seconds = res->seconds - x->bugs->smaller_seconds;
	const uint64_t chance = res->chance_runs - res->delay_runs - res->unbounded_runs;
	char beside[120] = "";

	add_part(beside, sizeof(beside), chance, "by chance");
	add_part(beside, sizeof(beside), res->unbounded_runs, "without a bound");
	add_part(beside, sizeof(beside), res->delay_runs, "by delays");
	printf("  %llu run%s%s%s, %zu tasks, %zu points, %.2f s, %.0f runs/s, strategy %s, seed %llu\n",
	       (unsigned long long)res->runs, res->runs == 1 ? "" : "s", beside,
	       *beside ? ")" : "", res->max_tasks, res->max_points, seconds, a->c.covered.rate,
	       x->asked->strategy, (unsigned long long)x->asked->seed);
	if (res->predicted)
		printf("  %llu schedule%s more without a run: what they would do follows from runs with the same order of operations\n",
		       (unsigned long long)res->predicted, res->predicted == 1 ? "" : "s");
	if (res->retries)
		printf("  %llu run%s more for prefixes that were not followed at once\n",
		       (unsigned long long)res->retries, res->retries == 1 ? "" : "s");
	/* Loud enough to be seen: somebody else may call it a crash. */
	if (res->expected_runs)
		printf("  in %llu run%s a process or thread died of a signal, which is taken as expected; with --no-expect-signal it is a bug\n",
		       (unsigned long long)res->expected_runs, res->expected_runs == 1 ? "" : "s");
	if (res->diverged)
		printf("  %llu branch%s PRUNED, runs diverged from the schedule: 'chessctl doctor -- PROGRAM' looks for the cause\n",
		       (unsigned long long)res->diverged, res->diverged == 1 ? "" : "es");
	left_print(x->left, stdout);
}

/* The run that was found may have more preemptions than the one that is shown. */
static void print_smaller(const struct chess_shrink_result *small)
{
	printf("  found with %zu preemptions, shown with %zu after %llu runs more, %.2f s\n",
	       small->before.preemptions, small->after.preemptions,
	       (unsigned long long)small->runs, small->seconds);
}

static void print_rest(const struct explore_account *a)
{
	if (a->goes_on)
		printf("  continue it with: chessctl explore --continue %s\n", a->goes_on);
}

static void print_bugs(const struct explore_outcome *x, const struct explore_account *a)
{
	size_t i;

	if (x->res->bugs < 2)
		return;
	printf("  %u failing runs; the first is shown, %zu %s a trace%s\n", x->res->bugs, a->traces,
	       a->traces == 1 ? "has" : "have",
	       a->all_traces ? ", which is as many as are written" : "");
	for (i = 0; i < a->traces; i++)
		printf("    %s\n", x->bugs->paths[i]);
}

static void print_levels(const struct chess_explore_result *res, const struct chess_coverage *got)
{
	printf("; bound %u is not finished", res->bound);
	if (got->levels == 1)
		printf(", bound 0 is");
	else if (got->levels)
		printf(", bounds 0 to %u are", got->levels - 1);
	putchar('\n');
	if (got->delay_levels)
		printf("  all schedules with at most %u delay%s were run (strategy delay)\n",
		       got->delay_levels - 1, got->delay_levels == 2 ? "" : "s");
}

/* Where it is "ok", in one line with what that does not speak of. */
static void print_verdict(const struct chess_explore_result *res, const struct certificate *c)
{
	const struct chess_coverage *got = &c->covered;

	if (got->ok) {
		if (!got->unbounded)
			printf("%sok%s: no bug with at most %u %s%s", out_good(), out_plain(),
			       got->bound, got->counts, got->bound == 1 ? "" : "s");
		else
			printf("%sok%s: no bug in any schedule", out_good(), out_plain());
		certificate_print_unseen(c);
		return;
	}
	printf("%s%s%s: no bug so far", out_bold(), chess_verdict_name(res->verdict), out_plain());
	if (got->counts)
		print_levels(res, got);
	else
		printf("%s\n", got->exhaustive ? "" :
		       "; this strategy never says that there is none");
}

/* What nobody asked for, so that people know what to ask for otherwise. */
static void print_chosen(const struct explore_outcome *x, const struct explore_account *a)
{
	const struct chess_race_search_result *r = a->c.asked.races;
	const struct explore_options *o = x->asked;
	char rises[64] = "";

	if (o->grows)
		snprintf(rises, sizeof(rises), "; bound %u, which rises %s", o->bound,
			 o->time ? "until the time is over" : "while the search is short");
	if (o->chosen_points || o->chosen_strategy)
		printf("  chosen by default: %s%s%s%s%s%s%s%s\n", o->chosen_points ? "points " : "",
		       o->chosen_points ? x->s->points : "",
		       o->chosen_reduce && a->c.covered.reductions ? "; reduce dpor" : "",
		       o->chosen_points && o->chosen_strategy ? "; " : "",
		       o->chosen_strategy ? "strategy " : "",
		       o->chosen_strategy ? o->strategy : "",
		       o->chosen_strategy && !strcmp(o->strategy, "turns") ?
		       ": icb, alternating with dfs, hold, surw and pct" : "",
		       rises);
	if (o->unreduced && r && r->is_first)
		printf("  one schedule for each order of the operations at points is run first, which may leave out too much: %s\n",
		       o->unreduced);
	else if (o->unreduced)
		printf("  schedules that differ only in the order of independent ops were all run: %s\n",
		       o->unreduced);
	if (r && r->first_runs)
		printf("  before that one schedule for each order of the operations at points was run, with at most %u preemption%s: no bug in these %llu runs\n",
		       r->first_bound, r->first_bound == 1 ? "" : "s",
		       (unsigned long long)r->first_runs);
}

static void print_explained(const struct explore_outcome *x)
{
	if (x->asked->explain)
		explain_print(x->asked->explain);
}

void explore_print_search(const struct explore_outcome *x, const struct explore_account *a)
{
	if (x->report) {
		print_counts(x, a);
		if (a->smaller)
			print_smaller(&x->bugs->small);
		if (x->accesses)
			race_facts_print_points(x->accesses);
		print_bugs(x, a);
	} else {
		print_verdict(x->res, &a->c);
		if (x->res->why)
			printf("  %s\n", x->res->why);
		print_counts(x, a);
		print_chosen(x, a);
		certificate_print(&a->c);
	}
	remember_print(x->asked->remember);
	print_explained(x);
	print_rest(a);
}

void explore_print(const struct explore_outcome *x, const struct explore_account *a)
{
	if (x->report) {
		report_print(x->report, stdout, x->bugs->paths[0]);
		printf("found in a search of\n");
	}
	explore_print_search(x, a);
}
