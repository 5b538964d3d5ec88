// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See misuse.h. A piece counts as free from a free() on of what was seen to be handed out,
 * as long as it was then, until any of its bytes are handed out or mapped again: a heap that
 * is not understood, or a piece that came from elsewhere, is never free. The order is that of
 * the run. It needs no lock, and no race: one task alone may do it.
 *
 * What is not said: an access of up to 64 bytes at once that is not free as a whole, as
 * functions on strings read beyond the end of theirs up to a boundary; and a piece that was
 * a mapping of its own, which is gone, so that a signal tells.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "race/freed.h"
#include "internal.h"
#include "race/misuse.h"
#include "race/race.h"

#define PAGE_MASK	4095
/* In front of a piece that is a mapping. */
#define MAPPED_HEAD	16
#define WORD		8
#define VECTOR		64

struct heaps {
	struct chess_freed free;
	struct chess_freed live;	/* handed out; by.access: where */
	const struct chess_access *access;
	size_t n;
	const struct chess_misuse_opts *opts;
};

static bool is_allocation(const struct chess_access *a)
{
	return (a->kind & (CHESS_ACCESS_ALLOCATED | CHESS_ACCESS_FRESH)) == CHESS_ACCESS_ALLOCATED;
}

/* Most runs need no more than this look: what is unmapped was not a heap's, see take(). */
static bool is_understood(const struct chess_access *a, size_t n)
{
	bool frees = false;
	size_t i;

	for (i = 0; i < n; i++) {
		frees |= (a[i].kind & CHESS_ACCESS_FRESH) && a[i].ip && !chess_is_unmap(&a[i]);
		if (is_allocation(&a[i]) && a[i].address && !a[i].size)
			return false;
	}
	return frees;
}

static bool is_mapping(const struct chess_access *a)
{
	return (a->address & PAGE_MASK) == MAPPED_HEAD &&
	       !((a->size + MAPPED_HEAD) & PAGE_MASK);
}

static struct chess_freed_range range_of(const struct chess_step *s, const struct chess_access *a)
{
	return (struct chess_freed_range) {
		.space = s->space, .start = a->address, .end = a->address + a->size,
		.by.access = s->object,
	};
}

/* The end of a piece is given back by realloc(), which shrank it. */
static int give_back(struct heaps *h, const struct chess_freed_range *r)
{
	const struct chess_access *a = &h->access[r->by.access];
	const struct chess_freed_range *live = chess_freed_find(&h->live, r->space, r->start,
								r->start + 1);
	bool known = live && live->end == r->end && !is_mapping(a);
	int ret = chess_freed_remove(&h->live, r->space, r->start, r->end);

	if (ret)
		return ret;
	return known ? chess_freed_add(&h->free, r) :
		       chess_freed_remove(&h->free, r->space, r->start, r->end);
}

static int hand_out(struct heaps *h, const struct chess_freed_range *r)
{
	int ret = chess_freed_remove(&h->free, r->space, r->start, r->end);

	return ret ? ret : chess_freed_add(&h->live, r);
}

static int end_all(struct heaps *h, const struct chess_freed_range *r)
{
	int ret = chess_freed_remove(&h->free, r->space, r->start, r->end);

	return ret ? ret : chess_freed_remove(&h->live, r->space, r->start, r->end);
}

static bool is_heaps_own(const struct heaps *h, const struct chess_access *a)
{
	return h->opts->heap_first && a->site >= h->opts->heap_first && a->site < h->opts->heap_end;
}

/* The free() that an access comes after, or NULL. */
static const struct chess_freed_range *find_use(const struct heaps *h,
						const struct chess_freed_range *r)
{
	const struct chess_access *a = &h->access[r->by.access];
	const struct chess_freed_range *f;

	if (is_heaps_own(h, a))
		return NULL;
	f = chess_freed_find(&h->free, r->space, r->start, r->start + 1);
	if (f && a->size > WORD && a->size <= VECTOR && r->end > f->end)
		return NULL;
	return f;
}

