// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The decisions of runs, each kept once, run-length coded: a run has only those that
 * follow where it leaves the run its prefix came from. forks.c uses it.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "trunk.h"
#include "verdict.h"

#define TASK_BITS	12

_Static_assert(CHESS_MAX_TASKS <= 1 << TASK_BITS, "a segment has room for each task");

/* Decisions in a row for one task; more of them than fit make another segment. */
struct segment {
	uint32_t count : 32 - TASK_BITS;
	uint32_t task : TASK_BITS;
};

#define COUNT_MAX	((1U << (32 - TASK_BITS)) - 1)

/**
 * struct chess_trunk - the decisions of one run
 * @source: the run that its prefix came from; NULL for the first run
 * @refs: children and work lists that need it
 * @shared: so many decisions are those of @source
 * @n: length of @segment
 * @segment: the decisions that follow
 */
struct chess_trunk {
	struct chess_trunk *source;
	uint32_t refs;
	uint32_t shared;
	uint32_t n;
	struct segment segment[];
};

/**
 * chess_trunk_get() - take a reference
 * @t: the run, or NULL
 *
 * Return: @t
 */
struct chess_trunk *chess_trunk_get(struct chess_trunk *t)
{
	if (t)
		t->refs++;
	return t;
}

/**
 * chess_trunk_put() - drop a reference
 * @t: the run, or NULL
 */
void chess_trunk_put(struct chess_trunk *t)
{
	struct chess_trunk *source;

	while (t && !--t->refs) {
		source = t->source;
		free(t);
		t = source;
	}
}

/**
 * chess_trunk_new() - keep the decisions of a run
 * @source: the run its prefix came from, or NULL
 * @shared: so many decisions are those of @source
 * @r: its record
 *
 * Return: it, with one reference; or NULL and errno with a sentence.
 */
struct chess_trunk *chess_trunk_new(struct chess_trunk *source, size_t shared,
				    const struct chess_record *r)
{
	size_t i, at = 0, n = 0, room = 16, length = chess_record_length(r);
	struct chess_trunk *t = malloc(sizeof(*t) + room * sizeof(t->segment[0])), *more;

	for (i = 0; t && i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e) || at++ < shared)
			continue;
		if (n && t->segment[n - 1].task == e->chosen &&
		    t->segment[n - 1].count < COUNT_MAX) {
			t->segment[n - 1].count++;
			continue;
		}
		if (n == room) {
			room *= 2;
			more = realloc(t, sizeof(*t) + room * sizeof(t->segment[0]));
			if (!more)
				free(t);
			t = more;
			if (!t)
				break;
		}
		t->segment[n++] = (struct segment){ .count = 1, .task = e->chosen };
	}
	if (!t) {
		chess_set_error(ENOMEM, "no memory for the decisions of a run");
		return NULL;
	}
	more = realloc(t, sizeof(*t) + n * sizeof(t->segment[0]));
	if (more)
		t = more;
	t->refs = 1;
	t->shared = shared;
	t->n = n;
	t->source = chess_trunk_get(source);
	return t;
}

/**
 * chess_trunk_decisions() - append the first decisions of a run to a schedule
 * @t: the run
 * @length: so many
 * @to: the schedule
 *
 * Return: 0 or negative errno.
 */
int chess_trunk_decisions(const struct chess_trunk *t, size_t length, struct chess_schedule *to)
{
	size_t depth = 0, i, k, at;
	struct { const struct chess_trunk *t; size_t until; } *path;
	const struct chess_trunk *up;
	int ret = 0;

	/* From the run up to the first one, then down: what each contributes. */
	for (up = t; up; up = up->source)
		depth++;
	path = calloc(depth, sizeof(*path));
	if (!path)
		return chess_set_error(ENOMEM, "no memory for a prefix");
	for (up = t, i = depth; up; up = up->source) {
		path[--i].t = up;
		path[i].until = length;
		if (up->shared < length)
			length = up->shared;
	}
	for (i = 0; i < depth && !ret; i++) {
		at = path[i].t->shared;
		for (k = 0; k < path[i].t->n && !ret; k++) {
			const struct segment *seg = &path[i].t->segment[k];
			size_t n = path[i].until - at;

			if (at >= path[i].until)
				break;
			if (n > seg->count)
				n = seg->count;
			ret = chess_schedule_push_run(to, seg->task, n);
			at += n;
		}
	}
	free(path);
	return ret;
}
