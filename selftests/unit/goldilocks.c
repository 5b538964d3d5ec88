// SPDX-License-Identifier: GPL-2.0-only
/*
 * Races by Goldilocks (Elmas, Qadeer, Tasiran, PLDI'07; the CHESS slides). What was
 * accessed has an owner and a set of locks, LS: whoever is in it, or holds one of them,
 * may access it without a race. At the access it is its task alone. Then
 *
 *	a task in LS releases an object		the object comes into LS
 *	an object in LS is acquired by a task	the task comes into LS
 *
 * which is how ownership is handed over. The set is not kept: it is made when it is asked
 * for, from the steps since the access, and the two cases that are quick to tell come
 * first: the owner is the same, or who asks holds a lock that the owner gave back.
 * That makes it slow on long runs. It shares nothing with the detector of the library,
 * libchessctl/race/clocks.c, and checks it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "goldilocks.h"

struct locksets {
	const struct chess_steps *steps;
	uint32_t *holder;		/* of an object: task plus one */
	uint32_t *member, *member_object;	/* who is in LS: round of asking */
	uint32_t round;
};

static void locksets_free(void *d)
{
	struct locksets *l = d;

	free(l->holder);
	free(l->member);
	free(l->member_object);
	free(l);
}

static void *locksets_init(const struct chess_steps *steps)
{
	struct locksets *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->steps = steps;
	l->holder = calloc(steps->objects + 1, sizeof(*l->holder));
	l->member = calloc(steps->tasks + 1, sizeof(*l->member));
	l->member_object = calloc(steps->objects + 1, sizeof(*l->member_object));
	if (!l->holder || !l->member || !l->member_object) {
		locksets_free(l);
		errno = ENOMEM;
		return NULL;
	}
	return l;
}

static int locksets_sync(void *d, size_t i)
{
	struct locksets *l = d;
	const struct chess_step *s = &l->steps->v[i];

	if (s->kind == CHESS_STEP_RELEASE && l->holder[s->object] == s->task + 1u)
		l->holder[s->object] = 0;
	if (s->kind == CHESS_STEP_ACQUIRE && s->holds)
		l->holder[s->object] = s->task + 1;
	return 0;
}

/* The step: all that changes LS comes after it. */
static uint32_t locksets_stamp(void *d, size_t i, uint16_t task)
{
	(void)d;
	(void)task;
	return i;
}

static int locksets_ordered(void *d, size_t i, uint16_t task, const struct chess_shadow_entry *e)
{
	struct locksets *l = d;
	uint32_t k;

	if (e->task == task)
		return 1;
	l->round++;
	l->member[e->task] = l->round;
	for (k = e->clock + 1; k < i; k++) {
		const struct chess_step *s = &l->steps->v[k];

		if (s->kind == CHESS_STEP_RELEASE && l->member[s->task] == l->round) {
			l->member_object[s->object] = l->round;
			if (l->holder[s->object] == task + 1u)
				return 1;
		}
		if (s->kind == CHESS_STEP_ACQUIRE && l->member_object[s->object] == l->round)
			l->member[s->task] = l->round;
		if (l->member[task] == l->round)
			return 1;
	}
	return 0;
}

const struct chess_detector chess_by_locksets = {
	.init = locksets_init,
	.sync = locksets_sync,
	.stamp = locksets_stamp,
	.ordered = locksets_ordered,
	.free = locksets_free,
};
