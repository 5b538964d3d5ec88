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

/* A task other than the chosen one that could have gone on at event @i, or NONE. */
static uint16_t other_choice(struct perturb *p, const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);
	uint16_t others[TASKS_MAX], t, n = 0;

	if (!CHESS_EVENT_IS_DECISION(e->type) || e->chosen == CHESS_TASK_NONE)
		return CHESS_TASK_NONE;
	for (t = 0; t < chess_record_tasks(r) && n < TASKS_MAX; t++)
		if (t != e->chosen && chess_record_enabled(r, i, t))
			others[n++] = t;
	return n ? others[perturb_random(p) % n] : CHESS_TASK_NONE;
}

struct chess_schedule *perturb_at(struct perturb *p, const struct chess_record *r, size_t *event)
{
	struct chess_schedule *whole, *s = NULL;
	uint16_t other = CHESS_TASK_NONE;
	size_t i, decisions = 0;

	for (i = 0; i < chess_record_length(r); i++) {
		other = i >= *event ? other_choice(p, r, i) : CHESS_TASK_NONE;
		if (other != CHESS_TASK_NONE)
			break;
		decisions += CHESS_EVENT_IS_DECISION(chess_record_event(r, i)->type);
	}
	if (other == CHESS_TASK_NONE)
		return NULL;
	*event = i;
	whole = chess_record_schedule(r);
	if (whole)
		s = chess_schedule_copy(whole, decisions);
	chess_schedule_free(whole);
	if (!s || chess_schedule_push(s, other)) {
		fprintf(stderr, "no memory for a schedule\n");
		exit(1);
	}
	return s;
}
