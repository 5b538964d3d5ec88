// SPDX-License-Identifier: GPL-2.0-only
/*
 * See explore_model.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explore_model.h"
#include "../harness.h"

#define MAX_LOCKS	4
#define NO_TASK		CHESS_TASK_NONE

unsigned int model_every = 1;

typedef unsigned __int128 set_t;	/* bit N: task N */

#define BIT_OF(t)	((set_t)1 << (t))

/* For the enumeration: Algorithm 1 of the paper (PLDI'08), with its letters. */
struct paper {
	set_t es, p[MAX_TASKS], e[MAX_TASKS], d[MAX_TASKS], s[MAX_TASKS];
	unsigned int yields[MAX_TASKS];
};

struct state {
	int pc[MAX_TASKS];
	bool passed[MAX_TASKS];		/* its point was decided, the op is due */
	bool exists[MAX_TASKS], blocked[MAX_TASKS], dead[MAX_TASKS];
	int owner[MAX_LOCKS], sum, cur;
	int clock, deadline[MAX_TASKS];	/* 0: none */
	bool failed;
	struct paper paper;
};

static void state_init(const struct model *m, struct state *s)
{
	int i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < MAX_LOCKS; i++)
		s->owner[i] = -1;
	for (i = 0; i < m->tasks; i++)
		s->exists[i] = m->ops[i] && (!i || i != m->hidden);
	for (i = 0; i < MAX_TASKS; i++)
		s->paper.d[i] = s->paper.s[i] = -1;
}

static bool enabled(const struct state *s, int t)
{
	return s->exists[t] && !s->blocked[t] && !s->dead[t];
}

/* The task with the earliest deadline, of equal ones the lowest. */
static int earliest(const struct model *m, const struct state *s)
{
	int t, first = NO_TASK;

	for (t = 0; t < m->tasks; t++)
		if (s->deadline[t] && (first == NO_TASK || s->deadline[t] < s->deadline[first]))
			first = t;
	return first;
}

/* @t was chosen; where it waits, its time-out is what was chosen. */
static bool let_go(struct state *s, int t)
{
	s->cur = t;
	if (!s->deadline[t])
		return false;
	if (s->clock < s->deadline[t])
		s->clock = s->deadline[t];
	s->deadline[t] = 0;
	s->blocked[t] = false;
	s->passed[t] = false;
	s->pc[t]++;
	return true;
}

static void block(struct state *s, int t, int timeout)
{
	s->blocked[t] = true;
	s->deadline[t] = timeout ? s->clock + timeout : 0;
}

/* Run the current task up to its next decision. Return: the type of that event,
 * zero when the model failed; *@yield says that the point is a yield. Tasks that
 * wake are appended to @woken.
 */
static int advance(const struct model *m, struct state *s, bool *yield, int *woken, int *n_woken)
{
	int t = s->cur, i;

	*yield = false;
	*n_woken = 0;
	for (;;) {
		const struct op *op = &m->ops[t][s->pc[t]];

		if (s->pc[t] == m->n[t]) {
			s->dead[t] = true;
			return CHESS_EVENT_EXIT;
		}
		if (!s->passed[t]) {
			s->passed[t] = true;
			*yield = op->kind == YIELD;
			return CHESS_EVENT_POINT;
		}
		switch (op->kind) {
		case LOCK:
		case TIMED_LOCK:
			if (s->owner[op->arg] >= 0) {
				block(s, t, op->kind == LOCK ? 0 : LOCK_TIMEOUT);
				return CHESS_EVENT_BLOCK;
			}
			s->owner[op->arg] = t;
			break;
		case SLEEP:
			block(s, t, op->arg);
			return CHESS_EVENT_BLOCK;
		case UNLOCK:
			if (s->owner[op->arg] != t)
				break;
			s->owner[op->arg] = -1;
			for (i = 0; i < m->tasks; i++) {
				if (!s->blocked[i] || m->ops[i][s->pc[i]].kind == SLEEP ||
				    m->ops[i][s->pc[i]].arg != op->arg)
					continue;
				s->blocked[i] = false;
				s->deadline[i] = 0;
				woken[(*n_woken)++] = i;
			}
			break;
		case ADD:
			s->sum += op->arg;
			break;
		case FAIL_IF:
			if (s->sum == op->arg) {
				s->failed = true;
				return 0;
			}
			break;
		case BACK_UNLESS:
			if (s->sum != op->arg)
				s->pc[t] -= 2;
			break;
		default:
			break;
		}
		s->passed[t] = false;
		s->pc[t]++;
	}
}

static int round_robin(const struct model *m, const struct state *s)
{
	int k;

	for (k = 1; k <= m->tasks; k++)
		if (enabled(s, (s->cur + k) % m->tasks))
			return (s->cur + k) % m->tasks;
	return NO_TASK;
}

static int lowest(const struct model *m, const struct state *s)
{
	int t;

	for (t = 0; t < m->tasks; t++)
		if (enabled(s, t))
			return t;
	return NO_TASK;
}

