// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The iRoots that a run exposed (Maple, OOPSLA'12, section 2). The dependences A => B of the run
 * are found first, then pairs of them that are an idiom.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "iroot/iroot.h"

/* A dependence: indices of two accesses. */
struct edge {
	uint32_t from, to;
};

/**
 * struct observer - a run that is looked at
 * @run: its accesses
 * @all: where its iRoots are noted
 * @window: see CHESS_IROOT_WINDOW
 * @edge: dependences, those to one access next to each other, in the order of accesses
 * @by_from: indices of @edge by the access that they are from; those of access I are from
 *	@begin[I] to @begin[I + 1]
 */
struct observer {
	const struct chess_iroot_run *run;
	struct chess_iroots *all;
	unsigned int window;
	struct edge *edge;
	size_t n, room;
	uint32_t *by_from, *begin;
};

static int add_edge(struct observer *o, uint32_t from, uint32_t to)
{
	if (!chess_iroot_depends(&o->run->access[from], &o->run->access[to]))
		return 0;
	if (chess_array_room(&o->edge, &o->room, o->n + 1, sizeof(*o->edge)))
		return -ENOMEM;
	o->edge[o->n++] = (struct edge){ from, to };
	return 0;
}

/*
 * @write: by object, the last write plus one; @read: the last read since, plus one; @before: by
 * access, the read before it since the same write, plus one.
 */
static int find_edges(struct observer *o, uint32_t *write, uint32_t *read, uint32_t *before)
{
	const struct chess_iroot_access *a;
	uint32_t i, at;
	int ret = 0;

	for (i = 0; i < o->run->n && !ret; i++) {
		a = &o->run->access[i];
		if (write[a->object])
			ret = add_edge(o, write[a->object] - 1, i);
		if (a->write)
			for (at = read[a->object]; at && !ret; at = before[at - 1])
				ret = add_edge(o, at - 1, i);
		if (a->tried)
			continue;
		if (a->write) {
			write[a->object] = i + 1;
			read[a->object] = 0;
		} else {
			before[i] = read[a->object];
			read[a->object] = i + 1;
		}
	}
	return ret;
}

static int sort_edges(struct observer *o)
{
	size_t i, n = o->run->n;

	o->begin = calloc(n + 2, sizeof(*o->begin));
	o->by_from = malloc((o->n + 1) * sizeof(*o->by_from));
	if (!o->begin || !o->by_from)
		return -ENOMEM;
	for (i = 0; i < o->n; i++)
		o->begin[o->edge[i].from + 2]++;
	for (i = 2; i < n + 2; i++)
		o->begin[i] += o->begin[i - 1];
	for (i = 0; i < o->n; i++)
		o->by_from[o->begin[o->edge[i].from + 1]++] = i;
	return 0;
}

static int expose(struct observer *o, unsigned int idiom, const uint32_t *access)
{
	struct chess_iroot root = { .idiom = idiom };
	unsigned int i;
	int64_t at;

	for (i = 0; i < CHESS_IROOT_PLACES; i++)
		if (access[i] != CHESS_IROOT_NONE)
			root.place[i] = o->run->access[access[i]].place;
	at = chess_iroots_find(o->all, &root);
	if (at < 0)
		return at;
	o->all->root[at].exposed = true;
	return 0;
}

/* A => B of T1 and T2, and C => D of T2 and T1; A comes before D and in the window. */
static int look_at_pair(struct observer *o, const struct edge *first, const struct edge *second)
{
	const struct chess_iroot_access *access = o->run->access;
	const struct chess_iroot_access *a = &access[first->from], *b = &access[first->to];
	const struct chess_iroot_access *c = &access[second->from], *d = &access[second->to];
	uint32_t places[CHESS_IROOT_PLACES] = { first->from, first->to, second->from, second->to };

	if (b->task != c->task || !chess_iroot_is_alone(o->run, a, d))
		return 0;
	if (first->to == second->from) {
		places[2] = CHESS_IROOT_NONE;
		return expose(o, 2, places);
	}
	if (b->own < c->own && c->own - b->own <= o->window)
		return expose(o, a->object == d->object ? 3 : 4, places);
	if (c->own < b->own && b->own - c->own <= o->window && a->object != d->object &&
	    chess_iroot_is_alone(o->run, c, b))
		return expose(o, 5, places);
	return 0;
}

/* The dependences of what T1 did before @second in the window, with it. */
static int look_back(struct observer *o, const uint32_t *own, const struct edge *second)
{
	const struct chess_iroot_access *access = o->run->access;
	const struct chess_iroot_access *d = &access[second->to], *a;
	uint32_t at, i;
	int ret = 0;

	for (at = own[second->to]; at && !ret; at = own[at - 1]) {
		a = &access[at - 1];
		if (d->own - a->own > o->window)
			break;
		if (a->own == d->own)
			continue;
		for (i = o->begin[at - 1]; i < o->begin[at] && !ret; i++)
			ret = look_at_pair(o, &o->edge[o->by_from[i]], second);
	}
	return ret;
}

static int look_at_edges(struct observer *o, const uint32_t *own)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < o->n && !ret; i++) {
		ret = expose(o, 1, (uint32_t [CHESS_IROOT_PLACES]){
			o->edge[i].from, o->edge[i].to, CHESS_IROOT_NONE, CHESS_IROOT_NONE,
		});
		if (!ret)
			ret = look_back(o, own, &o->edge[i]);
	}
	return ret;
}

/* By access, the one of the same task before it, plus one. */
static uint32_t *link_tasks(const struct chess_iroot_run *run)
{
	uint32_t *own = calloc(run->n + 1, sizeof(*own));
	uint32_t *last = calloc(run->tasks + 1, sizeof(*last));
	size_t i;

	for (i = 0; own && last && i < run->n; i++) {
		own[i] = last[run->access[i].task];
		last[run->access[i].task] = i + 1;
	}
	if (!last) {
		free(own);
		own = NULL;
	}
	free(last);
	return own;
}

/**
 * chess_iroots_observe() - note what a run exposed
 * @all: iRoots of the program; those of the run become exposed
 * @run: the run
 * @window: see CHESS_IROOT_WINDOW
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_iroots_observe(struct chess_iroots *all, const struct chess_iroot_run *run,
			 unsigned int window)
{
	struct observer o = { .run = run, .all = all, .window = window };
	uint32_t *write = calloc(run->objects + 1, sizeof(*write));
	uint32_t *read = calloc(run->objects + 1, sizeof(*read));
	uint32_t *before = calloc(run->n + 1, sizeof(*before)), *own = link_tasks(run);
	int ret = write && read && before && own ? 0 : -ENOMEM;

	if (!ret)
		ret = find_edges(&o, write, read, before);
	if (!ret)
		ret = sort_edges(&o);
	if (!ret)
		ret = look_at_edges(&o, own);
	free(write);
	free(read);
	free(before);
	free(own);
	free(o.edge);
	free(o.by_from);
	free(o.begin);
	return ret ? chess_set_error(ENOMEM, "no memory for the iRoots of a run of %zu accesses",
				     run->n) : 0;
}
