// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See aside.h. One list: it is walked only when an object turns out to be raced for, which
 * happens once for each object.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "search/aside.h"
#include "internal.h"

int chess_aside_add(struct chess_aside *a, uint64_t object, unsigned int level,
		    unsigned int row, const struct fork *fork)
{
	if (chess_array_room(&a->fork, &a->room, a->n + 1, sizeof(*a->fork)))
		return chess_set_error(ENOMEM,
				       "no memory for more than %zu prefixes at ordered objects",
				       a->n);
	a->fork[a->n++] = (struct chess_aside_fork) {
		.object = object, .level = level, .row = row, .fork = *fork,
	};
	return 0;
}

bool chess_aside_has_fresh(const struct chess_aside *a)
{
	return a->n > a->kept;
}

void chess_aside_keep(struct chess_aside *a, struct chess_trunk *t)
{
	for (; a->kept < a->n; a->kept++)
		a->fork[a->kept].trunk = chess_trunk_get(t);
}

void chess_aside_drop_fresh(struct chess_aside *a)
{
	a->n = a->kept;
}

void chess_aside_clear(struct chess_aside *a)
{
	size_t i;

	for (i = 0; i < a->kept; i++)
		chess_trunk_put(a->fork[i].trunk);
	free(a->fork);
	memset(a, 0, sizeof(*a));
}
