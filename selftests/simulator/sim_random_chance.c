// SPDX-License-Identifier: GPL-2.0-only
/*
 * pct and pos, written from their papers and from the deviations that the head of
 * kmod/policy.c names, over the interpreter. The chances of pct are exact: all orders of
 * priorities and all change points are tried. Those of pos are sampled.
 */
#include "sim_random_bugs.h"

#define CHANGES	2

/* Highest of those who may be chosen. */
static int highest(const struct random_state *s, enum random_decision d, const double *priority)
{
	int best = RANDOM_NOBODY, t;

	for (t = 0; t < s->p->tasks; t++)
		if (random_chance_may(s, d, t) &&
		    (best == RANDOM_NOBODY || priority[t] > priority[best]))
			best = t;
	return best;
}

/*
 * One run of pct: @priority of each task, above 1; @change: at which steps, of which the
 * first changes to the lowest. Return: the bug, or 0.
 */
static uint64_t run_pct(struct random_state s, double *priority, const unsigned int *change,
			unsigned int changes)
{
	unsigned int steps = 0, yields = 0, i;

	for (;;) {
		enum random_decision d = random_advance(&s);
		enum random_verdict v = random_end(&s, d);

		if (v != __RANDOM_VERDICTS)
			return random_bug_of(&s, v);
		random_look(&s, d);
		if (d == RANDOM_YIELDS)
			priority[s.cur] = -1.0 * ++yields;
		s.cur = highest(&s, d, priority);
		/* Counted from the second task on. */
		steps += s.task[1].born;
		for (i = 0; i < changes; i++)
			if (change[i] == steps)
				priority[s.cur] = (i + 1.0) / (CHANGES + 1);
	}
}

/* The order with number @n, of all orders of @tasks tasks: to each its place. */
static void set_order(double *priority, int tasks, unsigned int n)
{
	int list[RANDOM_TASKS], i, k, at;

	for (i = 0; i < tasks; i++)
		list[i] = i;
	for (i = tasks; i > 0; i--, n /= i + 1) {
		at = n % i;
		priority[list[at]] = 1 + i;
		for (k = at; k + 1 < i; k++)
			list[k] = list[k + 1];
	}
}

void random_pct(const struct random_program *p, enum sim_enabled enabled, int fair_k,
		unsigned int depth, unsigned int k, struct random_bugs *bugs)
{
	unsigned int orders = 1, points = 1, i, n, change[CHANGES] = { 0 };
	unsigned int changes = k ? depth - 1 : 0;
	double priority[RANDOM_TASKS];
	struct random_state s;
	struct random_bug *b;

	random_start(&s, p, enabled, fair_k);
	for (i = 2; i <= (unsigned int)p->tasks; i++)
		orders *= i;
	for (i = 0; i < changes; i++)
		points *= k;
	for (i = 0; i < bugs->n; i++)
		bugs->bug[i].chance = 0;
	for (n = 0; n < orders * points; n++) {
		set_order(priority, p->tasks, n / points);
		change[0] = 1 + n % points % (k ? k : 1);
		change[1] = 1 + n % points / (k ? k : 1);
		b = random_bug_find(bugs, run_pct(s, priority, change, changes));
		if (b)
			b->chance += 1.0 / (orders * points);
	}
}

/* An op that is pending: what it works on; of @kind 0 it races with none. */
struct pending {
	int kind, object;
	bool write, there;
};

enum { ON_NOTHING, ON_MUTEX, ON_COND, ON_SEM, ON_VAR };

static struct pending pending_op(const struct random_state *s)
{
	const struct random_task *t = &s->task[s->cur];
	const struct random_op *op = &s->p->op[s->cur][t->pc];
	struct pending o = { .object = op->a, .write = true, .there = true };

	if (t->pc >= s->p->n[s->cur])
		return o;
	switch (op->kind) {
	case RANDOM_LOCK:
	case RANDOM_TRYLOCK:
	case RANDOM_UNLOCK:
		o.kind = ON_MUTEX;
		break;
	case RANDOM_WAIT:
	case RANDOM_SIGNAL:
	case RANDOM_BROADCAST:
		o.kind = ON_COND;
		break;
	case RANDOM_SEM_WAIT:
	case RANDOM_TRYWAIT:
	case RANDOM_POST:
		o.kind = ON_SEM;
		break;
	case RANDOM_CHECK:
		o.write = false;
		/* fall through */
	case RANDOM_ADD:
	case RANDOM_CAS:
		o.kind = ON_VAR;
		break;
	case RANDOM_CREATE:
	case RANDOM_YIELD:
		break;
	}
	return o;
}

/* xorshift64* (Marsaglia; Vigna): another generator than the engine's. Below 1. */
static double draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1dULL >> 11) * 0x1p-53;
}

static void draw_racing(const struct pending *op, int task, double *priority, uint64_t *random)
{
	int t;

	for (t = 0; t < RANDOM_TASKS; t++)
		if (t != task && op[t].kind && op[t].kind == op[task].kind &&
		    op[t].object == op[task].object && (op[t].write || op[task].write))
			priority[t] = draw(random);
}

static uint64_t run_pos(struct random_state s, uint64_t *random)
{
	struct pending op[RANDOM_TASKS] = { 0 };
	double priority[RANDOM_TASKS];
	int t;

	/* Who has no op yet is before half of the others. */
	for (t = 0; t < RANDOM_TASKS; t++)
		priority[t] = (1 + draw(random)) / 2;
	for (;;) {
		enum random_decision d = random_advance(&s);
		enum random_verdict v = random_end(&s, d);

		if (v != __RANDOM_VERDICTS)
			return random_bug_of(&s, v);
		random_look(&s, d);
		/* The op was executed, unless it has to wait. */
		if (op[s.cur].there && (d != RANDOM_LEFT || s.task[s.cur].dead)) {
			draw_racing(op, s.cur, priority, random);
			op[s.cur].there = false;
		}
		if (d != RANDOM_LEFT) {
			op[s.cur] = pending_op(&s);
			priority[s.cur] = draw(random);
		}
		s.cur = highest(&s, d, priority);
	}
}

void random_pos(const struct random_program *p, int fair_k, unsigned int runs,
		struct random_bugs *bugs)
{
	uint64_t random = p->seed | 1ULL << 63;
	struct random_state s;
	struct random_bug *b;

	random_start(&s, p, SIM_KERNEL, fair_k);
	for (; runs; runs--) {
		b = random_bug_find(bugs, run_pos(s, &random));
		if (b)
			b->hits++;
	}
}
