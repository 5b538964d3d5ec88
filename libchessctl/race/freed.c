// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See freed.h. Ranges do not overlap, so that two that do compare as equal: then a search
 * finds what overlaps, and the C library's trees will do.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "race/access_list.h"
#include "race/freed.h"

static int compare(const void *a, const void *b)
{
	const struct chess_freed_range *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->end <= y->start)
		return -1;
	return x->start >= y->end;
}

static int insert(struct chess_freed *f, const struct chess_freed_range *r)
{
	struct chess_freed_range *copy = malloc(sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *r;
	if (!tsearch(copy, &f->root, compare)) {
		free(copy);
		return -ENOMEM;
	}
	f->n++;
	return 0;
}

const struct chess_freed_range *chess_freed_find(const struct chess_freed *f, uint16_t space,
						 uint64_t start, uint64_t end)
{
	const struct chess_freed_range key = { .space = space, .start = start, .end = end };
	void *const *found;

	if (!f->n || start >= end)
		return NULL;
	found = tfind(&key, &f->root, compare);
	return found ? *found : NULL;
}

int chess_freed_remove(struct chess_freed *f, uint16_t space, uint64_t start, uint64_t end)
{
	const struct chess_freed_range *r;
	struct chess_freed_range old;
	int ret = 0;

	while (!ret && (r = chess_freed_find(f, space, start, end))) {
		old = *r;
		tdelete(r, &f->root, compare);
		free((void *)r);
		f->n--;
		if (old.start < start) {
			struct chess_freed_range before = old;

			before.end = start;
			ret = insert(f, &before);
		}
		if (!ret && old.end > end) {
			old.start = end;
			ret = insert(f, &old);
		}
	}
	return ret;
}

int chess_freed_add(struct chess_freed *f, const struct chess_freed_range *r)
{
	int ret = chess_freed_remove(f, r->space, r->start, r->end);

	return ret || r->start >= r->end ? ret : insert(f, r);
}

void chess_freed_clear(struct chess_freed *f)
{
	tdestroy(f->root, free);
	f->root = NULL;
	f->n = 0;
}

static bool is_resize(const struct chess_access *a)
{
	return (a->kind & CHESS_ACCESS_FRESH) && (a->kind & CHESS_ACCESS_ALLOCATED);
}

bool chess_freed_is_ending(const struct chess_access *a, size_t n, size_t at)
{
	size_t i;

	for (i = at + 1; i < n; i++)
		if (a[i].task == a[at].task && !chess_is_free(&a[i]) &&
		    !chess_access_is_of_syscall(&a[i]))
			return false;
	return true;
}

bool chess_freed_unresolved(const struct chess_access *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (is_resize(&a[i]))
			return true;
	return false;
}

/* It is not an access of any kind: see access_memory() in sync.c. */
static void forget(struct chess_access *a)
{
	a->kind = CHESS_ACCESS_ORDERS;
}

static void returned(struct chess_access *old, const struct chess_access *new)
{
	if (!new->address) {
		forget(old);
		return;
	}
	old->kind = CHESS_ACCESS_FRESH;
	if (old->address != new->address)
		return;
	if (old->size <= new->size) {
		forget(old);
		return;
	}
	old->address += new->size;
	old->size -= new->size;
}

int chess_freed_resolve(struct chess_access *a, size_t n)
{
	size_t tasks = 0, i, *pending;

	for (i = 0; i < n; i++)
		if (a[i].task >= tasks)
			tasks = a[i].task + 1;
	/* Of each task the realloc() it is in, plus one. */
	pending = calloc(tasks + 1, sizeof(*pending));
	if (!pending)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		size_t *call = &pending[a[i].task];
		struct chess_access *old = *call ? &a[*call - 1] : NULL;

		if (is_resize(&a[i])) {
			/* A handler's longjmp(), or a jump over its end: nobody knows. */
			if (old)
				forget(old);
			*call = i + 1;
		} else if (old && (a[i].kind & CHESS_ACCESS_ALLOCATED) && a[i].ip == old->ip) {
			returned(old, &a[i]);
			*call = 0;
		} else if (old && chess_is_free(&a[i]) && a[i].address == old->address) {
			/* realloc(piece, 0) calls free(). */
			forget(old);
			*call = 0;
		}
	}
	/* The run ended in them. */
	for (i = 0; i < tasks; i++)
		if (pending[i])
			forget(&a[pending[i] - 1]);
	free(pending);
	return 0;
}
