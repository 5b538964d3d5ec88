// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See returned.h. run_races.c calls it, and takes what races in the result for points: a call
 * by another task may come between a call and where its result is read.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "code/wrappers.h"
#include "internal.h"
#include "race/returned.h"

/* Distinct variables, and writes that are made up: so many at most. */
#define VARIABLES_MAX	256
#define WRITES_MAX	(1 << 20)

struct list {
	struct chess_access *v;
	size_t n, room;
};

static int push(struct list *l, const struct chess_access *a)
{
	if (chess_array_room(&l->v, &l->room, l->n + 1, sizeof(*l->v)))
		return chess_set_error(ENOMEM, "no memory for %zu accesses", l->n + 1);
	l->v[l->n++] = *a;
	return 0;
}

static bool has(const struct list *l, const struct chess_access *a)
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
static int add_call(struct list *l, const struct list *variables, const struct chess_event *e,
		    size_t *written)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < variables->n && *written < WRITES_MAX && !ret; i++, ++*written) {
		struct chess_access a = variables->v[i];

		a.ip = e->ip;
		a.seq = e->seq;
		a.task = e->task;
		a.site = 0;
		a.kind = CHESS_ACCESS_WRITE;
		ret = push(l, &a);
	}
	return ret;
}

int chess_returned_find(const struct chess_run_result *run,
			enum chess_returned_use (*use)(void *arg, const struct chess_access *a,
						       uint8_t *kind),
			void *arg, struct chess_access **out, size_t *n)
{
	struct list variables = { 0 }, l = { 0 };
	size_t i, event = 0, written = 0, length = chess_record_length(run->record);
	uint8_t kind;
	int ret = 0;

	*out = NULL;
	*n = 0;
	if (!any_call(run->record))
		return 0;
	for (i = 0; i < run->n_accesses && variables.n < VARIABLES_MAX && !ret; i++)
		if (use(arg, &run->accesses[i], &kind) == CHESS_RETURNED_READ &&
		    !has(&variables, &run->accesses[i]))
			ret = push(&variables, &run->accesses[i]);
	for (i = 0; i < run->n_accesses && variables.n && !ret; i++) {
		struct chess_access a = run->accesses[i];

		for (; event < length && !ret; event++) {
			const struct chess_event *e = chess_record_event(run->record, event);

			if (e->seq > a.seq)
				break;
			if (returns_one(e))
				ret = add_call(&l, &variables, e, &written);
		}
		if (!ret && use(arg, &a, &a.kind) != CHESS_RETURNED_SKIP)
			ret = push(&l, &a);
	}
	for (; variables.n && event < length && !ret; event++)
		if (returns_one(chess_record_event(run->record, event)))
			ret = add_call(&l, &variables, chess_record_event(run->record, event),
				       &written);
	free(variables.v);
	if (ret)
		free(l.v);
	*out = ret ? NULL : l.v;
	*n = ret ? 0 : l.n;
	return ret;
}
