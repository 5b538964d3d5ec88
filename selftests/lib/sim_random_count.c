// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every schedule of a program of sim_random.h, counted: an interpreter that copies its
 * state at each decision and takes each branch. It knows neither sim.h's tasks nor the
 * engine; what it shares with them is the rule of docs/search.md: the running task goes
 * on for free, whoever blocked or ended is followed by anybody for free, and everything
 * else is a preemption. At a yield of a fair run everybody may go on for free; without
 * fairness the next id may, and the task itself only when it is alone. Who is allowed
 * to go on in a fair run is what Algorithm 1 of PLDI'08 says, written here as it stands
 * in the paper.
 */
#include <string.h>

#include "sim_random.h"

#define NOBODY		(-1)

/* What a task does next, of what its present op is made of. */
enum step {
	AT_OP,		/* comes to its point */
	DO_OP,		/* point passed */
	RELOCK,		/* of a wait: take the mutex again */
};

enum decision { POINT, YIELD, LEFT, FAILED };

struct task {
	bool born, dead, asleep;
	int pc;
	enum step step;
	int queue;		/* what it waits for, NOBODY: nothing */
	int since;
};

/* Algorithm 1, with its letters; bit N is task N. */
struct paper {
	unsigned int es, p[RANDOM_TASKS], e[RANDOM_TASKS], d[RANDOM_TASKS], s[RANDOM_TASKS];
	int yields[RANDOM_TASKS];
};

struct state {
	const struct random_program *p;
	bool chess;
	int fair_k;		/* 0: not fair */
	struct paper paper;
	struct task task[RANDOM_TASKS];
	int cur, order;
	int owner[RANDOM_OBJECTS], value[RANDOM_OBJECTS], var[RANDOM_OBJECTS];
};

/* Queues: one of each mutex, condition variable and semaphore. */
static int mutex_queue(int i)
{
	return i;
}

static int cond_queue(int i)
{
	return RANDOM_OBJECTS + i;
}

static int sem_queue(int i)
{
	return 2 * RANDOM_OBJECTS + i;
}

/* In CHESS's sense: could a task that stands at its point do its op? */
static bool gate_open(const struct state *s, const struct task *t)
{
	const struct random_op *op;

	if (t->step == AT_OP || t->pc >= s->p->n[t - s->task])
		return true;
	op = &s->p->op[t - s->task][t->pc];
	if (t->step == RELOCK)
		return t->queue == NOBODY && s->owner[op->b] == NOBODY;
	if (op->kind == RANDOM_LOCK)
		return s->owner[op->a] == NOBODY;
	if (op->kind == RANDOM_SEM_WAIT)
		return s->value[op->a] > 0;
	return true;
}

static bool enabled(const struct state *s, int i)
{
	const struct task *t = &s->task[i];

	return t->born && !t->dead && !t->asleep && (!s->chess || gate_open(s, t));
}

static void wait_in(struct state *s, int queue)
{
	struct task *t = &s->task[s->cur];

	t->queue = queue;
	t->since = s->order++;
	t->asleep = !s->chess;
}

static bool wake_one(struct state *s, int queue)
{
	struct task *first = NULL;
	int i;

	for (i = 0; i < s->p->tasks; i++) {
		struct task *t = &s->task[i];

		if (t->queue == queue && (!first || t->since < first->since))
			first = t;
	}
	if (!first)
		return false;
	first->queue = NOBODY;
	first->asleep = false;
	return true;
}

static bool release(struct state *s, int m)
{
	if (s->owner[m] != s->cur)
		return false;
	s->owner[m] = NOBODY;
	wake_one(s, mutex_queue(m));
	return true;
}

/* Return: was the mutex free? If not, the task waits for it. */
static bool acquire(struct state *s, int m)
{
	if (s->owner[m] != NOBODY) {
		wait_in(s, mutex_queue(m));
		return false;
	}
	s->owner[m] = s->cur;
	return true;
}

/* Does the op of the current task. Return: POINT when it is done, LEFT when the task
 * waits, FAILED.
 */
static enum decision do_op(struct state *s, const struct random_op *op)
{
	struct task *t = &s->task[s->cur];

	switch (op->kind) {
	case RANDOM_CREATE:
		s->task[op->a].born = true;
		break;
	case RANDOM_LOCK:
		if (!acquire(s, op->a))
			return LEFT;
		break;
	case RANDOM_TRYLOCK:
		if (s->owner[op->a] != NOBODY)
			t->pc += op->b;
		else
			s->owner[op->a] = s->cur;
		break;
	case RANDOM_UNLOCK:
		if (!release(s, op->a))
			return FAILED;
		break;
	case RANDOM_WAIT:
		if (t->step == RELOCK) {
			if (!acquire(s, op->b))
				return LEFT;
			break;
		}
		if (!release(s, op->b))
			return FAILED;
		wait_in(s, cond_queue(op->a));
		t->step = RELOCK;
		return LEFT;
	case RANDOM_SIGNAL:
		wake_one(s, cond_queue(op->a));
		break;
	case RANDOM_BROADCAST:
		while (wake_one(s, cond_queue(op->a)))
			;
		break;
	case RANDOM_SEM_WAIT:
		if (!s->value[op->a]) {
			wait_in(s, sem_queue(op->a));
			return LEFT;
		}
		s->value[op->a]--;
		break;
	case RANDOM_TRYWAIT:
		if (s->value[op->a])
			s->value[op->a]--;
		else
			t->pc += op->b;
		break;
	case RANDOM_POST:
		s->value[op->a]++;
		wake_one(s, sem_queue(op->a));
		break;
	case RANDOM_ADD:
		s->var[op->a] += op->b;
		break;
	case RANDOM_CHECK:
		if (s->var[op->a] == op->b)
			return FAILED;
		break;
	case RANDOM_CAS:
		if (s->var[op->a] == op->b)
			s->var[op->a]++;
		break;
	case RANDOM_YIELD:
		break;
	}
	t->step = AT_OP;
	t->pc++;
	return POINT;
}