static void fill_in(const struct heaps *h, const struct chess_freed_range *f, size_t second,
		    struct chess_trace_race *out)
{
	const struct chess_access *a = &h->access[f->by.access], *b = &h->access[second];

	*out = (struct chess_trace_race) {
		.first = *a, .second = *b, .address = b->address,
		.size = b->size < f->end - b->address ? b->size : f->end - b->address,
		.number = { f->by.access + 1, second + 1 },
	};
	out->first.site = out->second.site = 0;
}

/* Return: 1, it is a misuse; 0; -ENOMEM */
static int take(struct heaps *h, const struct chess_step *s, struct chess_trace_race *out)
{
	const struct chess_access *a = &h->access[s->object];
	const struct chess_freed_range r = range_of(s, a), *f = NULL;
	int ret = 0;

	if (!a->size || r.end < r.start)
		return 0;
	if (is_allocation(a))
		return hand_out(h, &r);
	if (chess_is_unmap(a))
		return end_all(h, &r);
	if (chess_is_free(a))
		f = chess_freed_find(&h->free, r.space, r.start, r.start + 1);
	else if (a->kind & CHESS_ACCESS_FRESH)
		return end_all(h, &r);
	else
		f = find_use(h, &r);
	if (f && chess_is_free(a) && h->opts->calls_itself &&
	    chess_freed_is_ending(h->access, h->n, s->object))
		return 0;
	if (f) {
		fill_in(h, f, s->object, out);
		return 1;
	}
	if (chess_is_free(a))
		ret = give_back(h, &r);
	return ret;
}

/* Who was handed it: the last one before it was given back. */
static void find_piece(const struct chess_steps *steps, const struct chess_access *a,
		       struct chess_trace_race *out)
{
	struct chess_race race = {
		.first = out->number[0] - 1, .second = out->number[1] - 1,
		.address = out->address, .is_open = true,
	};
	size_t i;

	for (i = 0; i < steps->n; i++)
		if (steps->v[i].kind == CHESS_STEP_ACCESS && steps->v[i].object == race.second)
			race.space = steps->v[i].space;
	chess_races_find_pieces(steps, a, &race, 1);
	out->piece.allocated_number = race.allocated;
	if (race.allocated)
		out->piece.allocated = a[race.allocated - 1];
}

static int find(const struct chess_record *r, const struct chess_access *a, size_t n,
		const struct chess_misuse_opts *o, struct chess_trace_race *out)
{
	struct heaps h = { .access = a, .n = n, .opts = o };
	struct chess_steps steps;
	size_t i;
	int ret = chess_sync_steps(r, a, n, &steps);

	if (ret)
		return ret;
	for (i = 0; i < steps.n && !ret; i++)
		if (steps.v[i].kind == CHESS_STEP_ACCESS)
			ret = take(&h, &steps.v[i], out);
	if (ret > 0)
		find_piece(&steps, a, out);
	chess_freed_clear(&h.free);
	chess_freed_clear(&h.live);
	free(steps.v);
	return ret == -ENOMEM ? chess_set_error(ENOMEM, "no memory for %zu accesses", n) : ret;
}

int chess_misuse_find(const struct chess_record *r, const struct chess_access *a, size_t n,
		      const struct chess_misuse_opts *o, struct chess_trace_race *out)
{
	struct chess_access *copy;
	int ret;

	if (!is_understood(a, n))
		return 0;
	if (!chess_freed_unresolved(a, n))
		return find(r, a, n, o, out);
	copy = malloc(n * sizeof(*copy));
	if (!copy)
		return chess_set_error(ENOMEM, "no memory for %zu accesses", n);
	memcpy(copy, a, n * sizeof(*copy));
	ret = chess_freed_resolve(copy, n);
	ret = ret ? chess_set_error(ENOMEM, "no memory for %zu accesses", n) :
		    find(r, copy, n, o, out);
	free(copy);
	return ret;
}
