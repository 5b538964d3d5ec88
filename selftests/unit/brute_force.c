// SPDX-License-Identifier: GPL-2.0-only
/*
 * See brute_force.h.
 */
#include <string.h>

#include "brute_force.h"
#include "../harness.h"

#define NO_TASK		CHESS_TASK_NONE

typedef unsigned __int128 set_t;	/* bit N: task N */

#define BIT_OF(t)	((set_t)1 << (t))

/* Algorithm 1 of the paper (PLDI'08), with its letters. */
struct paper {
	set_t es, p[MAX_TASKS], e[MAX_TASKS], d[MAX_TASKS], s[MAX_TASKS];
	unsigned int yields[MAX_TASKS];
};

/* What is known at an event of a run. */
struct moment {
	int tasks, chosen;
	set_t enabled, expired;
	uint64_t deadline[MAX_TASKS];	/* 0: none */
	const uint64_t *next_block;	/* the deadline of whoever blocks next */
	struct paper paper;
};

/* A prefix and what it costs. */
struct search {
	const struct op_list *p;
	struct chess_schedule *prefix;
	int max;
	uint64_t count[16];		/* with exactly 0, 1, .. preemptions */
};

static void moment_init(struct moment *m, const struct op_list *p, const uint64_t *blocks)
{
	int t;

	memset(m, 0, sizeof(*m));
	m->tasks = p->tasks;
	m->next_block = blocks;
	m->chosen = NO_TASK;
	m->enabled = 1;
	for (t = 0; t < MAX_TASKS; t++)
		m->paper.d[t] = m->paper.s[t] = -1;
}

/* The task with the earliest deadline, of equal ones the lowest. */
static int earliest(const struct moment *m)
{
	int t, first = NO_TASK;

	for (t = 0; t < m->tasks; t++)
		if (m->deadline[t] && (first == NO_TASK || m->deadline[t] < m->deadline[first]))
			first = t;
	return first;
}

static int round_robin(const struct moment *m, int from)
{
	int k;

	for (k = 1; k <= m->tasks; k++)
		if (m->enabled & BIT_OF((from + k) % m->tasks))
			return (from + k) % m->tasks;
	return NO_TASK;
}

/* Lines 13 to 22: @t took a step that led here. */
static void paper_step(struct moment *m, int t)
{
	struct paper *p = &m->paper;
	set_t before = p->es;
	int u;

	for (u = 0; u < m->tasks; u++) {
		p->p[u] &= ~BIT_OF(t);
		p->e[u] &= m->enabled;
		if (u == t)
			p->d[u] |= before & ~m->enabled;
		p->s[u] |= BIT_OF(t);
	}
	p->es = m->enabled;
}

/* Lines 23 to 29: it was a yield. */
static void paper_yield(struct moment *m, int t)
{
	struct paper *p = &m->paper;

	if (!op_list_every || ++p->yields[t] % op_list_every)
		return;
	p->p[t] |= (p->e[t] | p->d[t]) & ~p->s[t];
	p->e[t] = p->es;
	p->d[t] = 0;
	p->s[t] = 0;
}

/* Line 7. */
static set_t paper_t(const struct moment *m)
{
	set_t in = m->paper.es;
	int t;

	for (t = 0; t < m->tasks; t++)
		if (m->paper.p[t] & m->paper.es)
			in &= ~BIT_OF(t);
	return in;
}

static bool is_yield(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && (e->flags & CHESS_OPF_YIELD);
}

/* What it costs to choose @t at @e, or -1 where it is no choice. */
static int price(const struct moment *m, const struct chess_event *e, int t)
{
	set_t in = paper_t(m), es = m->paper.es;
	bool alone = is_yield(e) && es == BIT_OF(e->task);

	if (m->deadline[t])
		return t != earliest(m) || (es && !alone);
	if (!(in & BIT_OF(t)) || (alone && earliest(m) != NO_TASK))
		return -1;
	return e->type == CHESS_EVENT_POINT && !is_yield(e) && t != e->task &&
	       (in & BIT_OF(e->task));
}

