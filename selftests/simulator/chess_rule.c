// SPDX-License-Identifier: GPL-2.0-only
/*
 * See chess_rule.h. The executor knows only how to follow a prefix; what it
 * decides after one is not what CHESS does. So a run is done again with a longer prefix until it
 * has decided as CHESS would at each decision.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chess_rule.h"
#include "numbers.h"

#define TASKS	64
#define BIT(n)	(1ULL << (n))

/**
 * struct step - what was done after a decision
 * @task: who
 * @op: enum chess_op_class; 0: the task began
 * @kind: enum chess_object_kind of @object
 * @write: of @object
 * @no_fork: nobody else is tried in its place
 * @object: what the op works on
 * @enabled: tasks that could have been chosen
 * @behind: of these, tasks that yields have put after others
 * @preemptions: before it
 */
struct step {
	uint32_t task;
	uint8_t op, kind;
	bool write, no_fork;
	uint64_t object, enabled, behind;
	unsigned int preemptions;
};

struct rule {
	const struct chess_executor *x;
	enum chess_rule_version version;
	unsigned int bound;
	struct step *step;
	size_t n, room;
	uint32_t *choice;
	size_t choices, choice_room;
	size_t start;			/* first step that is new in the run */
	struct numbers seen, classes;
	enum chess_verdict verdict;
	struct chess_rule_count *out;
};

/* Yields: which task has to wait for which, and which a task has not let go since its last. */
struct fairness {
	uint64_t behind[TASKS], since[TASKS];
	uint64_t yielded;
};

static void *more(void *p, size_t *room, size_t n, size_t size)
{
	if (n < *room)
		return p;
	*room = *room ? *room * 2 : 256;
	p = realloc(p, *room * size);
	assert(p);
	return p;
}

static uint64_t put_behind(const struct fairness *f, uint64_t enabled)
{
	uint64_t set = 0;
	unsigned int t;

	for (t = 0; t < TASKS; t++)
		if (f->behind[t] & enabled)
			set |= BIT(t) & enabled;
	return set;
}

static void be_fair(struct fairness *f, const struct step *s, uint64_t after)
{
	uint64_t me = BIT(s->task);
	unsigned int t;

	for (t = 0; t < TASKS; t++) {
		f->behind[t] &= ~me;
		f->since[t] &= ~me;
	}
	if (f->yielded & me)
		f->since[s->task] |= s->enabled & ~after & ~me;
	if (s->op != CHESS_OP_YIELD)
		return;
	f->yielded |= me;
	f->behind[s->task] |= f->since[s->task];
	f->since[s->task] = after & ~me;
}

/* What @task does when it goes on; @e: the point it is at, NULL: it begins. */
static struct step describe(const struct chess_record *r, size_t i, uint32_t task,
			    const struct chess_event *e)
{
	const struct chess_event *next = chess_record_event(r, i + 1);
	struct step s = { .task = task, .kind = CHESS_OBJECT_TASK, .object = task };

	if (!e)
		return s;
	s.op = e->op;
	s.kind = e->object_kind;
	s.object = e->object;
	/* To CHESS all writes but a join, and a lock that is shared is no exception. */
	s.write = e->op != CHESS_OP_JOIN;
	if (e->op == CHESS_OP_YIELD) {
		s.kind = CHESS_OBJECT_TASK;
		s.object = task;
	}
	if (e->op == CHESS_OP_CREATE && next && next->type == CHESS_EVENT_SPAWN) {
		s.kind = CHESS_OBJECT_TASK;
		s.object = next->object;
	}
	/* The first task is not allowed to end before the others, but to wait for them. */
	s.no_fork = e->op == CHESS_OP_CREATE || (e->op == CHESS_OP_EXIT && task);
	return s;
}

static void read_steps(struct rule *r, const struct chess_record *record)
{
	const struct chess_event *at[TASKS] = { 0 }, *e;
	struct fairness f = { 0 };
	uint64_t begun = BIT(0);
	size_t i;

	r->n = 0;
	for (i = 0; (e = chess_record_event(record, i)); i++) {
		if (e->type == CHESS_EVENT_POINT)
			at[e->task] = e;
		if (!e->type || !CHESS_EVENT_IS_DECISION(e->type))
			continue;
		if (r->n)
			be_fair(&f, &r->step[r->n - 1], e->enabled);
		if (e->chosen == CHESS_TASK_NONE)
			break;
		r->step = more(r->step, &r->room, r->n, sizeof(*r->step));
		r->step[r->n] = describe(record, i, e->chosen,
					 begun & BIT(e->chosen) ? at[e->chosen] : NULL);
		r->step[r->n].enabled = e->enabled;
		r->step[r->n++].behind = put_behind(&f, e->enabled);
		begun |= BIT(e->chosen);
	}
}

static bool may_go(const struct step *s, uint32_t task)
{
	return s->enabled & ~s->behind & BIT(task);
}

static uint32_t before(const struct rule *r, size_t k)
{
	return k ? r->step[k - 1].task : 0;
}

