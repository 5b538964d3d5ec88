// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The decisions of runs, each kept once, run-length coded: a run has only those that
 * follow the point where it leaves the run its prefix came from. forks.c uses it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "internal.h"
#include "pair.h"
#include "search/trunk.h"
#include "record/decision.h"

/* Consecutive decisions for one task. */
struct segment {
	uint32_t count, task;
};

/**
 * struct chess_trunk - the decisions of one run
 * @source: the run that its prefix came from; NULL for the first run
 * @refs: children and work lists that need it
 * @shared: how many decisions are those of @source
 * @n: length of @segment in bytes
 * @segment: the decisions that follow: of each segment its count and its task (pair.h)
 */
struct chess_trunk {
	struct chess_trunk *source;
	uint32_t refs;
	uint32_t shared;
	uint32_t n;
	uint8_t segment[];
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

/* The next decision from event *@i of the record on. Return: whether there is one. */
static bool next_segment(const struct chess_record *r, size_t *i, struct segment *seg)
{
	size_t length = chess_record_length(r);

	for (seg->count = 0; *i < length; ++*i) {
		const struct chess_event *e = chess_record_event(r, *i);

		if (!chess_event_decides(e))
			continue;
		if (seg->count && e->chosen != seg->task)
			break;
		seg->task = e->chosen;
		seg->count++;
	}
	return seg->count;
}

/* The index of the event after the first @n decisions. */
static size_t behind(const struct chess_record *r, size_t n)
{
	size_t i;

	for (i = 0; n; i++)
		n -= chess_event_decides(chess_record_event(r, i));
	return i;
}

/**
 * chess_trunk_new() - keep the decisions of a run
 * @source: the run its prefix came from, or NULL
 * @shared: how many decisions are those of @source
 * @r: its record, which has more
 *
 * Return: it, with one reference; or NULL and errno with a sentence.
 */
struct chess_trunk *chess_trunk_new(struct chess_trunk *source, size_t shared,
				    const struct chess_record *r)
{
	size_t first = behind(r, shared), bytes = 0, i;
	struct chess_trunk *t;
	uint8_t pair[PAIR_BYTES], *end;
	struct segment seg;

	for (i = first; next_segment(r, &i, &seg);)
		bytes += chess_pair_put(pair, seg.count, seg.task) - pair;
	t = malloc(sizeof(*t) + bytes);
	if (!t) {
		chess_set_error(ENOMEM, "no memory for the decisions of a run");
		return NULL;
	}
	*t = (struct chess_trunk){
		.source = chess_trunk_get(source), .refs = 1, .shared = shared, .n = bytes,
	};
	for (i = first, end = t->segment; next_segment(r, &i, &seg);)
		end = chess_pair_put(end, seg.count, seg.task);
	return t;
}

/* The segment from decision *@i of the schedule on. Return: whether there is one. */
static bool segment_of(const struct chess_schedule *s, size_t *i, struct segment *seg)
{
	size_t length = chess_schedule_length(s);

	for (seg->count = 0; *i < length; ++*i, seg->count++) {
		uint16_t task = chess_schedule_task(s, *i);

		if (seg->count && task != seg->task)
			break;
		seg->task = task;
	}
	return seg->count;
}

/**
 * chess_trunk_from() - keep decisions that came from elsewhere
 * @s: the first ones of a run
 *
 * Return: as chess_trunk_new().
 */
struct chess_trunk *chess_trunk_from(const struct chess_schedule *s)
{
	uint8_t pair[PAIR_BYTES], *end;
	size_t bytes = 0, i;
	struct chess_trunk *t;
	struct segment seg;

	for (i = 0; segment_of(s, &i, &seg);)
		bytes += chess_pair_put(pair, seg.count, seg.task) - pair;
	t = malloc(sizeof(*t) + bytes);
	if (!t) {
		chess_set_error(ENOMEM, "no memory for the decisions of a run");
		return NULL;
	}
	*t = (struct chess_trunk){ .refs = 1, .n = bytes };
	for (i = 0, end = t->segment; segment_of(s, &i, &seg);)
		end = chess_pair_put(end, seg.count, seg.task);
	return t;
}

/**
 * chess_trunk_decisions() - append the first decisions of a run to a schedule
 * @t: the run
 * @length: how many
 * @to: the schedule
 *
 * Return: 0 or negative errno.
 */
int chess_trunk_decisions(const struct chess_trunk *t, size_t length, struct chess_schedule *to)
{
	size_t depth = 0, i, at;
	struct { const struct chess_trunk *t; size_t until; } *path;
	const struct chess_trunk *up;
	int ret = 0;

	/* Up from the run to the first one, then down again, adding what each contributes. */
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
		const uint8_t *in = path[i].t->segment, *end = in + path[i].t->n;

		for (at = path[i].t->shared; at < path[i].until && in < end && !ret;) {
			struct segment seg;
			size_t n = path[i].until - at;

			in = chess_pair_get(in, &seg.count, &seg.task);
			if (n > seg.count)
				n = seg.count;
			ret = chess_schedule_push_run(to, seg.task, n);
			at += n;
		}
	}
	free(path);
	return ret;
}