/* Run the current task to its next decision. */
static enum decision advance(struct state *s)
{
	struct task *t = &s->task[s->cur];
	const struct random_op *op;
	enum decision d;

	for (;;) {
		bool ends = t->pc >= s->p->n[s->cur];

		op = ends ? NULL : &s->p->op[s->cur][t->pc];
		if (t->step == AT_OP) {
			t->step = DO_OP;
			return op && op->kind == RANDOM_YIELD ? YIELD : POINT;
		}
		if (ends) {
			t->dead = true;
			return LEFT;
		}
		d = do_op(s, op);
		/* In CHESS's sense nobody blocks: the second half of a wait has a point. */
		if (d == LEFT && s->chess)
			return POINT;
		if (d != POINT)
			return d;
	}
}

static int next_enabled(const struct state *s)
{
	int i, t;

	for (i = 1; i <= s->p->tasks; i++) {
		t = (s->cur + i) % s->p->tasks;
		if (enabled(s, t))
			return t;
	}
	return NOBODY;
}

/* Lines 13 to 30: the current task took a step. */
static void paper_step(struct state *s, bool yield)
{
	struct paper *p = &s->paper;
	unsigned int next = 0, t = s->cur;
	int u;

	for (u = 0; u < RANDOM_TASKS; u++)
		next |= enabled(s, u) << u;
	for (u = 0; u < RANDOM_TASKS; u++) {
		p->p[u] &= ~(1U << t);
		p->e[u] &= next;
		p->s[u] |= 1U << t;
	}
	p->d[t] |= p->es & ~next;
	p->es = next;
	if (!yield || ++p->yields[t] % s->fair_k)
		return;
	p->p[t] |= (p->e[t] | p->d[t]) & ~p->s[t];
	p->e[t] = next;
	p->d[t] = 0;
	p->s[t] = 0;
}

/* What it costs to choose @t; -1: it cannot be chosen. */
static int price(const struct state *s, enum decision d, int t)
{
	/* Line 7. */
	if (!enabled(s, t) || (s->paper.p[t] & s->paper.es))
		return -1;
	return d == POINT && t != s->cur && enabled(s, s->cur) &&
	       !(s->paper.p[s->cur] & s->paper.es);
}

static int unfair_price(const struct state *s, enum decision d, int t)
{
	int free_one = d == YIELD ? next_enabled(s) : s->cur;

	if (!enabled(s, t) || (d == YIELD && t == s->cur && free_one != t))
		return -1;
	/* Who cannot go on is left for free. */
	return d != LEFT && enabled(s, s->cur) && t != free_one;
}

static void enumerate(struct state s, int cost, int bound, struct random_count *out)
{
	enum decision d = advance(&s);
	struct state next;
	bool all_dead = true;
	int t, c;

	if (d == FAILED) {
		out->runs[cost][RANDOM_ASSERT]++;
		return;
	}
	for (t = 0; t < s.p->tasks; t++)
		all_dead &= !s.task[t].born || s.task[t].dead;
	if (next_enabled(&s) == NOBODY) {
		out->runs[cost][all_dead ? RANDOM_OK : RANDOM_DEADLOCK]++;
		return;
	}
	if (s.fair_k)
		paper_step(&s, d == YIELD);
	for (t = 0; t < s.p->tasks; t++) {
		c = s.fair_k ? price(&s, d, t) : unfair_price(&s, d, t);
		if (c < 0 || cost + c > bound)
			continue;
		next = s;
		next.cur = t;
		enumerate(next, cost + c, bound, out);
	}
}

/**
 * random_count() - count all schedules
 * @p: the program
 * @enabled: in which sense
 * @fair_k: which yields of a task count, each so manieth; 0: runs are not fair
 * @bound: preemptions at most, up to RANDOM_BOUND
 * @out: how many there are
 */
void random_count(const struct random_program *p, enum sim_enabled enabled, int fair_k,
		  int bound, struct random_count *out)
{
	struct state s = { .p = p, .chess = enabled == SIM_CHESS, .fair_k = fair_k };
	int i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < RANDOM_TASKS; i++) {
		s.task[i].queue = NOBODY;
		s.paper.d[i] = s.paper.s[i] = -1;
	}
	for (i = 0; i < RANDOM_OBJECTS; i++) {
		s.owner[i] = NOBODY;
		s.value[i] = p->value[i];
	}
	s.task[0].born = true;
	s.paper.es = 1;
	enumerate(s, 0, bound, out);
}
