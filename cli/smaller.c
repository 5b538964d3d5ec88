// SPDX-License-Identifier: GPL-2.0-only
/*
 * See smaller.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "race_pairs.h"
#include "smaller.h"

/* However the run ended: its races are what counts. */
static void judge_by_races(const struct smaller *r, struct chess_run_result *out)
{
	size_t n;
	struct chess_trace_race *v = race_pairs_of(out, r->races_of, &n);

	if (v)
		out->verdict = CHESS_VERDICT_RACE;
	else if (out->verdict != CHESS_VERDICT_DIVERGED &&
		 out->verdict != CHESS_VERDICT_INCOMPLETE)
		out->verdict = CHESS_VERDICT_OK;
	free(v);
}

static int run_once(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	const struct smaller *r = ctx;
	struct chess_plan mine = *plan;
	int ret;

	if (session_interrupted())
		return -EINTR;
	/* Accesses cost much, and only these verdicts are read from them. */
	mine.unrecorded = r->verdict != CHESS_VERDICT_RACE && r->verdict != CHESS_VERDICT_MEMORY;
	ret = chess_runner_run_plan(r->s->runner, &mine, NULL, 0, out);
	/* One that a sanitizer told of is known by what it told. */
	if (!ret && r->races_of && r->verdict == CHESS_VERDICT_RACE)
		judge_by_races(r, out);
	return ret;
}

struct chess_executor smaller_executor(struct smaller *runs)
{
	return (struct chess_executor) { .run = run_once, .ctx = runs };
}

enum chess_minimal smaller_minimal(const struct chess_shrink_result *res)
{
	if (res->fewest)
		return CHESS_MINIMAL_FEWEST;
	return res->one_minimal ? CHESS_MINIMAL_CHOICES : CHESS_MINIMAL_UNKNOWN;
}

int smaller_soon(struct session *s, const struct chess_run_result *bad,
		 struct chess_shrink_result *out)
{
	struct smaller runs = { .s = s, .verdict = bad->verdict };
	struct chess_executor x = smaller_executor(&runs);
	struct chess_shrink_opts so = {
		.sz = sizeof(so), .max_runs = SMALLER_RUNS, .max_seconds = SMALLER_SECONDS,
	};

	return chess_shrink(&x, bad->record, &so, out);
}
