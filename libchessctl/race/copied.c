// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See copied.h. One pass from the begin: of each address space that is a copy, what was
 * written or mapped in it. A read of other bytes belongs to the copy, and if those were not
 * written in the parent either, and the parent is a copy itself, to that one, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "race/copied.h"
#include "race/freed.h"

/* As many as a search for races keeps of one run; further ones are not looked at. */
#define MAX_ENTRIES	(2UL << 20)

/*
 * An address space. @copy: its step plus one, 0: it is none. @several: more than one task
 * makes accesses in it. @watched: a thread beside the one that made the copy, or a copy
 * before that, may write what is read here.
 */
struct space {
	size_t copy;
	uint16_t task;
	bool used, several, watched;
};

/* A read that belongs to the copy @before. */
struct read {
	size_t before, number;
	uint32_t object;
};

struct look {
	struct chess_steps *steps;
	const struct chess_access *access;
	struct space *space;
	size_t spaces;
	struct chess_shadow shadow;	/* entries of kind WRITE, and of reads that were taken */
	struct chess_freed mapped;
	struct read *read;
	size_t n, room;
};

static size_t end_of_spaces(const struct chess_steps *steps)
{
	size_t i, end = 0;

	for (i = 0; i < steps->n; i++)
		if (steps->v[i].kind == CHESS_STEP_COPY && steps->v[i].space >= end)
			end = steps->v[i].space + 1;
	return end;
}

/* A parent has the lower number. Return: is one watched? */
static bool find_spaces(struct look *l)
{
	const struct chess_steps *steps = l->steps;
	bool any = false;
	size_t i;

	for (i = 0; i < steps->n; i++) {
		const struct chess_step *s = &steps->v[i];
		struct space *space = s->space < l->spaces ? &l->space[s->space] : NULL;

		if (s->kind == CHESS_STEP_COPY) {
			space->copy = i + 1;
		} else if (s->kind == CHESS_STEP_ACCESS && space) {
			space->several |= space->used && space->task != s->task;
			space->used = true;
			space->task = s->task;
		}
	}
	for (i = 0; i < l->spaces; i++)
		if (l->space[i].copy) {
			const struct space *parent =
				&l->space[steps->v[l->space[i].copy - 1].object];

			l->space[i].watched = parent->several || parent->watched;
			any |= l->space[i].watched;
		}
	return any;
}

/* Bytes of a word that @kind was done to before step @before. */
static uint8_t done(struct look *l, const struct chess_shadow_word *word, uint8_t kind,
		    uint64_t ip, size_t before)
{
	const struct chess_shadow_entry *e;
	uint8_t mask = 0;
	uint32_t i;

	for (i = word ? word->head : 0; i; i = e->next) {
		e = &l->shadow.entry[i - 1];
		if (e->kind == kind && e->ip == ip && e->access < before)
			mask |= e->mask;
	}
	return mask;
}

static void note(struct look *l, uint64_t key, uint8_t mask, uint8_t kind, uint64_t ip, size_t at)
{
	struct chess_shadow_word *word = chess_shadow_find(&l->shadow, key, true);
	struct chess_shadow_entry *e;

	if (!word || !(mask & ~done(l, word, kind, ip, SIZE_MAX)))
		return;
	e = chess_shadow_add(&l->shadow, word);
	if (!e)
		return;
	e->kind = kind;
	e->ip = ip;
	e->mask = mask;
	e->access = at;
}

/* Was nothing of it written or mapped in this space before step @before? */
static bool is_as_copied(struct look *l, uint16_t space, const struct chess_access *a,
			 size_t before)
{
	uint64_t end = a->address + a->size, word;
	const struct chess_freed_range *r;

	r = chess_freed_find(&l->mapped, space, a->address, end);
	if (r && r->by.access < before)
		return false;
	for (word = a->address & ~7ULL; word < end; word += 8)
		if (done(l, chess_shadow_find(&l->shadow, chess_shadow_key(space, word), false),
			 CHESS_ACCESS_WRITE, 0, before) & chess_shadow_mask(word, a->address, end))
			return false;
	return true;
}

