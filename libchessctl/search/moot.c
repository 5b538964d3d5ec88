// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Steps of a run that are as if they had not been taken: happens.c has them come before no other
 * one.
 */
#include "internal.h"
#include "search/happens.h"

/* Is step @y the first one after the vain step @x that depends on it? */
static bool is_next(const struct chess_happens *h, size_t x, size_t y)
{
	size_t i = x + 1;

	while (i < y && !chess_ops_depend(&h->step[i].op, &h->step[x].op))
		i++;
	return i == y && h->step[y].op.kind == CHESS_OP_ON_OBJECTS;
}

/*
 * A task finds out that it has to wait, and the next step that has to do with what it waits for
 * lets it go on. Had it not been chosen before that, it would be at the same point now, able to
 * run, and all else would be the same. Not so if a signal was sent to it, be it later: where it
 * waits, the handler runs before the op is over.
 */
void chess_happens_find_moot(struct chess_happens *h)
{
	size_t t;

	for (t = 0; t < h->tasks; t++) {
		size_t x = chess_happens_first(h, t), next;

		for (; x != SIZE_MAX; x = next) {
			struct chess_step *s = &h->step[x];
			uint32_t y;

			next = chess_happens_next(h, t, x);
			if (next == SIZE_MAX)
				break;
			y = h->step[next].waker;
			s->moot = s->idle ||
				  (s->vain && y != CHESS_NO_STEP && is_next(h, x, y) &&
				   !chess_depend_signalled(&h->depend, t));
		}
	}
}
