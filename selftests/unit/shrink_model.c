// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that fail in a planted way; see shrink_model.h.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "shrink/deviate.h"
#include "shrink_model.h"
#include "../harness.h"

static void do_step(const struct model *m, struct state *s)
{
	int b, c;

	s->held[s->cur] = false;
	s->done[s->cur]++;
	for (b = 0; b < BUGS; b++) {
		for (c = 0; c < m->conds[b]; c++) {
			const struct cond *k = &m->bug[b][c];

			if (k->task == s->cur && k->step == s->done[s->cur] &&
			    s->done[k->other] == k->count)
				s->met[b] |= 1U << c;
		}
		if (m->conds[b] && s->met[b] + 1 == 1U << m->conds[b] && !s->bug)
			s->bug = b + 1;
	}
}

int model_advance(const struct model *m, struct state *s)
{
	if (s->held[s->cur])
		do_step(m, s);
	if (s->bug)
		return 0;
	if (s->done[s->cur] == m->steps[s->cur]) {
		s->ended[s->cur] = true;
		return CHESS_EVENT_EXIT;
	}
	s->held[s->cur] = true;
	return CHESS_EVENT_POINT;
}

bool model_is_yield(const struct model *m, const struct state *s, int type)
{
	return type == CHESS_EVENT_POINT && (m->yields[s->cur] >> s->done[s->cur] & 1);
}

int model_policy(const struct model *m, const struct state *s, int type)
{
	int first = model_is_yield(m, s, type) ? s->cur + 1 : 0, k;

	if (type == CHESS_EVENT_POINT && !model_is_yield(m, s, type))
		return s->cur;
	for (k = 0; k < m->tasks; k++)
		if (!s->ended[(first + k) % m->tasks])
			return (first + k) % m->tasks;
	return -1;
}

void model_note(struct chess_record *r, const struct model *m, const struct state *s, int type,
		int chosen)
{
	struct chess_event e = {
		.seq = chess_record_length(r) + 1, .type = type, .task = s->cur,
		.chosen = chosen < 0 ? CHESS_TASK_NONE : chosen,
		.flags = model_is_yield(m, s, type) ? CHESS_OPF_YIELD : 0,
		.op = type == CHESS_EVENT_POINT ? CHESS_OP_OTHER : 0,
		.ip = 0x1000 + s->cur * 0x100 + s->done[s->cur],
	};
	int t;

	for (t = 0; t < m->tasks; t++)
		e.enabled |= (uint64_t)!s->ended[t] << t;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

struct chess_record *model_new_record(const struct model *m)
{
	struct chess_record *r = chess_record_new();
	int t;

	chess_record_set_fair(r, 0);
	for (t = 1; t < m->tasks; t++) {
		struct chess_event e = {
			.seq = t, .type = CHESS_EVENT_SPAWN, .object = t,
			.chosen = CHESS_TASK_NONE,
		};

		ASSERT_EQ(0, chess_record_push(r, &e, 1));
	}
	return r;
}

static int model_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct box *b = ctx;
	struct state s = { 0 };
	size_t at = 0;
	int type, chosen;

	if (++b->runs == b->error_at)
		return b->error;
	memset(out, 0, sizeof(*out));
	out->bad_task = -1;
	out->verdict = CHESS_VERDICT_OK;
	out->record = model_new_record(b->m);
	while ((type = model_advance(b->m, &s)) || b->mended) {
		if (!type) {
			s.bug = 0;
			continue;
		}
		chosen = model_policy(b->m, &s, type);
		if (chosen >= 0 && at < plan->length)
			chosen = chess_schedule_task(plan->prefix, at++);
		if (chosen >= 0 && (chosen >= b->m->tasks || s.ended[chosen])) {
			out->verdict = CHESS_VERDICT_DIVERGED;
			return 0;
		}
		model_note(out->record, b->m, &s, type, chosen);
		if (chosen < 0)
			return 0;
		s.cur = chosen;
	}
	out->verdict = CHESS_VERDICT_ASSERT;
	out->bad_task = s.cur;
	out->bad_status = SIGABRT;
	ASSERT_LT(0, asprintf(&out->err, "hello\nmodel: m.c:%d: f: Assertion `bug %d' failed.\n",
			      b->m->alike ? 1 : s.bug, b->m->alike ? 1 : s.bug));
	return 0;
}

struct least {
	int bug, max;
	struct chess_shrink_size size;
};

static bool is_less(const struct chess_shrink_size *a, const struct chess_shrink_size *b)
{
	size_t x[] = { a->preemptions, a->switches, a->points, a->choices };
	size_t y[] = { b->preemptions, b->switches, b->points, b->choices };
	size_t i;

	for (i = 0; i < 3 && x[i] == y[i]; i++)
		;
	return x[i] < y[i];
}

static void enumerate(const struct model *m, struct state s, struct chess_shrink_size size,
		      struct least *out)
{
	int type = model_advance(m, &s), def, t;

