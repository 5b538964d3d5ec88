// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See hashset.h. A million numbers have 16 MB, and 24 MB for the moment in which the table
 * grows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hashset.h"
#include "internal.h"

/* Where it is, or would be. */
static size_t find(const struct chess_hashset *s, uint64_t number)
{
	size_t at = number * 0x9e3779b97f4a7c15ULL >> 32 & (s->slots - 1);

	while (s->slot[at] && s->slot[at] != number)
		at = (at + 1) & (s->slots - 1);
	return at;
}

static int grow(struct chess_hashset *s)
{
	struct chess_hashset more = *s;
	size_t i;

	more.slots = s->slots ? s->slots * 2 : 64;
	more.slot = calloc(more.slots, sizeof(*more.slot));
	if (!more.slot)
		return chess_set_error(ENOMEM, "no memory for a set of more than %zu numbers",
				       s->used);
	for (i = 0; i < s->slots; i++)
		if (s->slot[i])
			more.slot[find(&more, s->slot[i])] = s->slot[i];
	free(s->slot);
	*s = more;
	return 0;
}

int chess_hashset_add(struct chess_hashset *s, uint64_t number)
{
	bool had = s->zero;
	size_t at;
	int ret;

	if (!number) {
		s->zero = true;
		return !had;
	}
	if (s->used * 2 >= s->slots) {
		ret = grow(s);
		if (ret)
			return ret;
	}
	at = find(s, number);
	if (s->slot[at])
		return 0;
	s->slot[at] = number;
	s->used++;
	return 1;
}

bool chess_hashset_has(const struct chess_hashset *s, uint64_t number)
{
	if (!number)
		return s->zero;
	return s->slots && s->slot[find(s, number)];
}

size_t chess_hashset_count(const struct chess_hashset *s)
{
	return s->used + s->zero;
}

void chess_hashset_clear(struct chess_hashset *s)
{
	free(s->slot);
	memset(s, 0, sizeof(*s));
}