/* The same in runs that are not fair. */
static int unfair_price(const struct moment *m, const struct chess_event *e, int t)
{
	int def = is_yield(e) ? round_robin(m, e->task) :
		  e->type == CHESS_EVENT_POINT ? e->task : NO_TASK;

	if (!m->enabled)
		def = earliest(m);
	if ((!(m->enabled & BIT_OF(t)) && !m->deadline[t]) ||
	    (is_yield(e) && t == e->task && def != t))
		return -1;
	return t != def && (e->type == CHESS_EVENT_POINT || m->deadline[t]);
}

/*
 * A deadline passed. It is a yield of the task that waited, and where it was chosen for
 * that a step; else time came to it in the step of another one, which ends with the next
 * decision.
 */
static void pass_deadline(struct moment *m, int t)
{
	m->enabled |= BIT_OF(t);
	m->deadline[t] = 0;
	if (m->chosen != t) {
		m->expired |= BIT_OF(t);
		return;
	}
	paper_step(m, t);
	paper_yield(m, t);
}

/* Return: whether @e is a decision; then @m is as it is for who chooses. */
static bool look_at(struct moment *m, const struct chess_event *e)
{
	int t;

	switch (e->type) {
	case CHESS_EVENT_SPAWN:
		m->enabled |= BIT_OF(e->object);
		return false;
	case CHESS_EVENT_WAKE:
		m->enabled |= BIT_OF(e->task);
		m->deadline[e->task] = 0;
		return false;
	case CHESS_EVENT_TIMEOUT:
		pass_deadline(m, e->task);
		return false;
	case CHESS_EVENT_BLOCK:
		m->deadline[e->task] = *m->next_block++;
		break;
	case CHESS_EVENT_POINT:
	case CHESS_EVENT_EXIT:
		break;
	default:
		return false;
	}
	if (e->type != CHESS_EVENT_POINT)
		m->enabled &= ~BIT_OF(e->task);
	if (e->chosen != NO_TASK)
		EXPECT_EQ((uint64_t)m->enabled, e->enabled);
	paper_step(m, e->task);
	for (t = 0; t < m->tasks; t++)
		if (m->expired & BIT_OF(t))
			paper_yield(m, t);
	m->expired = 0;
	if (is_yield(e))
		paper_yield(m, e->task);
	m->chosen = e->chosen;
	return e->chosen != NO_TASK;
}

static void enumerate(struct search *s, int cost);

/* All schedules that have another choice at @e, which is after the prefix so far. */
static void branch(struct search *s, const struct moment *m, const struct chess_event *e, int cost)
{
	size_t length = chess_schedule_length(s->prefix);
	int t, c;

	for (t = 0; t < m->tasks; t++) {
		c = op_list_every ? price(m, e, t) : unfair_price(m, e, t);
		if (t == e->chosen)
			EXPECT_EQ(0, c);
		if (t == e->chosen || c < 0 || cost + c > s->max)
			continue;
		ASSERT_EQ(0, chess_schedule_push(s->prefix, t));
		enumerate(s, cost + c);
		chess_schedule_truncate(s->prefix, length);
	}
}

/* All that begin with the prefix, which costs @cost. What is not forced costs nothing. */
static void enumerate(struct search *s, int cost)
{
	size_t length = chess_schedule_length(s->prefix), at = 0, i;
	struct chess_run_result res;
	uint64_t blocks[MAX_BLOCKS];
	struct moment m;

	ASSERT_EQ(0, op_list_run(s->p, &(struct chess_plan) {
		.prefix = s->prefix, .length = length,
	}, &res));
	ASSERT_NE(CHESS_VERDICT_DIVERGED, (int)res.verdict);
	s->count[cost]++;
	op_list_deadlines(blocks);
	moment_init(&m, s->p, blocks);
	for (i = 0; i < chess_record_length(res.record); i++) {
		const struct chess_event *e = chess_record_event(res.record, i);

		if (!look_at(&m, e) || at++ < length)
			continue;
		branch(s, &m, e, cost);
		ASSERT_EQ(0, chess_schedule_push(s->prefix, e->chosen));
	}
	chess_schedule_truncate(s->prefix, length);
	chess_run_result_clear(&res);
}

uint64_t brute_force(const struct op_list *p, int bound)
{
	struct search s = { .p = p, .prefix = chess_schedule_new(), .max = bound };
	uint64_t all = 0;
	int i;

	enumerate(&s, 0);
	for (i = 0; i <= bound; i++)
		all += s.count[i];
	chess_schedule_free(s.prefix);
	return all;
}
