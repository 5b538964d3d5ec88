// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See returned.h. run_races.c calls it, and takes what races in the result for points: a call
 * by another task may come between a call and where its result is read.
 */
#include <stdlib.h>

#include "code/wrappers.h"
#include "internal.h"
#include "race/access_list.h"
#include "race/returned.h"

/* Distinct variables, and writes that are made up: so many at most. */
#define VARIABLES_MAX	256
#define WRITES_MAX	(1 << 20)

/*
 * @variables: what is read of the library; @all: what is found; @event: calls before it are in
 * there, as @written writes; @dropped: reads and calls beyond the limits
 */
struct walk {
	const struct chess_record *record;
	struct chess_access_list variables, all;
	size_t event, written;
	uint64_t dropped;
};

static bool has(const struct chess_access_list *l, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->v[i].address == a->address && l->v[i].size == a->size)
			return true;
	return false;
}

static bool returns_one(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && chess_wrapper_has(e, CHESS_WRAPPER_RETURNED);
}

static bool any_call(const struct chess_record *r)
{
	size_t i;

	for (i = 0; i < chess_record_length(r); i++)
		if (returns_one(chess_record_event(r, i)))
			return true;
	return false;
}

/* The call of event @e writes all of @variables. */
static int add_call(struct walk *w, const struct chess_event *e)
{
	size_t i;
	int ret = 0;

	if (w->written + w->variables.n > WRITES_MAX) {
		w->dropped++;
		return 0;
	}
	w->written += w->variables.n;
	for (i = 0; i < w->variables.n && !ret; i++) {
		struct chess_access a = w->variables.v[i];

		a.ip = e->ip;
		a.seq = e->seq;
		a.task = e->task;
		a.site = 0;
		a.kind = CHESS_ACCESS_WRITE;
		ret = chess_access_list_push(&w->all, a);
	}
	return ret;
}

/* Those up to event @seq that have not been added. */
static int add_calls(struct walk *w, uint32_t seq)
{
	const struct chess_event *e;
	int ret = 0;

	while (!ret && (e = chess_record_event(w->record, w->event)) && e->seq <= seq) {
		if (returns_one(e))
			ret = add_call(w, e);
		w->event++;
	}
	return ret;
}

/* @a reads a variable of the library. */
static int add_variable(struct walk *w, const struct chess_access *a)
{
	if (has(&w->variables, a))
		return 0;
	if (w->variables.n == VARIABLES_MAX) {
		w->dropped++;
		return 0;
	}
	return chess_access_list_push(&w->variables, *a);
}

int chess_returned_find(const struct chess_run_result *run,
			enum chess_returned_use (*use)(void *arg, const struct chess_access *a,
						       uint8_t *kind),
			void *arg, struct chess_access **out, size_t *n, uint64_t *dropped)
{
	struct walk w = { .record = run->record };
	uint8_t kind;
	int ret = 0;
	size_t i;

	*out = NULL;
	*n = 0;
	*dropped = 0;
	if (!any_call(run->record))
		return 0;
	for (i = 0; i < run->n_accesses && !ret; i++)
		if (use(arg, &run->accesses[i], &kind) == CHESS_RETURNED_READ)
			ret = add_variable(&w, &run->accesses[i]);
	for (i = 0; i < run->n_accesses && w.variables.n && !ret; i++) {
		struct chess_access a = run->accesses[i];

		ret = add_calls(&w, a.seq);
		if (!ret && use(arg, &a, &a.kind) != CHESS_RETURNED_SKIP)
			ret = chess_access_list_push(&w.all, a);
	}
	if (!ret && w.variables.n)
		ret = add_calls(&w, UINT32_MAX);
	free(w.variables.v);
	if (ret) {
		free(w.all.v);
		return ret;
	}
	*out = w.all.v;
	*n = w.all.n;
	*dropped = w.dropped;
	return 0;
}
