// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is to be reported of a search, for text and JSON. See explore.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "explore.h"
#include "out.h"

bool explore_may_go_on(const struct explore_options *asked,
		       const struct chess_explore_result *res)
{
	return res->stopped && (session_interrupted() || asked->runs || asked->time > 0);
}

static struct certificate certificate_of(const struct explore_outcome *x)
{
	const struct explore_options *o = x->asked;
	struct certificate c = {
		.accesses = x->accesses, .later = o->later, .res = x->res,
		.asked = {
			.strategy = o->strategy, .bound = o->bound, .points = x->s->points,
			.no_early = o->session.no_early, .reductions = o->reductions,
			.unreduced = o->unreduced, .aside_seconds = x->bugs->smaller_seconds,
			.watchdogs = session_no_watchdogs(&o->session) ? CHESS_WATCHDOGS_NEVER :
				     session_late_watchdogs(&o->session) ? CHESS_WATCHDOGS_LATE :
									   CHESS_WATCHDOGS_EARLY,
		},
		.in = o->in, .not_in = o->not_in, .chosen_points = o->chosen_points,
		.chosen_strategy = o->chosen_strategy, .chosen_reduce = o->chosen_reduce,
		.fair_k = session_fair(&o->session),
		.quantum_us = chess_runner_quantum(x->s->runner), .long_rows = x->s->long_rows,
		.early_max = session_early_max(&o->session),
		.late_programs = session_late_programs(&o->session),
		.wake_any = session_wake_any(&o->session),
		.spurious = session_spurious(&o->session),
	};

	certificate_work_out(&c);
	return c;
}

void explore_account_of(const struct explore_outcome *x, struct explore_account *out)
{
	const struct chess_shrink_result *small = &x->bugs->small;
	const char *trace = x->bugs->paths[0];

	*out = (struct explore_account){
		.c = certificate_of(x),
		.goes_on = explore_may_go_on(x->asked, x->res) ? x->bugs->resume->path : NULL,
		.path = trace ? out_absolute(trace) : NULL,
		.traces = x->bugs->n, .all_traces = x->bugs->n == TRACES_MAX,
		.smaller = small->best.record &&
			   small->after.preemptions < small->before.preemptions,
	};
	out->replay = out->path ? cli_printf("chessctl replay %s", out->path) : NULL;
}

void explore_account_clear(struct explore_account *a)
{
	free(a->path);
	free(a->replay);
	*a = (struct explore_account){ 0 };
}
