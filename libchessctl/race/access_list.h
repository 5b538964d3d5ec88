/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Accesses that are put together for a search of their own, and what entries that are none tell.
 */
#ifndef CHESSCTL_ACCESS_LIST_H
#define CHESSCTL_ACCESS_LIST_H

#include <errno.h>

#include "array.h"
#include "internal.h"

/* In their order; free(@v) */
struct chess_access_list {
	struct chess_access *v;
	size_t n, room;
};

/* 0, or -ENOMEM with chess_error() */
static inline int chess_access_list_push(struct chess_access_list *l, struct chess_access a)
{
	if (chess_array_room(&l->v, &l->room, l->n + 1, sizeof(*l->v)))
		return chess_set_error(ENOMEM, "no memory for %zu accesses", l->n + 1);
	l->v[l->n++] = a;
	return 0;
}

/* Is it no access, but @what, an enum chess_told? */
static inline bool chess_access_tells(const struct chess_access *a, unsigned int what)
{
	return a->kind & CHESS_ACCESS_TOLD && a->size == what;
}

#endif /* CHESSCTL_ACCESS_LIST_H */
