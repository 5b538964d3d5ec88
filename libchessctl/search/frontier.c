// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See frontier.h: a search that ends early leaves its prefixes here, and another search, perhaps
 * elsewhere, begins with them. They are kept in the order in which they would have been run.
 *
 * As bytes, all numbers with the lowest byte first:
 *
 *	1	nothing was run: the empty prefix waits; nothing follows
 *	0	groups follow: prefixes that leave the same run one after the other
 *	group	u32 segments, then of each u32 decisions and u16 task: the run, as far as it is
 *		needed; u32 forks, then of each u32 at, u16 task, u16 print, u8 last, u16 level,
 *		u32 row, f32 weight
 *
 * Whoever wrote the bytes may be a stranger: what does not fit together is refused.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "run/pack.h"
#include "search/frontier.h"

/* No bound is larger. */
#define LEVEL_MAX	1000
/* Rows are kept in an array, and say only what comes first: those beyond this come last. */
#define ROW_MAX		UINT16_MAX

struct held {
	struct chess_waiting t;
	unsigned int level;
};

/**
 * struct chess_frontier - prefixes
 * @held: those that wait
 * @n: how many
 * @room: of @held
 * @root: the empty one does
 */
struct chess_frontier {
	struct held *held;
	size_t n, room;
	bool root;
};

struct chess_frontier *chess_frontier_new(void)
{
	struct chess_frontier *f = calloc(1, sizeof(*f));

	if (!f)
		chess_set_error(ENOMEM, "no memory for the prefixes of a search");
	return f;
}

void chess_frontier_clear(struct chess_frontier *f)
{
	while (f->n)
		chess_trunk_put(f->held[--f->n].t.source);
	f->root = false;
}

void chess_frontier_free(struct chess_frontier *f)
{
	if (!f)
		return;
	chess_frontier_clear(f);
	free(f->held);
	free(f);
}

void chess_frontier_set_root(struct chess_frontier *f)
{
	chess_frontier_clear(f);
	f->root = true;
}

bool chess_frontier_is_root(const struct chess_frontier *f)
{
	return f->root;
}

int chess_frontier_add(struct chess_frontier *f, unsigned int level, const struct chess_waiting *t)
{
	if (chess_array_room(&f->held, &f->room, f->n + 1, sizeof(*f->held)))
		return chess_set_error(ENOMEM, "no memory for more than %zu prefixes", f->n);
	f->held[f->n++] = (struct held){ .t = *t, .level = level };
	chess_trunk_get(t->source);
	return 0;
}

bool chess_frontier_get(const struct chess_frontier *f, size_t i, unsigned int *level,
			struct chess_waiting *t)
{
	if (i >= f->n)
		return false;
	*t = f->held[i].t;
	*level = f->held[i].level;
	return true;
}

int chess_frontier_append(struct chess_frontier *f, const struct chess_frontier *more)
{
	size_t i;
	int ret = 0;

	if (more->root) {
		if (!f->n)
			f->root = true;
		return 0;
	}
	for (i = 0; i < more->n && !ret; i++)
		ret = chess_frontier_add(f, more->held[i].level, &more->held[i].t);
	return ret;
}

uint64_t chess_frontier_count(const struct chess_frontier *f)
{
	return f->root ? 1 : f->n;
}

double chess_frontier_weight(const struct chess_frontier *f)
{
	double sum = f->root;
	size_t i;

	for (i = 0; i < f->n; i++)
		sum += f->held[i].t.fork.weight;
	return sum;
}

unsigned int chess_frontier_level(const struct chess_frontier *f)
{
	unsigned int level = f->n ? f->held[0].level : 0;
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->held[i].level < level)
			level = f->held[i].level;
	return level;
}

/* --- pieces ---------------------------------------------------------------- */

/* A piece, and what is in it so far of the level that is being dealt. */
struct pile {
	struct chess_frontier *to;
	double weight;
	uint64_t n;
};

