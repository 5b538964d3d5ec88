/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Accesses that are put together for a search of their own, what entries that are none tell,
 * and what entries of calls are.
 */
#ifndef CHESSCTL_ACCESS_LIST_H
#define CHESSCTL_ACCESS_LIST_H

#include <errno.h>

#include "array.h"
#include "internal.h"
#include "race/sync.h"

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

/* Does an entry of @run tell @what? */
static inline bool chess_accesses_tell(const struct chess_run_result *run, unsigned int what)
{
	size_t i;

	for (i = 0; i < run->n_accesses; i++)
		if (chess_access_tells(&run->accesses[i], what))
			return true;
	return false;
}

/* Needed whichever accesses are left out: what is recorded of memory, and what orders tasks. */
static inline bool chess_access_goes_with_each(uint8_t kind)
{
	return kind & CHESS_ACCESS_ORDERS || !(kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE));
}

/* Of a call, which may do less, and later: CHESS_ACCESS_MAY_READ or CHESS_ACCESS_MAY_WRITE? */
static inline bool chess_access_is_perhaps(const struct chess_access *a)
{
	uint8_t kind = a->kind &
		       (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC);

	return kind == CHESS_ACCESS_MAY_READ || kind == CHESS_ACCESS_MAY_WRITE;
}

/* Of a system call? That takes no trap, so it has no site. */
static inline bool chess_access_is_of_syscall(const struct chess_access *a)
{
	return !a->site && chess_access_is_perhaps(a);
}

/* Of the memory of another task, which is one of @tasks and stands in ip? */
static inline bool chess_access_is_of_task(const struct chess_access *a, size_t tasks)
{
	return a->memory == CHESS_ACCESS_OF_TASK && !(a->kind & CHESS_ACCESS_SHARED) &&
	       !a->site && a->ip < tasks;
}

#endif /* CHESSCTL_ACCESS_LIST_H */
