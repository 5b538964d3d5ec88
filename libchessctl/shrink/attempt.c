// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One run of the many that shrinking takes, see attempt.h. Every run is looked at,
 * whatever it was made for: the smallest one that shows the bug is kept.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shrink/attempt.h"
#include "internal.h"
#include "now.h"
#include "record/decision.h"

void chess_attempt_begin(struct shrink *s, const struct chess_executor *x,
			 const struct chess_shrink_opts *o)
{
	*s = (struct shrink){ .x = x, .start = chess_now() };
	memcpy(&s->o, o, o->sz < sizeof(s->o) ? o->sz : sizeof(s->o));
}

double chess_attempt_seconds(const struct shrink *s)
{
	return chess_now() - s->start;
}

void chess_attempt_put(struct chess_attempt *a)
{
	if (!a || --a->refs)
		return;
	chess_run_result_clear(&a->res);
	free(a->choice);
	free(a);
}

/**
 * chess_shrink_size_of() - what shrinking makes smaller
 * @r: record of a run
 *
 * Return: its size.
 */
struct chess_shrink_size chess_shrink_size_of(const struct chess_record *r)
{
	struct chess_shrink_size size = {
		.preemptions = chess_record_preemptions(r),
		.points = chess_record_points(r),
	};
	uint16_t holder = 0;
	size_t i;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e))
			continue;
		size.choices += e->chosen != chess_record_default(r, i);
		/* Who takes a signal, or a timer: the token stays where it is. */
		if (!CHESS_EVENT_IS_TURN(e->type))
			continue;
		size.switches += e->chosen != holder;
		holder = e->chosen;
	}
	return size;
}

bool chess_attempt_smaller(const struct chess_shrink_size *a, const struct chess_shrink_size *b)
{
	if (a->preemptions != b->preemptions)
		return a->preemptions < b->preemptions;
	if (a->switches != b->switches)
		return a->switches < b->switches;
	if (a->points != b->points)
		return a->points < b->points;
	return a->choices < b->choices;
}

static int keep_best(struct shrink *s, struct chess_attempt *a)
{
	int ret = chess_deviations_of(a->res.record, &a->choice, &a->size.choices);

	if (ret)
		return ret;
	a->refs++;
	chess_attempt_put(s->best);
	s->best = a;
	return 0;
}

/* Is it the bug, and smaller? Then it is the best from now on. */
static int consider(struct shrink *s, struct chess_attempt *a)
{
	struct chess_bug bug;
	bool same;
	int ret;

	if (!a->res.record || !chess_verdict_is_bug(a->res.verdict))
		return 0;
	a->size = chess_shrink_size_of(a->res.record);
	if (s->best && !chess_attempt_smaller(&a->size, &s->best->size))
		return 0;
	ret = chess_bug_of(&a->res, &bug);
	if (ret)
		return ret;
	if (!s->best) {
		s->bug = bug;
		return keep_best(s, a);
	}
	same = chess_bug_same(&s->bug, &bug);
	chess_bug_clear(&bug);
	return same ? keep_best(s, a) : 0;
}

static bool stage_over(const struct shrink *s)
{
	return s->interrupted || s->runs >= s->stage_runs ||
	       (s->o.max_seconds > 0 && chess_attempt_seconds(s) >= s->stage_end);
}

void chess_attempt_stage(struct shrink *s, const char *name, double share)
{
	double left = s->o.max_seconds - chess_attempt_seconds(s);

	s->stage = name;
	s->stage_runs = UINT64_MAX;
	if (s->o.max_runs)
		s->stage_runs = s->runs >= s->o.max_runs ? 0 :
				s->runs + (s->o.max_runs - s->runs) * share;
	s->stage_end = s->o.max_seconds - left * (1 - share);
}

int chess_attempt_execute(struct shrink *s, const struct chess_plan *plan,
			  struct chess_run_result *res)
{
	int ret;

	if (stage_over(s))
		return STAGE_OVER;
	*res = (struct chess_run_result){
		.bad_task = -1, .diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
	};
	ret = s->x->run(s->x->ctx, plan, res);
	if (ret == -EINTR) {
		s->interrupted = true;
		return STAGE_OVER;
	}
	if (ret)
		return ret;
	s->runs++;
	if (s->o.progress && s->best)
		s->o.progress(s->o.progress_arg, s->stage, s->runs, chess_attempt_seconds(s),
			      &s->best->size);
	return 0;
}

int chess_attempt_run(struct shrink *s, struct chess_schedule *prefix,
		      struct chess_attempt **out)
{
	struct chess_attempt *a = prefix ? calloc(1, sizeof(*a)) : NULL;
	int ret;

	*out = NULL;
	if (!a) {
		chess_schedule_free(prefix);
		return chess_set_error(ENOMEM, "no memory for a run");
	}
	a->refs = 1;
	ret = chess_attempt_execute(s, &(struct chess_plan) {
		.prefix = prefix, .length = chess_schedule_length(prefix),
	}, &a->res);
	chess_schedule_free(prefix);
	if (!ret)
		ret = consider(s, a);
	if (ret)
		chess_attempt_put(a);
	else
		*out = a;
	return ret;
}

/*
 * The first choice of @list that can be taken in @a after decision @behind, and is not
 * taken there anyhow: it leads to *@next. *@next is NULL where there is none.
 */
static int next_choice(const struct chess_attempt *a, size_t behind,
		       const struct chess_deviation *list, size_t n, bool *used,
		       struct chess_schedule **next, size_t *length)
{
	struct chess_walk w;
	size_t i;
	int ret = chess_walk_begin(&w, a->res.record);

	*next = NULL;
	while (!ret && !*next && chess_walk_next(&w)) {
		for (i = 0; i < n && w.here.at >= behind; i++) {
			if (used[i] || !chess_deviation_fits(&list[i], &w))
				continue;
			used[i] = true;
			if (!chess_walk_may(&w, list[i].chosen))
				break;
			*next = chess_prefix_of(a->res.record, w.here.at, list[i].chosen);
			*length = w.here.at + 1;
			ret = *next ? 0 : -ENOMEM;
			break;
		}
	}
	chess_walk_end(&w);
	return ret;
}

bool chess_attempt_whole(const struct chess_attempt *a)
{
	return a->res.record && a->res.verdict != CHESS_VERDICT_DIVERGED;
}

int chess_attempt_follow(struct shrink *s, struct chess_schedule *prefix, size_t length,
			 const struct chess_deviation *list, size_t n)
{
	const struct chess_attempt *best = s->best;
	bool *used = prefix ? calloc(n + 1, sizeof(*used)) : NULL;
	struct chess_attempt *a;
	int ret = 0;

	if (!used) {
		chess_schedule_free(prefix);
		return chess_set_error(ENOMEM, "no memory for the choices of a run");
	}
	while (prefix) {
		ret = chess_attempt_run(s, prefix, &a);
		prefix = NULL;
		if (ret)
			break;
		if (s->best == best && chess_attempt_whole(a))
			ret = next_choice(a, length, list, n, used, &prefix, &length);
		chess_attempt_put(a);
	}
	free(used);
	return ret;
}