static set_t enabled_set(const struct model *m, const struct state *s)
{
	set_t es = 0;
	int t;

	for (t = 0; t < m->tasks; t++)
		es |= enabled(s, t) ? BIT_OF(t) : 0;
	return es;
}

/* Lines 13 to 30: @t took a step that led to @s. */
static void paper_step(const struct model *m, struct state *s, int t, bool yield)
{
	struct paper *p = &s->paper;
	set_t next = enabled_set(m, s), before = p->es;
	int u;

	for (u = 0; u < m->tasks; u++) {
		p->p[u] &= ~BIT_OF(t);
		p->e[u] &= next;
		if (u == t)
			p->d[u] |= before & ~next;
		p->s[u] |= BIT_OF(t);
	}
	if (yield && ++p->yields[t] % model_every == 0) {
		p->p[t] |= (p->e[t] | p->d[t]) & ~p->s[t];
		p->e[t] = next;
		p->d[t] = 0;
		p->s[t] = 0;
	}
	p->es = next;
}

/* Line 7. */
static set_t paper_t(const struct model *m, const struct state *s)
{
	set_t in = s->paper.es;
	int t;

	for (t = 0; t < m->tasks; t++)
		if (s->paper.p[t] & s->paper.es)
			in &= ~BIT_OF(t);
	return in;
}

/* What it costs to choose @t, or -1 where it is no choice. */
static int price(const struct model *m, const struct state *s, int type, bool yield, int t)
{
	set_t in = paper_t(m, s), es = s->paper.es;
	bool alone = yield && es == BIT_OF(s->cur);

	if (s->deadline[t])
		return t != earliest(m, s) || (es && !alone);
	if (!(in & BIT_OF(t)) || (alone && earliest(m, s) != NO_TASK))
		return -1;
	return type == CHESS_EVENT_POINT && !yield && t != s->cur && (in & BIT_OF(s->cur));
}

/* The same in runs that are not fair. */
static int unfair_price(const struct model *m, const struct state *s, int type, bool yield, int t)
{
	int def = yield ? round_robin(m, s) : type == CHESS_EVENT_POINT ? s->cur : NO_TASK;

	if (lowest(m, s) == NO_TASK)
		def = earliest(m, s);
	if ((!enabled(s, t) && !s->deadline[t]) || (yield && t == s->cur && def != t))
		return -1;
	return t != def && (type == CHESS_EVENT_POINT || s->deadline[t]);
}

/* How many schedules there are with exactly 0, 1, .. @max preemptions. */
static void enumerate(const struct model *m, struct state s, int cost, int max, uint64_t *count)
{
	int woken[MAX_TASKS], n_woken, type, t, c;
	struct state next;
	bool yield;

	type = advance(m, &s, &yield, woken, &n_woken);
	if (!type || (lowest(m, &s) == NO_TASK && earliest(m, &s) == NO_TASK)) {
		count[cost]++;
		return;
	}
	if (model_every)
		paper_step(m, &s, s.cur, yield);
	for (t = 0; t < m->tasks; t++) {
		c = model_every ? price(m, &s, type, yield, t) :
		    unfair_price(m, &s, type, yield, t);
		if (c < 0 || cost + c > max)
			continue;
		next = s;
		/* A deadline that passes is a step of the task, which yields with it. */
		if (let_go(&next, t) && model_every)
			paper_step(m, &next, t, true);
		enumerate(m, next, cost + c, max, count);
	}
}

uint64_t model_brute_force(const struct model *m, int bound)
{
	uint64_t count[16] = { 0 }, sum = 0;
	struct state s;
	int i;

	state_init(m, &s);
	enumerate(m, s, 0, bound, count);
	for (i = 0; i <= bound; i++)
		sum += count[i];
	return sum;
}

