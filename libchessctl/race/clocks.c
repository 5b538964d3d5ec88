// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Races by vector clocks. A task's clock says how many releases of each task come before
 * what it does now; a release passes it on through the object. So an access is named by
 * one number, how many releases its task had made (FastTrack's epoch, PLDI'09), and is
 * before another one if that one's task knows of a later release. FastTrack keeps one
 * write and forgets what was before it, which finds whether there is a race but not all of
 * its instructions; here all are kept (shadow.h).
 */
#include <errno.h>
#include <stdlib.h>

#include "race/detector.h"
#include "race/vclock.h"

struct clocks {
	const struct chess_steps *steps;
	struct chess_vclock *task, *object;
};

static void clocks_free(void *d)
{
	struct clocks *c = d;
	size_t i;

	for (i = 0; c->task && i < c->steps->tasks; i++)
		chess_vclock_free(&c->task[i]);
	for (i = 0; c->object && i < c->steps->objects; i++)
		chess_vclock_free(&c->object[i]);
	free(c->task);
	free(c->object);
	free(c);
}

static void *clocks_init(const struct chess_steps *steps)
{
	struct clocks *c = calloc(1, sizeof(*c));
	size_t i;

	if (!c)
		return NULL;
	c->steps = steps;
	c->task = calloc(steps->tasks + 1, sizeof(*c->task));
	c->object = calloc(steps->objects + 1, sizeof(*c->object));
	if (!c->task || !c->object)
		goto err;
	/* Nobody knows of a task's first epoch before it is released. */
	for (i = 0; i < steps->tasks; i++)
		if (chess_vclock_tick(&c->task[i], i))
			goto err;
	return c;
err:
	clocks_free(c);
	errno = ENOMEM;
	return NULL;
}

static int clocks_sync(void *d, size_t i)
{
	struct clocks *c = d;
	const struct chess_step *s = &c->steps->v[i];
	int ret;

	if (s->kind == CHESS_STEP_RELEASE) {
		ret = chess_vclock_join(&c->object[s->object], &c->task[s->task]);
		return ret ? ret : chess_vclock_tick(&c->task[s->task], s->task);
	}
	ret = chess_vclock_join(&c->task[s->task], &c->object[s->object]);
	if (s->last)
		chess_vclock_free(&c->object[s->object]);
	return ret;
}

static uint32_t clocks_stamp(void *d, size_t i, uint16_t task)
{
	const struct clocks *c = d;

	(void)i;
	return chess_vclock_get(&c->task[task], task);
}

static int clocks_ordered(void *d, size_t i, uint16_t task, const struct chess_shadow_entry *e)
{
	const struct clocks *c = d;

	(void)i;
	return e->clock <= chess_vclock_get(&c->task[task], e->task);
}

const struct chess_detector chess_by_clocks = {
	.init = clocks_init,
	.sync = clocks_sync,
	.stamp = clocks_stamp,
	.ordered = clocks_ordered,
	.free = clocks_free,
};
