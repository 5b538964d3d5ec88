// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See worklist.h. Each row is a queue; rows of forks that come last are taken when the others
 * are empty. Beside them is a stack for the current level, which is
 * depth first: the last fork of the last run comes first. Rows and stack take turns: every
 * second prefix is from the stack, or if that is empty from a row, and its own forks go to
 * the stack. A livelock that needs a free choice in each round is found only by going deep;
 * most other bugs are found with few free choices.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "search/frontier.h"
#include "search/queue.h"
#include "search/worklist.h"

/* No row before @first has any. */
struct rows {
	struct chess_queue *row;
	unsigned int n_rows, first;
	uint64_t n;
};

/* Prefixes of equal cost: those that come first, and those that come last. */
#define TURNS	2

struct level {
	struct rows rows[TURNS];
};

/* Forks of one run, in the order of its decisions. */
struct branch {
	struct chess_trunk *trunk;
	struct fork *fork;
	uint32_t n;
	unsigned int row;
};

/**
 * struct chess_worklist - the prefixes that wait
 * @level: by cost, @n_levels of them
 * @stack: of the current level; @depth of them in use
 * @n: forks in all
 * @turn: prefixes taken
 */
struct chess_worklist {
	struct level *level;
	unsigned int n_levels;
	struct branch *stack;
	size_t depth, room;
	uint64_t n;
	uint64_t turn;
};

/**
 * chess_worklist_new() - an empty list
 *
 * Return: it, or NULL and errno with a sentence.
 */
struct chess_worklist *chess_worklist_new(void)
{
	struct chess_worklist *w = calloc(1, sizeof(*w));

	if (!w)
		chess_set_error(ENOMEM, "no memory for a work list");
	return w;
}

static void drop_stack(struct chess_worklist *w)
{
	while (w->depth) {
		struct branch *b = &w->stack[--w->depth];

		chess_trunk_put(b->trunk);
		free(b->fork);
		w->n -= b->n;
	}
}

/**
 * chess_worklist_drop() - prefixes that will not be run
 * @w: the list
 * @first: all of this level and of those after it; with level 0 the stack too
 */
void chess_worklist_drop(struct chess_worklist *w, unsigned int first)
{
	unsigned int i, turn, k;

	if (!first)
		drop_stack(w);
	for (i = first; i < w->n_levels; i++)
		for (turn = 0; turn < TURNS; turn++) {
			struct rows *l = &w->level[i].rows[turn];

			for (k = 0; k < l->n_rows; k++)
				chess_queue_clear(&l->row[k]);
			free(l->row);
			w->n -= l->n;
			*l = (struct rows){ 0 };
		}
}

void chess_worklist_free(struct chess_worklist *w)
{
	if (!w)
		return;
	chess_worklist_drop(w, 0);
	free(w->level);
	free(w->stack);
	free(w);
}

static int reach_level(struct chess_worklist *w, unsigned int level)
{
	unsigned int n = level + 1;

	if (n <= w->n_levels)
		return 0;
	if (chess_array_extend(&w->level, w->n_levels, n, sizeof(*w->level)))
		return chess_set_error(ENOMEM, "no memory for %u work lists", n);
	w->n_levels = n;
	return 0;
}

static int reach_row(struct rows *l, unsigned int row)
{
	unsigned int n = l->n_rows;

	if (row < n)
		return 0;
	/* Rows are numbered without gaps. */
	n = n * 2 > row + 1 ? n * 2 : row + 1;
	if (chess_array_extend(&l->row, l->n_rows, n, sizeof(*l->row)))
		return chess_set_error(ENOMEM, "no memory for %u work lists", n);
	l->n_rows = n;
	return 0;
}

/**
 * chess_worklist_push() - some forks of a run wait in the order of their row
 * @w: the list
 * @level: what schedules with them cost at least
 * @row: free choices in them
 * @last: they wait until no others of the level do
 * @t: the run, to which a reference is taken
 * @fork: its forks, in the order of its decisions
 * @n: how many, at least one
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_worklist_push(struct chess_worklist *w, unsigned int level, unsigned int row, bool last,
			struct chess_trunk *t, const struct fork *fork, uint32_t n)
{
	int ret = reach_level(w, level);
	struct rows *l;

	if (ret)
		return ret;
	l = &w->level[level].rows[last];
	ret = reach_row(l, row);
	if (!ret)
		ret = chess_queue_push(&l->row[row], t, fork, n);
	if (ret)
		return ret;
	if (row < l->first)
		l->first = row;
	l->n += n;
	w->n += n;
	return 0;
}

/**
 * chess_worklist_push_next() - some forks of a run go on the stack
 * @w: the list
 * @row: as chess_worklist_push() has it; the level is the current one
 * @t: the run, to which a reference is taken
 * @fork: its forks, in the order of its decisions
 * @n: how many, at least one
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_worklist_push_next(struct chess_worklist *w, unsigned int row,
			     struct chess_trunk *t, const struct fork *fork, uint32_t n)
{
	struct branch *b;

	if (chess_array_room(&w->stack, &w->room, w->depth + 1, sizeof(*w->stack)))
		return chess_set_error(ENOMEM, "no memory for a work list of more than %zu runs",
				       (size_t)w->depth);
	b = &w->stack[w->depth];
	*b = (struct branch){ .fork = malloc(n * sizeof(*fork)), .n = n, .row = row };
	if (!b->fork)
		return chess_set_error(ENOMEM, "no memory for %u prefixes of a run", n);
	memcpy(b->fork, fork, n * sizeof(*fork));
	b->trunk = chess_trunk_get(t);
	w->depth++;
	w->n += n;
	return 0;
}

static bool is_deep(uint64_t turn)
{
	return turn & 1;
}

static void pop(struct chess_worklist *w, struct chess_waiting *out)
{
	struct branch *b = &w->stack[w->depth - 1];

	*out = (struct chess_waiting){
		.source = b->trunk, .fork = b->fork[--b->n], .row = b->row,
	};
	if (b->n) {
		chess_trunk_get(b->trunk);
		return;
	}
	free(b->fork);
	w->depth--;
}

/**
 * chess_worklist_take() - the prefix that is next
 * @w: the list
 * @level: the current one, to which all on the stack belongs
 * @out: becomes it, with a reference to its source
 *
 * Return: whether there is one.
 */
