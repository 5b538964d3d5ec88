// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See vclock.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "race/vclock.h"

static int widen(struct chess_vclock *c, uint32_t n)
{
	if (n <= c->n)
		return 0;
	if (chess_array_extend(&c->v, c->n, n, sizeof(*c->v)))
		return -ENOMEM;
	c->n = n;
	return 0;
}

int chess_vclock_tick(struct chess_vclock *c, uint32_t task)
{
	int ret = widen(c, task + 1);

	if (!ret)
		c->v[task]++;
	return ret;
}

int chess_vclock_join(struct chess_vclock *c, const struct chess_vclock *other)
{
	int ret = widen(c, other->n);
	uint32_t i;

	for (i = 0; !ret && i < other->n; i++)
		if (other->v[i] > c->v[i])
			c->v[i] = other->v[i];
	return ret;
}

void chess_vclock_free(struct chess_vclock *c)
{
	free(c->v);
	memset(c, 0, sizeof(*c));
}