	if (!type) {
		if ((s.bug == out->bug || m->alike) && is_less(&size, &out->size))
			out->size = size;
		return;
	}
	def = model_policy(m, &s, type);
	size.points += type == CHESS_EVENT_POINT;
	for (t = 0; t < m->tasks && def >= 0; t++) {
		struct chess_shrink_size more = size;
		struct state next = s;

		if (s.ended[t] || (t == s.cur && t != def))
			continue;
		more.preemptions += type == CHESS_EVENT_POINT && t != def;
		more.switches += t != s.cur;
		more.choices += t != def;
		next.cur = t;
		if (more.preemptions <= (size_t)out->max)
			enumerate(m, next, more, out);
	}
}

struct chess_shrink_size model_smallest(const struct model *m, int bug, int max)
{
	struct least least = {
		.bug = bug, .max = max, .size = { SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX },
	};

	enumerate(m, (struct state){ 0 }, (struct chess_shrink_size){ 0 }, &least);
	return least.size;
}

struct chess_record *model_run_under(const struct model *m, const char *text, int bug)
{
	struct chess_schedule *s = chess_schedule_decode(text);
	struct chess_run_result res;
	struct box b = { .m = m };
	struct chess_record *r;
	char want[16];

	ASSERT_TRUE(s);
	ASSERT_EQ(0, model_run(&b, &(struct chess_plan) {
		.prefix = s, .length = chess_schedule_length(s),
	}, &res));
	snprintf(want, sizeof(want), "`bug %d'", bug);
	ASSERT_EQ(bug != 0, res.verdict == CHESS_VERDICT_ASSERT && strstr(res.err, want));
	r = res.record;
	res.record = NULL;
	chess_run_result_clear(&res);
	chess_schedule_free(s);
	return r;
}

/*
 * A run that takes each choice of @r but number @but where its task gets to it, in one
 * go. Return: its size; that of a run without the bug has SIZE_MAX preemptions.
 */
static struct chess_shrink_size run_without(const struct model *m, const struct chess_record *r,
					    size_t but, int bug)
{
	struct chess_shrink_size size = { 0 };
	struct chess_deviation *list;
	struct state s = { 0 };
	int type, def, chosen;
	size_t i, n;

	ASSERT_EQ(0, chess_deviations_of(r, &list, &n));
	while ((type = model_advance(m, &s)) && model_policy(m, &s, type) >= 0) {
		def = model_policy(m, &s, type);
		chosen = def;
		for (i = 0; i < n; i++)
			if (i != but && list[i].task == s.cur && list[i].type == type &&
			    list[i].point == (uint32_t)s.done[s.cur] +
					     (type == CHESS_EVENT_POINT) &&
			    !s.ended[list[i].chosen])
				chosen = list[i].chosen;
		size.preemptions += type == CHESS_EVENT_POINT && chosen != def;
		size.points += type == CHESS_EVENT_POINT;
		size.switches += chosen != s.cur;
		size.choices += chosen != def;
		s.cur = chosen;
	}
	free(list);
	if (!s.bug || (s.bug != bug && !m->alike))
		size.preemptions = SIZE_MAX;
	return size;
}

void expect_one_minimal(const struct model *m, const struct chess_shrink_result *res,
			int bug)
{
	size_t i;

	for (i = 0; res->one_minimal && i < res->after.choices; i++) {
		struct chess_shrink_size size = run_without(m, res->best.record, i, bug);

		EXPECT_FALSE(is_less(&size, &res->after));
	}
}

int model_shrink(struct box *b, const struct chess_record *r, uint64_t max_runs,
		 struct chess_shrink_result *out)
{
	struct chess_executor x = { .run = model_run, .ctx = b };
	struct chess_shrink_opts o = { .sz = sizeof(o), .max_runs = max_runs };

	return chess_shrink(&x, r, &o, out);
}

void expect_size(size_t preemptions, size_t switches, size_t points,
		 const struct chess_shrink_size *seen)
{
	EXPECT_EQ(preemptions, seen->preemptions);
	EXPECT_EQ(switches, seen->switches);
	EXPECT_EQ(points, seen->points);
}

void expect_sound(const struct model *m, const struct chess_shrink_result *res, int bug)
{
	struct chess_schedule *s = chess_record_schedule(res->best.record);
	char *text = chess_schedule_encode(s);
	struct chess_record *again = model_run_under(m, text, bug);
	struct chess_shrink_size size = chess_shrink_size_of(again);

	EXPECT_EQ(SIZE_MAX, chess_record_compare(res->best.record, again));
	EXPECT_EQ(chess_record_preemptions(again), res->after.preemptions);
	expect_size(size.preemptions, size.switches, size.points, &res->after);
	EXPECT_FALSE(is_less(&res->before, &res->after));
	chess_record_free(again);
	chess_schedule_free(s);
	free(text);
}