bool chess_worklist_take(struct chess_worklist *w, unsigned int level,
			 struct chess_waiting *out)
{
	bool deep = is_deep(w->turn), rows = chess_worklist_count_at(w, level);
	struct rows *l;

	if (!w->depth && !rows)
		return false;
	w->turn++;
	w->n--;
	if (w->depth && (deep || !rows)) {
		pop(w, out);
		out->deep = true;
		return true;
	}
	l = w->level[level].rows;
	if (!l->n)
		l++;
	while (!l->row[l->first].n)
		l->first++;
	*out = (struct chess_waiting){ .row = l->first, .deep = deep };
	chess_queue_take(&l->row[l->first], &out->source, &out->fork);
	out->fork.last = l != w->level[level].rows;
	l->n--;
	return true;
}

/* The prefix after *@k others in a queue; else *@k is reduced by their number. */
static bool peek_row(const struct chess_queue *q, size_t *k, struct chess_waiting *out)
{
	struct chess_queue_cursor c = q->read;

	if (*k >= q->n) {
		*k -= q->n;
		return false;
	}
	do
		chess_queue_next(&c);
	while ((*k)--);
	*out = (struct chess_waiting){ .source = c.trunk, .fork = c.fork };
	return true;
}

static bool peek_stack(const struct chess_worklist *w, size_t k, struct chess_waiting *out)
{
	size_t d;

	for (d = w->depth; d--; k -= w->stack[d].n) {
		const struct branch *b = &w->stack[d];

		if (k >= b->n)
			continue;
		*out = (struct chess_waiting){
			.source = b->trunk, .fork = b->fork[b->n - 1 - k],
		};
		return true;
	}
	return false;
}

/**
 * chess_worklist_peek() - a prefix that will be next
 * @w: the list
 * @k: how many others come before it, if nothing is pushed
 * @out: becomes it, without a reference; @row is not set
 *
 * Return: whether so many wait.
 */
bool chess_worklist_peek(const struct chess_worklist *w, size_t k, struct chess_waiting *out)
{
	bool deep = is_deep(w->turn + k);
	size_t stacked = 0, before, d;
	unsigned int i, turn, row;

	for (d = 0; d < w->depth; d++)
		stacked += w->stack[d].n;
	/* The number of prefixes before it that come from the stack. */
	before = (w->turn + k) / 2 - w->turn / 2;
	if (deep && before < stacked)
		return peek_stack(w, before, out);
	k -= before < stacked ? before : stacked;
	for (i = 0; i < w->n_levels; i++)
		for (turn = 0; turn < TURNS; turn++) {
			const struct rows *l = &w->level[i].rows[turn];

			for (row = l->first; l->n && row < l->n_rows; row++)
				if (peek_row(&l->row[row], &k, out))
					return true;
		}
	return false;
}

/**
 * chess_worklist_leave() - all that waits, out of the search
 * @w: the list, which is empty then
 * @level: the current one
 * @to: gets them, in the order in which they would be taken
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_worklist_leave(struct chess_worklist *w, unsigned int level, struct chess_frontier *to)
{
	struct chess_waiting t;
	int ret = 0;

	do {
		while (!ret && chess_worklist_take(w, level, &t)) {
			ret = chess_frontier_add(to, level, &t);
			chess_trunk_put(t.source);
		}
	} while (!ret && chess_worklist_lowest(w, &level));
	return ret;
}

/**
 * chess_worklist_lowest() - which level has a prefix, of those without a stack?
 * @w: the list
 * @level: becomes the one with the least cost
 *
 * Return: whether any has.
 */
bool chess_worklist_lowest(const struct chess_worklist *w, unsigned int *level)
{
	for (*level = 0; *level < w->n_levels; ++*level)
		if (chess_worklist_count_at(w, *level))
			return true;
	return false;
}

uint64_t chess_worklist_count(const struct chess_worklist *w)
{
	return w->n;
}

/* In rows; without those on the stack. */
uint64_t chess_worklist_count_at(const struct chess_worklist *w, unsigned int level)
{
	return level < w->n_levels ? w->level[level].rows[0].n + w->level[level].rows[1].n : 0;
}