/* By level, the heaviest first. */
static int by_weight(const void *a, const void *b, void *arg)
{
	const size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const struct held *x = (const struct held *)arg + i, *y = (const struct held *)arg + k;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x->t.fork.weight != y->t.fork.weight)
		return x->t.fork.weight > y->t.fork.weight ? -1 : 1;
	return i < k ? -1 : 1;
}

static bool is_lighter(const struct pile *a, const struct pile *b)
{
	if (a->weight != b->weight)
		return a->weight < b->weight;
	return a->n != b->n ? a->n < b->n : a->to < b->to;
}

/* @pile is a heap but for its first entry. */
static void sift(struct pile *pile, size_t n)
{
	size_t at = 0, child;

	while ((child = 2 * at + 1) < n) {
		struct pile swap = pile[at];

		child += child + 1 < n && is_lighter(&pile[child + 1], &pile[child]);
		if (!is_lighter(&pile[child], &pile[at]))
			return;
		pile[at] = pile[child];
		pile[child] = swap;
		at = child;
	}
}

/* Which piece each prefix goes to: heaviest first, each to the piece that has the least. */
static void deal(const struct chess_frontier *f, const size_t *order, struct pile *pile, size_t n,
		 struct chess_frontier **to)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		to[order[i]] = pile->to;
		pile->weight += f->held[order[i]].t.fork.weight;
		pile->n++;
		sift(pile, n);
	}
}

int chess_frontier_split(const struct chess_frontier *f, struct chess_frontier **out, size_t n)
{
	struct chess_frontier **to = calloc(f->n + 1, sizeof(struct chess_frontier *));
	size_t *order = calloc(f->n + 1, sizeof(*order)), i;
	struct pile *pile = calloc(n, sizeof(*pile));
	int ret = to && order && pile ? 0 :
		  chess_set_error(ENOMEM, "no memory to split %zu prefixes", f->n);

	for (i = 0; !ret && i < n; i++)
		pile[i].to = out[i];
	for (i = 0; !ret && i < f->n; i++)
		order[i] = i;
	if (!ret && f->root)
		out[0]->root = true;
	if (!ret) {
		qsort_r(order, f->n, sizeof(*order), by_weight, f->held);
		deal(f, order, pile, n, to);
	}
	for (i = 0; !ret && i < f->n; i++)
		ret = chess_frontier_add(to[i], f->held[i].level, &f->held[i].t);
	free(to);
	free(order);
	free(pile);
	return ret;
}

/* --- bytes ----------------------------------------------------------------- */

static void put(struct chess_pack *p, uint64_t v, unsigned int bytes)
{
	chess_pack_put(p, &v, bytes);
}

static uint64_t get(struct chess_unpack *u, unsigned int bytes)
{
	uint64_t v = 0;

	chess_unpack_get(u, &v, bytes);
	return v;
}

static void put_fork(struct chess_pack *p, const struct held *h)
{
	const struct fork *k = &h->t.fork;
	float weight = k->weight;

	put(p, k->at, 4);
	put(p, k->task, 2);
	put(p, k->print, 2);
	put(p, k->last, 1);
	put(p, h->level, 2);
	put(p, h->t.row, 4);
	chess_pack_put(p, &weight, sizeof(weight));
}

/* The decisions of the run up to the last fork of the group. */
static int put_run(struct chess_pack *p, const struct held *h, size_t n)
{
	struct chess_schedule *s = chess_schedule_new();
	size_t i, end, length = 0, at;
	uint32_t segments = 0;
	int ret;

	if (!s)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		if (h[i].t.fork.at > length)
			length = h[i].t.fork.at;
	ret = chess_trunk_decisions(h->t.source, length, s);
	length = chess_schedule_length(s);
	at = p->n;
	put(p, 0, 4);
	for (i = 0; i < length; i = end) {
		uint16_t task = chess_schedule_task(s, i);

		for (end = i + 1; end < length && chess_schedule_task(s, end) == task; end++)
			;
		put(p, end - i, 4);
		put(p, task, 2);
		segments++;
	}
	if (!p->failed)
		memcpy(p->data + at, &segments, sizeof(segments));
	chess_schedule_free(s);
	return ret;
}

