// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The iRoots that another schedule of the same program may expose, by what its tasks did in one
 * (Maple, OOPSLA'12, section 3): two accesses that depend on each other, unless B comes before
 * A in every schedule, or locks that both have keep another write between them (mutual
 * exclusion, section 3.4). Idioms 2 to 5 are two of these, unless a lock that T1 has from A to
 * D keeps T2 out.
 *
 * Accesses that differ in nothing of this count once: a loop is as good as a few of its rounds.
 * What is predicted may be infeasible, by values and by order that is no lock's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "iroot/iroot.h"
#include "mix.h"

/* No more iRoots of a program, and no more combinations in a run, are looked at. */
#define MAX_ROOTS		20000
#define MAX_COMBINATIONS	2000000

/* Two accesses of one task in the window, at @first before @second. */
struct pair {
	uint32_t first, second;
	bool alone;
};

/**
 * struct predictor - a run that is looked at
 * @run: its accesses
 * @all: where iRoots are noted
 * @window: see CHESS_IROOT_WINDOW
 * @chosen: indices of accesses, one of those that are alike, by object
 * @class: of each access, the index in @chosen of the one like it
 * @pair: pairs of them, sorted by their objects, one of those that are alike
 * @seen: hashes of pairs
 * @combined: combinations that were looked at
 */
struct predictor {
	const struct chess_iroot_run *run;
	struct chess_iroots *all;
	unsigned int window;
	uint32_t *chosen, *class;
	size_t n_chosen;
	struct pair *pair;
	size_t n_pairs, pair_room;
	struct chess_hashset seen;
	size_t combined;
};

static const struct chess_iroot_access *at(const struct predictor *p, uint32_t i)
{
	return &p->run->access[i];
}

/* @a comes before @b in every schedule, as tasks are created and joined. */
static bool comes_first(const struct predictor *p, uint32_t a, uint32_t b)
{
	const struct chess_iroot_run *run = p->run;

	return a != CHESS_IROOT_NONE && b != CHESS_IROOT_NONE && run->clock &&
	       run->clock[at(p, b)->clock * run->tasks + at(p, a)->task] >= at(p, a)->own;
}

/* Does @i have the lock in the same critical section? */
static bool has_lock(const struct predictor *p, uint32_t i, const struct chess_iroot_lock *lock)
{
	const struct chess_iroot_lock *l = p->run->lock + at(p, i)->locks;
	unsigned int k;

	for (k = 0; k < at(p, i)->n_locks; k++)
		if (l[k].object == lock->object && l[k].since == lock->since)
			return true;
	return false;
}

/* The lock of @i that keeps out tasks that have @lock; NULL: it has none. */
static const struct chess_iroot_lock *same_lock(const struct predictor *p, uint32_t i,
						const struct chess_iroot_lock *lock)
{
	const struct chess_iroot_lock *l = p->run->lock + at(p, i)->locks;
	unsigned int k;

	for (k = 0; k < at(p, i)->n_locks; k++)
		if (l[k].object == lock->object && !(l[k].shared && lock->shared))
			return &l[k];
	return NULL;
}

/* With a lock that both have, @a is the last write of its section and @b the first of its. */
static bool locks_allow(const struct predictor *p, uint32_t a, uint32_t b)
{
	const struct chess_iroot_lock *l = p->run->lock + at(p, a)->locks, *other;
	unsigned int i;

	for (i = 0; i < at(p, a)->n_locks; i++) {
		other = l[i].object == at(p, a)->object ? NULL : same_lock(p, b, &l[i]);
		if (!other)
			continue;
		if (at(p, a)->next_write != CHESS_IROOT_NONE &&
		    has_lock(p, at(p, a)->next_write, &l[i]))
			return false;
		if (at(p, b)->previous_write != CHESS_IROOT_NONE &&
		    has_lock(p, at(p, b)->previous_write, other))
			return false;
	}
	return true;
}

static bool may_depend(const struct predictor *p, uint32_t a, uint32_t b)
{
	return chess_iroot_depends(at(p, a), at(p, b)) && !comes_first(p, b, a) &&
	       !comes_first(p, at(p, a)->next_write, b) &&
	       !comes_first(p, a, at(p, b)->previous_write) && locks_allow(p, a, b);
}

static int predict(struct predictor *p, unsigned int idiom, uint32_t a, uint32_t b, uint32_t c,
		   uint32_t d)
{
	const uint32_t access[] = { a, b, c, d };
	struct chess_iroot root = { .idiom = idiom };
	int64_t found;
	size_t i;

	for (i = 0; i < CHESS_IROOT_PLACES; i++)
		if (access[i] != CHESS_IROOT_NONE)
			root.place[i] = at(p, access[i])->place;
	if (p->all->n >= MAX_ROOTS) {
		p->all->cut = true;
		return 0;
	}
	found = chess_iroots_find(p->all, &root);
	if (found < 0)
		return found;
	p->all->root[found].predicted = true;
	return 0;
}

/* What says whether two accesses are alike. */
static uint64_t hash_of(const struct predictor *p, uint32_t i)
{
	const struct chess_iroot_access *a = at(p, i);
	const struct chess_iroot_lock *l = p->run->lock + a->locks;
	const uint32_t near[] = { a->next_write, a->previous_write };
	uint64_t hash = chess_mix(chess_mix(chess_mix(0, a->task), a->object), a->place);
	unsigned int k, n;

	hash = chess_mix(chess_mix(hash, a->clock), a->write << 1 | a->tried);
	for (k = 0; k < a->n_locks; k++) {
		hash = chess_mix(hash, (uint64_t)l[k].object << 1 | l[k].shared);
		for (n = 0; n < 2; n++)
			hash = chess_mix(hash, near[n] != CHESS_IROOT_NONE &&
					       has_lock(p, near[n], &l[k]));
	}
	for (n = 0; n < 2; n++)
		hash = chess_mix(hash, near[n] == CHESS_IROOT_NONE ? 0 : 1 + at(p, near[n])->clock);
	return hash;
}

struct like { uint64_t hash; uint32_t object, i; };

static int compare_like(const void *a, const void *b)
{
	const struct like *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->i < y->i ? -1 : 1;
}

static int choose_accesses(struct predictor *p)
{
	struct like *like = calloc(p->run->n + 1, sizeof(*like));
	size_t i, n = 0;

	p->chosen = calloc(p->run->n + 1, sizeof(*p->chosen));
	p->class = calloc(p->run->n + 1, sizeof(*p->class));
	if (!like || !p->chosen || !p->class) {
		free(like);
		return -ENOMEM;
	}
	for (i = 0; i < p->run->n; i++)
		like[i] = (struct like){ hash_of(p, i), at(p, i)->object, i };
	qsort(like, p->run->n, sizeof(*like), compare_like);
	for (i = 0; i < p->run->n; i++) {
		if (!i || like[i].hash != like[i - 1].hash || like[i].object != like[i - 1].object)
			p->chosen[n++] = like[i].i;
		p->class[like[i].i] = n - 1;
	}
	p->n_chosen = n;
	free(like);
	return 0;
}

static int predict_simple(struct predictor *p)
{
	size_t begin, end, i, k;
	int ret = 0;

	for (begin = 0; begin < p->n_chosen && !ret; begin = end) {
		for (end = begin; end < p->n_chosen &&
		     at(p, p->chosen[end])->object == at(p, p->chosen[begin])->object; )
			end++;
		for (i = begin; i < end && !ret; i++)
			for (k = begin; k < end && !ret; k++)
				if (may_depend(p, p->chosen[i], p->chosen[k]))
					ret = predict(p, 1, p->chosen[i], p->chosen[k],
						      CHESS_IROOT_NONE, CHESS_IROOT_NONE);
	}
	return ret;
}

/* Are both in one critical section of the lock that @a has? */
static bool has_throughout(const struct predictor *p, const struct pair *x,
			   const struct chess_iroot_lock *lock)
{
	return has_lock(p, x->second, lock);
}

/* Does a lock that @outer has from its first to its second access keep @i out? */
static bool keeps_out(const struct predictor *p, const struct pair *outer, uint32_t i)
{
	const struct chess_iroot_lock *l = p->run->lock + at(p, outer->first)->locks;
	unsigned int k;

	for (k = 0; k < at(p, outer->first)->n_locks; k++)
		if (l[k].object != at(p, i)->object && has_throughout(p, outer, &l[k]) &&
		    same_lock(p, i, &l[k]))
			return true;
	return false;
}

/* Both pairs are inside critical sections of one lock. */
static bool exclude_each_other(const struct predictor *p, const struct pair *x,
			       const struct pair *y)
{
	const struct chess_iroot_lock *l = p->run->lock + at(p, x->first)->locks, *other;
	unsigned int k;

	for (k = 0; k < at(p, x->first)->n_locks; k++) {
		other = same_lock(p, y->first, &l[k]);
		if (other && has_throughout(p, x, &l[k]) && has_throughout(p, y, other) &&
		    l[k].object != at(p, x->first)->object &&
		    l[k].object != at(p, y->first)->object)
			return true;
	}
	return false;
}

/* T1 does A and D, T2 B and C. */
static int combine(struct predictor *p, unsigned int idiom, const struct pair *outer, uint32_t b,
		   uint32_t c, const struct pair *inner)
{
	uint32_t a = outer->first, d = outer->second;

	p->combined++;
	if (!may_depend(p, a, b) || !may_depend(p, c, d))
		return 0;
	if (idiom == 5 ? exclude_each_other(p, outer, inner) :
			 keeps_out(p, outer, b) || keeps_out(p, outer, c))
		return 0;
	return predict(p, idiom, a, b, idiom == 2 ? CHESS_IROOT_NONE : c, d);
}

/* The accesses of the classes of both, and what else @combine() asks. */
static uint64_t hash_of_pair(const struct predictor *p, const struct pair *x)
{
	const struct chess_iroot_lock *l = p->run->lock + at(p, x->first)->locks;
	uint64_t hash = chess_mix(chess_mix(0, p->class[x->first]), p->class[x->second]);
	unsigned int k;

	for (k = 0; k < at(p, x->first)->n_locks; k++)
		hash = chess_mix(hash, has_throughout(p, x, &l[k]));
	return chess_mix(hash, x->alone);
}

static int add_pair(struct predictor *p, uint32_t a, uint32_t d)
{
	struct pair x = { a, d, chess_iroot_is_alone(p->run, at(p, a), at(p, d)) };
	int ret;

	/* One that had to wait comes again as itself. */
	if (at(p, a)->own == at(p, d)->own || at(p, a)->own + p->window < at(p, d)->own)
		return 0;
	ret = chess_hashset_add(&p->seen, hash_of_pair(p, &x));
	if (ret <= 0)
		return ret;
	if (chess_array_room(&p->pair, &p->pair_room, p->n_pairs + 1, sizeof(*p->pair)))
		return -ENOMEM;
	p->pair[p->n_pairs++] = x;
	return 0;
}

/* @shared: by object, whether tasks depend on each other there. */
static int find_pairs(struct predictor *p, const bool *shared)
{
	uint32_t *last = calloc(p->run->tasks + 1, sizeof(*last)), i, k;
	uint32_t *before = calloc(p->run->n + 1, sizeof(*before));
	int ret = last && before ? 0 : -ENOMEM;

	for (i = 0; i < p->run->n && !ret; i++) {
		if (!shared[at(p, i)->object])
			continue;
		for (k = last[at(p, i)->task]; k && !ret; k = before[k - 1]) {
			if (at(p, i)->own - at(p, k - 1)->own > p->window)
				break;
			ret = add_pair(p, k - 1, i);
		}
		before[i] = last[at(p, i)->task];
		last[at(p, i)->task] = i + 1;
	}
	free(last);
	free(before);
	return ret;
}

static int compare_pairs(const void *a, const void *b, void *run)
{
	const struct pair *x = a, *y = b;
	const struct chess_iroot_access *access = ((const struct chess_iroot_run *)run)->access;
	uint32_t v = access[x->first].object, w = access[y->first].object;

	if (v == w) {
		v = access[x->second].object;
		w = access[y->second].object;
	}
	if (v == w) {
		v = x->first;
		w = y->first;
	}
	if (v == w) {
		v = x->second;
		w = y->second;
	}
	return v < w ? -1 : v > w;
}

/* The first pair of these objects, or of the next ones. */
static size_t find_pair(const struct predictor *p, uint32_t first, uint32_t second)
{
	size_t low = 0, high = p->n_pairs, middle;

	while (low < high) {
		uint32_t v, w;

		middle = (low + high) / 2;
		v = at(p, p->pair[middle].first)->object;
		w = at(p, p->pair[middle].second)->object;
		if (v < first || (v == first && w < second))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct predictor *p, size_t i, uint32_t first, uint32_t second)
{
	return i < p->n_pairs && at(p, p->pair[i].first)->object == first &&
	       at(p, p->pair[i].second)->object == second;
}

/* Idioms 3 to 5 with T1's accesses @outer. */
static int join_pairs(struct predictor *p, const struct pair *outer)
{
	uint32_t x = at(p, outer->first)->object, y = at(p, outer->second)->object;
	const struct pair *inner;
	size_t i;
	int ret = 0;

	for (i = find_pair(p, x, y); is_of(p, i, x, y) && !ret; i++) {
		inner = &p->pair[i];
		if (at(p, inner->first)->task != at(p, outer->first)->task)
			ret = combine(p, x == y ? 3 : 4, outer, inner->first, inner->second, inner);
	}
	for (i = x == y ? p->n_pairs : find_pair(p, y, x); is_of(p, i, y, x) && !ret; i++) {
		inner = &p->pair[i];
		if (inner->alone && at(p, inner->first)->task != at(p, outer->first)->task)
			ret = combine(p, 5, outer, inner->second, inner->first, inner);
	}
	return ret;
}

static size_t first_of_object(const struct predictor *p, uint32_t object)
{
	size_t low = 0, high = p->n_chosen, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (at(p, p->chosen[middle])->object < object)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int predict_compound(struct predictor *p)
{
	size_t i, k;
	int ret = 0;

	for (i = 0; i < p->n_pairs && !ret; i++) {
		const struct pair *outer = &p->pair[i];
		uint32_t object = at(p, outer->first)->object;

		if (!outer->alone)
			continue;
		if (p->combined > MAX_COMBINATIONS) {
			p->all->cut = true;
			break;
		}
		if (object == at(p, outer->second)->object)
			for (k = first_of_object(p, object);
			     k < p->n_chosen && !ret && at(p, p->chosen[k])->object == object; k++)
				ret = combine(p, 2, outer, p->chosen[k], p->chosen[k], NULL);
		if (!ret)
			ret = join_pairs(p, outer);
	}
	return ret;
}

/* By object, whether two tasks depend on each other there. */
static bool *find_shared(const struct predictor *p)
{
	bool *shared = calloc(p->run->objects + 1, sizeof(*shared));
	size_t i;

	for (i = 0; shared && i + 1 < p->n_chosen; i++) {
		const struct chess_iroot_access *a = at(p, p->chosen[i]);
		const struct chess_iroot_access *b = at(p, p->chosen[i + 1]);

		if (a->object == b->object && a->task != b->task)
			shared[a->object] = true;
	}
	return shared;
}

/**
 * chess_iroots_predict() - note what other schedules may expose
 * @all: iRoots of the program; those that are found become predicted
 * @run: a run of it
 * @window: see CHESS_IROOT_WINDOW
 *
 * Not more than some 20,000 are noted for a program; @all->cut says so.
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_iroots_predict(struct chess_iroots *all, const struct chess_iroot_run *run,
			 unsigned int window)
{
	struct predictor p = { .run = run, .all = all, .window = window };
	bool *shared = NULL;
	int ret = choose_accesses(&p);

	if (!ret)
		ret = predict_simple(&p);
	if (!ret) {
		shared = find_shared(&p);
		ret = shared ? find_pairs(&p, shared) : -ENOMEM;
	}
	if (!ret && p.n_pairs)
		qsort_r(p.pair, p.n_pairs, sizeof(*p.pair), compare_pairs, (void *)run);
	if (!ret)
		ret = predict_compound(&p);
	free(shared);
	free(p.chosen);
	free(p.class);
	free(p.pair);
	chess_hashset_clear(&p.seen);
	return ret ? chess_set_error(ENOMEM, "no memory for the iRoots that %zu accesses predict",
				     run->n) : 0;
}
