// SPDX-License-Identifier: GPL-2.0-only
/*
 * See perturb.h. The generator is xorshift64*, so that a seed means the same
 * schedule on every machine.
 */
#include <stdio.h>
#include <stdlib.h>

#include "perturb.h"

#define TASKS_MAX	64

void perturb_seed(struct perturb *p, uint64_t seed)
{
	p->state = seed * 0x9e3779b97f4a7c15ULL | 1;
}

uint64_t perturb_random(struct perturb *p)
{
	p->state ^= p->state >> 12;
	p->state ^= p->state << 25;
	p->state ^= p->state >> 27;
	return p->state * 0x2545f4914f6cdd1dULL;
}

/* Tasks other than the chosen one that could have gone on at event @i. */
static unsigned int other_choices(const struct chess_record *r, size_t i,
				  uint16_t others[TASKS_MAX])
{
	const struct chess_event *e = chess_record_event(r, i);
	unsigned int n = 0;
	uint16_t t;

	if (!CHESS_EVENT_IS_DECISION(e->type) || e->chosen == CHESS_TASK_NONE)
		return 0;
	for (t = 0; t < chess_record_tasks(r) && n < TASKS_MAX; t++)
		if (t != e->chosen && chess_record_enabled(r, i, t))
			others[n++] = t;
	return n;
}

struct chess_schedule *perturb_at(struct perturb *p, const struct chess_record *r, size_t *event)
{
	struct chess_schedule *whole, *s = NULL;
	unsigned int n = 0;
	uint16_t others[TASKS_MAX];
	size_t i, decisions = 0;

	for (i = 0; i < chess_record_length(r); i++) {
		n = i >= *event ? other_choices(r, i, others) : 0;
		if (n)
			break;
		decisions += CHESS_EVENT_IS_DECISION(chess_record_event(r, i)->type);
	}
	if (!n)
		return NULL;
	*event = i;
	whole = chess_record_schedule(r);
	if (whole)
		s = chess_schedule_copy(whole, decisions);
	chess_schedule_free(whole);
	if (!s || chess_schedule_push(s, others[perturb_random(p) % n])) {
		fprintf(stderr, "no memory for a schedule\n");
		exit(1);
	}
	return s;
}

struct chess_schedule *perturb_any(struct perturb *p, const struct chess_record *r)
{
	uint16_t others[TASKS_MAX];
	size_t i, n = 0, nth;

	for (i = 0; i < chess_record_length(r); i++)
		n += other_choices(r, i, others) > 0;
	if (!n)
		return NULL;
	nth = perturb_random(p) % n;
	for (i = 0; ; i++)
		if (other_choices(r, i, others) && !nth--)
			return perturb_at(p, r, &i);
}