/* The same instruction reads the same bytes of a copy: once is enough. */
static bool was_taken(struct look *l, uint16_t space, const struct chess_access *a)
{
	uint64_t end = a->address + a->size, word;
	bool all = true;

	for (word = a->address & ~7ULL; word < end; word += 8) {
		uint64_t key = chess_shadow_key(space, word);
		uint8_t mask = chess_shadow_mask(word, a->address, end);

		if (mask & ~done(l, chess_shadow_find(&l->shadow, key, false), CHESS_ACCESS_READ,
				 a->ip, SIZE_MAX))
			all = false;
		note(l, key, mask, CHESS_ACCESS_READ, a->ip, 0);
	}
	return all;
}

static int take_read(struct look *l, size_t i)
{
	const struct chess_step *s = &l->steps->v[i];
	const struct chess_access *a = &l->access[s->object];
	uint16_t space = s->space;
	size_t before = i;

	while (l->space[space].watched &&
	       is_as_copied(l, space, a, before) && !was_taken(l, space, a)) {
		if (chess_array_room(&l->read, &l->room, l->n + 1, sizeof(*l->read)))
			return -ENOMEM;
		before = l->space[space].copy - 1;
		l->read[l->n] = (struct read) {
			.before = before, .number = l->n, .object = s->object,
		};
		l->n++;
		space = l->steps->v[before].object;
	}
	return 0;
}

static int take_write(struct look *l, size_t i)
{
	const struct chess_step *s = &l->steps->v[i];
	const struct chess_access *a = &l->access[s->object];
	uint64_t end = a->address + a->size, word;
	const struct chess_freed_range r = {
		.space = s->space, .start = a->address, .end = end, .by = { .access = i },
	};

	if (a->kind & (CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED))
		return chess_freed_find(&l->mapped, s->space, a->address, end) ? 0 :
		       chess_freed_add(&l->mapped, &r);
	for (word = a->address & ~7ULL; word < end; word += 8)
		note(l, chess_shadow_key(s->space, word), chess_shadow_mask(word, a->address, end),
		     CHESS_ACCESS_WRITE, 0, i);
	return 0;
}

static int take_all(struct look *l)
{
	const struct chess_steps *steps = l->steps;
	int ret = 0;
	size_t i;

	for (i = 0; i < steps->n && !ret; i++) {
		const struct chess_step *s = &steps->v[i];
		const struct chess_access *a;

		if (s->kind != CHESS_STEP_ACCESS || s->space >= l->spaces ||
		    !l->space[s->space].watched)
			continue;
		a = &l->access[s->object];
		if (!a->size || a->address + a->size < a->address)
			continue;
		if (a->kind & CHESS_ACCESS_READ)
			ret = take_read(l, i);
		if (!ret && (a->kind & ~CHESS_ACCESS_READ))
			ret = take_write(l, i);
	}
	return ret;
}

static int by_place(const void *x, const void *y)
{
	const struct read *a = x, *b = y;

	if (a->before != b->before)
		return a->before < b->before ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* The list with the reads in it. */
static int put_in(struct look *l)
{
	struct chess_steps *steps = l->steps;
	struct chess_step *v = malloc((steps->n + l->n) * sizeof(*v));
	size_t i, k = 0, n = 0;

	if (!v)
		return -ENOMEM;
	qsort(l->read, l->n, sizeof(*l->read), by_place);
	for (i = 0; i < steps->n; i++) {
		const struct chess_step *copy = &steps->v[i];

		for (; k < l->n && l->read[k].before == i; k++)
			v[n++] = (struct chess_step) {
				.kind = CHESS_STEP_COPIED, .task = copy->task,
				.space = copy->object, .seq = copy->seq,
				.object = l->read[k].object,
			};
		v[n++] = *copy;
	}
	free(steps->v);
	steps->v = v;
	steps->n = steps->room = n;
	return 0;
}

int chess_copied_add(struct chess_steps *steps, const struct chess_access *a)
{
	struct look l = { .steps = steps, .access = a, .shadow.max = MAX_ENTRIES };
	int ret = 0;

	l.spaces = end_of_spaces(steps);
	if (!l.spaces)
		return 0;
	l.space = calloc(l.spaces, sizeof(*l.space));
	if (!l.space)
		return -ENOMEM;
	if (find_spaces(&l))
		ret = take_all(&l);
	if (!ret && l.n)
		ret = put_in(&l);
	chess_shadow_free(&l.shadow);
	chess_freed_clear(&l.mapped);
	free(l.read);
	free(l.space);
	return ret;
}