int chess_frontier_pack(const struct chess_frontier *f, unsigned char **bytes, size_t *n)
{
	struct chess_pack p = { 0 };
	size_t i, end, k;
	int ret = 0;

	put(&p, f->root, 1);
	for (i = 0; i < f->n && !ret; i = end) {
		for (end = i + 1; end < f->n && f->held[end].t.source == f->held[i].t.source; end++)
			;
		ret = put_run(&p, &f->held[i], end - i);
		put(&p, end - i, 4);
		for (k = i; k < end; k++)
			put_fork(&p, &f->held[k]);
	}
	if (!ret && p.failed)
		ret = chess_set_error(ENOMEM, "no memory to pack %zu prefixes", f->n);
	if (ret)
		free(p.data);
	*bytes = ret ? NULL : p.data;
	*n = ret ? 0 : p.n;
	return ret;
}

#define SEGMENT_BYTES	6
#define FORK_BYTES	19

/* Return: the run, or NULL: there is none, or no memory, which -ENOMEM in *@ret says. */
static struct chess_trunk *get_run(struct chess_unpack *u, size_t *length, int *ret)
{
	struct chess_schedule *s = chess_schedule_new();
	struct chess_trunk *t = NULL;
	uint64_t segments = get(u, 4);

	u->bad |= segments > u->left / SEGMENT_BYTES;
	*ret = s ? 0 : -ENOMEM;
	for (*length = 0; segments && !u->bad && !*ret; segments--) {
		uint64_t count = get(u, 4), task = get(u, 2);

		u->bad |= !count || count > CHESS_MAX_EVENTS - *length;
		if (!u->bad)
			*ret = chess_schedule_push_run(s, task, count);
		*length += count;
	}
	if (!u->bad && !*ret) {
		t = chess_trunk_from(s);
		*ret = t ? 0 : -ENOMEM;
	}
	chess_schedule_free(s);
	return t;
}

static int get_fork(struct chess_frontier *f, struct chess_unpack *u, struct chess_trunk *t,
		    size_t length)
{
	struct chess_waiting w = { .source = t };
	uint64_t at = get(u, 4), last;
	unsigned int level;
	float weight;

	w.fork.at = at;
	w.fork.task = get(u, 2);
	w.fork.print = get(u, 2);
	last = get(u, 1);
	w.fork.last = last;
	level = get(u, 2);
	w.row = get(u, 4);
	chess_unpack_get(u, &weight, sizeof(weight));
	w.fork.weight = weight;
	/* Each free choice is one of the prefix. */
	u->bad |= at > length || at >= CHESS_MAX_EVENTS || last > 1 || level > LEVEL_MAX ||
		  w.row > at + 1 || !(weight >= 0 && weight <= 1);
	w.row = w.row < ROW_MAX ? w.row : ROW_MAX;
	return u->bad ? 0 : chess_frontier_add(f, level, &w);
}

static int get_group(struct chess_frontier *f, struct chess_unpack *u)
{
	size_t length;
	int ret;
	struct chess_trunk *t = get_run(u, &length, &ret);
	uint64_t forks = get(u, 4);

	u->bad |= !t || !forks || forks > u->left / FORK_BYTES;
	while (!ret && !u->bad && forks--)
		ret = get_fork(f, u, t, length);
	chess_trunk_put(t);
	return ret;
}

struct chess_frontier *chess_frontier_unpack(const unsigned char *bytes, size_t n)
{
	struct chess_unpack u = { .at = bytes, .left = n };
	struct chess_frontier *f = chess_frontier_new();
	uint64_t root = get(&u, 1);
	int ret = f ? 0 : -ENOMEM;

	u.bad |= root > 1 || (root && u.left);
	if (!ret)
		f->root = root;
	while (!ret && !u.bad && u.left)
		ret = get_group(f, &u);
	if (!ret && u.bad)
		ret = chess_set_error(EBADMSG, "the prefixes are not what a search leaves");
	if (!ret)
		return f;
	chess_frontier_free(f);
	errno = -ret;
	return NULL;
}
