/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that heaps were given back, and what came of realloc(). A run's record of accesses
 * has a heap's free() as an access of kind FRESH with an ip; see chess_record.h.
 */
#ifndef CHESSCTL_FREED_H
#define CHESSCTL_FREED_H

#include "race/shadow.h"
#include "race/sync.h"

/**
 * struct chess_freed - bytes that are free, as ranges that do not overlap
 * @root: a tree of them, tsearch(3)
 * @n: how many there are
 */
struct chess_freed {
	void *root;
	size_t n;
};

/**
 * struct chess_freed_range - one of them
 * @space: address space
 * @start: first byte
 * @end: after the last one
 * @by: who gave it back, when: what a detector wants to know of it
 */
struct chess_freed_range {
	uint16_t space;
	uint64_t start, end;
	struct chess_shadow_entry by;
};

/* Is it a heap's free()? realloc() is one once chess_freed_resolve() has seen it. */
static inline bool chess_is_free(const struct chess_access *a)
{
	return (a->kind & (CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED)) == CHESS_ACCESS_FRESH &&
	       a->ip;
}

/* Not to a heap: by munmap() and the like, so nobody minds if that comes twice. */
static inline bool chess_is_unmap(const struct chess_access *a)
{
	return chess_is_free(a) && (a->kind & CHESS_ACCESS_WRITE);
}

/* @r's bytes are given back, whatever they were before; -ENOMEM */
int chess_freed_add(struct chess_freed *f, const struct chess_freed_range *r);
/* They are not free any more; -ENOMEM: where one is cut in two */
int chess_freed_remove(struct chess_freed *f, uint16_t space, uint64_t start, uint64_t end);
/* One that overlaps, or NULL; good until the next change. */
const struct chess_freed_range *chess_freed_find(const struct chess_freed *f, uint16_t space,
						 uint64_t start, uint64_t end);
void chess_freed_clear(struct chess_freed *f);

/*
 * Does the task of access @at do nothing more but free, and make system calls? Where a thread
 * ends the heap frees its cache.
 */
bool chess_freed_is_ending(const struct chess_access *a, size_t n, size_t at);

/* Does the run have calls of realloc(), so that chess_freed_resolve() has something to do? */
bool chess_freed_unresolved(const struct chess_access *a, size_t n);
/*
 * What came of each realloc() is known only when it returns: a call that left the piece in
 * its place, or failed, becomes nothing; one that shrank it the free() of its end; one that
 * moved it the free() of all of it. In place; 0 or -ENOMEM.
 */
int chess_freed_resolve(struct chess_access *a, size_t n);

#endif /* CHESSCTL_FREED_H */
