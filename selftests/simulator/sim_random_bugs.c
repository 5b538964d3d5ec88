// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which deadlocks and failures a program of sim_random.h has, in what bounds, and how likely
 * some strategies are to meet them: each branch at each decision of the interpreter is taken,
 * without any bound.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_random_bugs.h"

/* What has to be taken along on the way from the first decision to a run's end. */
struct way {
	struct random_state state;
	unsigned int preemptions, delays;
	double chance;
};

uint64_t random_bug_key(enum random_verdict v, int task, const int at[RANDOM_TASKS])
{
	uint64_t key = v;
	int i;

	if (v == RANDOM_ASSERT)
		return key << 56 | task << 8 | at[task];
	for (i = 0; i < RANDOM_TASKS; i++)
		key = key << 8 | at[i];
	return v == RANDOM_DEADLOCK ? key : 0;
}

uint64_t random_bug_of(const struct random_state *s, enum random_verdict v)
{
	int at[RANDOM_TASKS], i;

	for (i = 0; i < RANDOM_TASKS; i++)
		at[i] = s->task[i].pc;
	return random_bug_key(v, s->cur, at);
}

struct random_bug *random_bug_find(struct random_bugs *bugs, uint64_t key)
{
	size_t i;

	for (i = 0; i < bugs->n; i++)
		if (bugs->bug[i].key == key)
			return &bugs->bug[i];
	return NULL;
}

static void add(struct random_bugs *bugs, const struct way *w, uint64_t key)
{
	struct random_bug *b = random_bug_find(bugs, key);

	if (!b) {
		if (bugs->n == RANDOM_BUGS)
			abort();
		b = &bugs->bug[bugs->n++];
		*b = (struct random_bug) {
			.key = key, .preemptions = w->preemptions, .delays = w->delays,
		};
	}
	if (w->preemptions < b->preemptions)
		b->preemptions = w->preemptions;
	if (w->delays < b->delays)
		b->delays = w->delays;
	b->walk += w->chance;
}

/*
 * Emmi, Qadeer, Rakamaric (POPL'11): the scheduler is deterministic, and each delay makes it
 * pass over the task that it would let go on, until it comes round. This one lets a task go
 * on until it waits, ends or yields, and then the next number in turn.
 */
static unsigned int delays_to(const struct random_state *s, enum random_decision d, int task)
{
	int first = d == RANDOM_POINT ? s->cur : s->cur + 1, i, t;
	unsigned int n = 0;

	for (i = 0; ; i++) {
		t = (first + i) % s->p->tasks;
		if (t == task)
			return n;
		n += random_may(s, d, t);
	}
}

/* Where chance decides, a task that yields goes on only where it is alone. */
bool random_chance_may(const struct random_state *s, enum random_decision d, int task)
{
	int t;

	if (d == RANDOM_YIELDS && task == s->cur)
		for (t = 0; t < s->p->tasks; t++)
			if (t != task && random_may(s, d, t))
				return false;
	return random_may(s, d, task);
}

static unsigned int count_ways(const struct random_state *s, enum random_decision d)
{
	unsigned int n = 0;
	int t;

	for (t = 0; t < s->p->tasks; t++)
		n += random_chance_may(s, d, t);
	return n;
}

static bool enumerate(struct way w, uint64_t max, struct random_bugs *out)
{
	enum random_decision d = random_advance(&w.state);
	enum random_verdict v = random_end(&w.state, d);
	const struct random_state *s = &w.state;
	unsigned int n;
	int t;

	if (v != __RANDOM_VERDICTS) {
		if (v != RANDOM_OK)
			add(out, &w, random_bug_of(s, v));
		if (w.preemptions <= RANDOM_BOUND)
			out->preempted[w.preemptions]++;
		if (w.delays <= RANDOM_BOUND)
			out->delayed[w.delays]++;
		return ++out->schedules <= max;
	}
	random_look(&w.state, d);
	n = count_ways(s, d);
	for (t = 0; t < s->p->tasks; t++) {
		struct way next = w;

		if (!random_may(s, d, t))
			continue;
		next.state.cur = t;
		next.preemptions += random_preempts(s, d, t);
		next.delays += delays_to(s, d, t);
		next.chance = random_chance_may(s, d, t) ? w.chance / n : 0;
		if (!enumerate(next, max, out))
			return false;
	}
	return true;
}

bool random_bugs(const struct random_program *p, enum sim_enabled enabled, int fair_k,
		 uint64_t max, struct random_bugs *out)
{
	struct way w = { .chance = 1 };

	memset(out, 0, sizeof(*out));
	random_start(&w.state, p, enabled, fair_k);
	return enumerate(w, max, out);
}
