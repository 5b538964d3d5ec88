// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See stretches.h. race.c calls.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "hashset.h"
#include "race/stretches.h"

#define WORD		8ULL
/* Shorter ones are not worth the search for where the next stretch begins. */
#define LONG_BYTES	512

struct range {
	uint64_t start, end;
};

struct ranges {
	struct range *v;
	size_t n, room;
};

static uint64_t word_of(uint64_t address)
{
	return address & ~(WORD - 1);
}

/* An allocation ends what was freed, by its range, and takes no word. */
static bool takes_words(const struct chess_access *a)
{
	return a->size && a->address + a->size > a->address &&
	       !(a->kind & CHESS_ACCESS_ALLOCATED);
}

bool chess_stretches_is_long(uint64_t size)
{
	return size >= LONG_BYTES;
}

static int compare_ranges(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

static int compare_words(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

/* What long accesses take, in whole words; none overlaps another. */
static int find_long(const struct chess_access *a, size_t n, struct ranges *out)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		if (!takes_words(&a[i]) || !chess_stretches_is_long(a[i].size))
			continue;
		if (chess_array_room(&out->v, &out->room, out->n + 1, sizeof(*out->v)))
			return -ENOMEM;
		out->v[out->n++] = (struct range) {
			word_of(a[i].address), word_of(a[i].address + a[i].size - 1) + WORD,
		};
	}
	if (!out->n)
		return 0;
	qsort(out->v, out->n, sizeof(*out->v), compare_ranges);
	for (i = 1; i < out->n; i++) {
		if (out->v[i].start > out->v[k].end)
			out->v[++k] = out->v[i];
		else if (out->v[i].end > out->v[k].end)
			out->v[k].end = out->v[i].end;
	}
	out->n = k + 1;
	return 0;
}

static bool is_in(const struct ranges *r, uint64_t start, uint64_t end)
{
	size_t low = 0, high = r->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (r->v[mid].end <= start)
			low = mid + 1;
		else
			high = mid;
	}
	return low < r->n && r->v[low].start < end;
}

/* @seen: words that are in @out, since most are cut by many accesses */
struct cutting {
	struct chess_stretches *out;
	struct chess_hashset seen;
};

static int cut_at(struct cutting *c, uint64_t word)
{
	struct chess_stretches *s = c->out;
	int ret = chess_hashset_add(&c->seen, word);

	if (ret <= 0)
		return ret;
	if (chess_array_room(&s->cut, &s->room, s->n + 1, sizeof(*s->cut)))
		return -ENOMEM;
	s->cut[s->n++] = word;
	return 0;
}

/* A word of which only a part is taken is a stretch by itself. */
static int cut_long(struct cutting *c, uint64_t start, uint64_t end)
{
	int ret = cut_at(c, word_of(start));

	if (!ret)
		ret = cut_at(c, word_of(end - 1) + WORD);
	if (!ret && start % WORD)
		ret = cut_at(c, word_of(start) + WORD);
	if (!ret && end % WORD)
		ret = cut_at(c, word_of(end));
	return ret;
}

static int cut_words(struct cutting *c, uint64_t start, uint64_t end)
{
	uint64_t word;
	int ret = 0;

	for (word = word_of(start); word < end && !ret; word += WORD)
		ret = cut_at(c, word);
	return ret ? ret : cut_at(c, word);
}

int chess_stretches_of(const struct chess_access *a, size_t n, struct chess_stretches *out)
{
	struct cutting c = { .out = out };
	struct ranges taken = { 0 };
	int ret = find_long(a, n, &taken);
	size_t i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < n && taken.n && !ret; i++) {
		uint64_t start = a[i].address, end = start + a[i].size;

		if (!takes_words(&a[i]) || !is_in(&taken, start, end))
			continue;
		ret = chess_stretches_is_long(a[i].size) ? cut_long(&c, start, end) :
							   cut_words(&c, start, end);
	}
	if (!ret && out->n)
		qsort(out->cut, out->n, sizeof(*out->cut), compare_words);
	chess_hashset_clear(&c.seen);
	free(taken.v);
	return ret;
}

uint64_t chess_stretches_next(const struct chess_stretches *s, uint64_t word)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->cut[mid] <= word)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->n ? s->cut[low] : word + WORD;
}