/* The next task after @task, round robin. */
static uint32_t next_task(const struct step *s, uint32_t task)
{
	uint32_t i;

	for (i = 1; i <= TASKS; i++)
		if (may_go(s, (task + i) % TASKS))
			return (task + i) % TASKS;
	return task;
}

static uint32_t first_choice(const struct rule *r, size_t k)
{
	uint32_t task = before(r, k);

	return may_go(&r->step[k], task) ? task : next_task(&r->step[k], task);
}

static void run_once(struct rule *r)
{
	struct chess_schedule *prefix = chess_schedule_new();
	struct chess_plan plan = { .prefix = prefix, .length = r->choices };
	struct chess_run_result run = { 0 };
	size_t i;
	int ret;

	for (i = 0; i < r->choices; i++)
		chess_schedule_push(prefix, r->choice[i]);
	ret = r->x->run(r->x->ctx, &plan, &run);
	assert(!ret);
	chess_schedule_free(prefix);
	/* Cut: as long as a run of CHESS is not, and it is fair. */
	r->verdict = run.verdict == CHESS_VERDICT_INCOMPLETE ? CHESS_VERDICT_LIVELOCK : run.verdict;
	read_steps(r, run.record);
	chess_run_result_clear(&run);
}

static void force(struct rule *r, size_t k, uint32_t task)
{
	size_t i;

	for (i = 0; i <= k; i++) {
		r->choice = more(r->choice, &r->choice_room, i, sizeof(*r->choice));
		r->choice[i] = i < k ? r->step[i].task : task;
	}
	r->choices = k + 1;
}

static void run_as_chess(struct rule *r)
{
	size_t i;

	for (;;) {
		run_once(r);
		for (i = r->choices; i < r->n; i++)
			if (r->step[i].task != first_choice(r, i))
				break;
		if (i == r->n)
			return;
		force(r, i, first_choice(r, i));
	}
}

static void count_steps(struct rule *r)
{
	unsigned int steps = r->verdict == CHESS_VERDICT_OK, preemptions = 0;
	struct step *s;
	size_t i;

	for (i = 0; i < r->n; i++) {
		s = &r->step[i];
		s->preemptions = preemptions;
		preemptions += s->task != before(r, i) && may_go(s, before(r, i));
		steps += s->op == CHESS_OP_CREATE ? 2 : 1;
	}
	if (steps > r->out->steps)
		r->out->steps = steps;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 31;
}

/*
 * How far is the run new? Return: steps after which nothing else is tried. Notes the
 * order of the whole run.
 */
static size_t known_from(struct rule *r)
{
	struct numbers writes = { 0 };
	unsigned int done[TASKS] = { 0 }, after;
	bool older = r->version == CHESS_RULE_OLDER;
	uint64_t order = 0, object;
	size_t i, end = r->n;
	uint32_t *n, *fewest;

	for (i = 0; i < r->n; i++) {
		const struct step *s = &r->step[i];

		if (s->op != CHESS_OP_YIELD || older) {
			object = mix(s->kind, s->object);
			n = numbers_at(&writes, object, 0);
			order += mix(mix(mix(mix(0, s->task), done[s->task]++), object), *n);
			*n += s->write;
		}
		if (i < r->start + older || end < r->n)
			continue;
		after = s->preemptions + (s->task != before(r, i) && may_go(s, before(r, i)));
		fewest = numbers_at(&r->seen, order, after);
		if (*fewest < after)
			end = i + 1;
		else
			*fewest = after;
	}
	numbers_free(&writes);
	numbers_at(&r->classes, order, 0);
	return end;
}

/* In the order first, first + 1, ..., first - 1: does @next come after @now? */
static bool comes_later(uint32_t first, uint32_t now, uint32_t next)
{
	return (next + TASKS - first) % TASKS > (now + TASKS - first) % TASKS;
}

/* Another task for step @k, where the bound leaves one. */
static bool fork_at(struct rule *r, size_t k)
{
	const struct step *s = &r->step[k];
	uint32_t next;

	if (s->no_fork || (s->preemptions == r->bound && may_go(s, before(r, k))))
		return false;
	next = next_task(s, s->task);
	if (!comes_later(first_choice(r, k), s->task, next))
		return false;
	force(r, k, next);
	r->start = k;
	return true;
}

static bool next_prefix(struct rule *r, size_t k)
{
	while (k--)
		if (fork_at(r, k))
			return true;
	return false;
}

void chess_rule_search(const struct chess_executor *x, enum chess_rule_version version,
		       unsigned int bound, struct chess_rule_count *out)
{
	struct rule r = { .x = x, .version = version, .bound = bound, .out = out };
	size_t known;

	memset(out, 0, sizeof(*out));
	do {
		run_as_chess(&r);
		count_steps(&r);
		if (r.verdict == CHESS_VERDICT_ASSERT || r.verdict == CHESS_VERDICT_EXIT)
			break;
		out->runs++;
		known = known_from(&r);
	} while (r.verdict == CHESS_VERDICT_OK && next_prefix(&r, known));
	out->verdict = r.verdict;
	out->classes = r.classes.n;
	free(r.step);
	free(r.choice);
	numbers_free(&r.seen);
	numbers_free(&r.classes);
}