static void push(struct chess_record *r, const struct state *s, const struct model *m, int type,
		 int task, int chosen, uint64_t object, int flags)
{
	struct chess_event e = { 0 };
	int t;

	e.seq = chess_record_length(r) + 1;
	e.type = type;
	e.task = task;
	e.chosen = chosen;
	e.object = object;
	e.flags = flags;
	e.op = type == CHESS_EVENT_POINT ? CHESS_OP_OTHER : 0;
	for (t = 0; CHESS_EVENT_IS_DECISION(type) && t < m->tasks && t < 64; t++) {
		e.enabled |= (uint64_t)enabled(s, t) << t;
		e.timed |= (uint64_t)!!s->deadline[t] << t;
	}
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

static struct chess_set set_of_enabled(const struct model *m, const struct state *s)
{
	struct chess_set set;
	int t;

	chess_set_clear(&set);
	for (t = 0; t < m->tasks; t++)
		if (enabled(s, t))
			chess_set_add(&set, t);
	return set;
}

/* As the module does it at an event. Return: what the default policy chooses. */
static int default_of(struct box *b, struct state *s, int type, bool yield)
{
	struct chess_set set = set_of_enabled(b->m, s);
	unsigned int id;

	if (type != CHESS_EVENT_POINT)
		chess_fair_disabled(&b->fair, s->cur, s->cur);
	if (yield)
		chess_fair_yield(&b->fair, &b->row[s->cur], s->cur, &set);
	chess_fair_look(&b->fair, &set);
	id = chess_fair_default(&b->fair, &set, s->cur, yield);
	if (earliest(b->m, s) != NO_TASK &&
	    (id == CHESS_TASK_NONE || (model_every && yield && (int)id == s->cur)))
		id = earliest(b->m, s);
	return id == CHESS_TASK_NONE ? NO_TASK : (int)id;
}

static void push_left_out(struct box *b, struct chess_record *r, const struct state *s)
{
	struct chess_event e = { .type = CHESS_EVENT_FAIR, .task = s->cur, .chosen = NO_TASK };

	for (e.object = 0; e.object < CHESS_SET_WORDS; e.object++) {
		e.seq = chess_record_length(r) + 1;
		e.enabled = b->fair.out.words[e.object];
		if (e.enabled)
			ASSERT_EQ(0, chess_record_push(r, &e, 1));
	}
}

static bool disturbed(const struct box *b, uint64_t first, uint64_t run)
{
	return first && run >= first && run < first + (b->disturbed ? b->disturbed : 1);
}

static int model_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct box *b = ctx;
	const struct model *m = b->m;
	int woken[MAX_TASKS], n_woken, type, i, def, chosen, flags;
	struct chess_set set;
	uint64_t run = b->n_seen + 1;
	struct chess_schedule *done;
	size_t at = 0, length = plan->length;
	struct state s;
	bool yield;

	if (run == b->error_at)
		return b->error;
	state_init(m, &s);
	memset(out, 0, sizeof(*out));
	out->verdict = CHESS_VERDICT_OK;
	out->record = chess_record_new();
	chess_record_set_fair(out->record, model_every);
	chess_fair_init(&b->fair, model_every);
	for (i = 1; i < m->tasks; i++)
		if (s.exists[i])
			push(out->record, &s, m, CHESS_EVENT_SPAWN, 0, NO_TASK, i, 0);
	for (;;) {
		type = advance(m, &s, &yield, woken, &n_woken);
		for (i = 0; i < n_woken; i++)
			push(out->record, &s, m, CHESS_EVENT_WAKE, woken[i], NO_TASK, s.cur, 0);
		if (!type) {
			out->verdict = CHESS_VERDICT_ASSERT;
			break;
		}
		chosen = def = default_of(b, &s, type, yield);
		if (chosen != NO_TASK && at < length) {
			chosen = chess_schedule_task(plan->prefix, at++);
			if (!enabled(&s, chosen) && !s.deadline[chosen]) {
				out->verdict = CHESS_VERDICT_DIVERGED;
				break;
			}
			if (disturbed(b, b->wrong_prefix_at, run) && at == length)
				chosen = lowest(m, &s);
		}
		if (disturbed(b, b->other_enabled_at, run) && at == length)
			s.exists[m->hidden] = true;
		flags = yield ? CHESS_OPF_YIELD : 0;
		if (chosen != NO_TASK && s.deadline[chosen] &&
		    chosen != def)
			flags |= CHESS_OPF_EARLY;
		push_left_out(b, out->record, &s);
		push(out->record, &s, m, type, s.cur, chosen, 0, flags);
		if (chosen == NO_TASK) {
			for (i = 0; i < m->tasks; i++)
				if (s.blocked[i])
					out->verdict = CHESS_VERDICT_DEADLOCK;
			break;
		}
		chess_fair_scheduled(&b->fair, chosen);
		if (!let_go(&s, chosen))
			continue;
		set = set_of_enabled(m, &s);
		chess_fair_yield(&b->fair, &b->row[chosen], chosen, &set);
		push(out->record, &s, m, CHESS_EVENT_TIMEOUT, chosen, NO_TASK, s.clock, 0);
	}
	if (run == b->incomplete_at) {
		out->verdict = CHESS_VERDICT_INCOMPLETE;
		chess_set_error(EOVERFLOW, "a trap was lost");
	}
	done = chess_record_schedule(out->record);
	b->seen = realloc(b->seen, run * sizeof(*b->seen));
	b->seen[b->n_seen] = chess_schedule_encode(done);
	if (run < ARRAY_LENGTH(b->costs))
		b->costs[b->n_seen] = chess_record_preemptions(out->record);
	b->n_seen++;
	chess_schedule_free(done);
	return 0;
}

struct chess_executor model_executor(struct box *b)
{
	return (struct chess_executor) { .run = model_run, .ctx = b };
}

int model_explore(struct box *b, const struct chess_explore_opts *opts,
		  struct chess_explore_result *out)
{
	struct chess_executor x = model_executor(b);

	return chess_explore(&x, opts, out);
}

uint64_t model_runs(const struct model *m, unsigned int bound)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = bound, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .m = m };
	uint64_t runs;

	ASSERT_EQ(0, model_explore(&b, &o, &res));
	EXPECT_TRUE(res.complete);
	EXPECT_EQ(bound, res.bound);
	runs = res.runs;
	EXPECT_EQ(b.n_seen, runs);
	chess_explore_result_clear(&res);
	return runs;
}
