// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whether two records are of the same run, or of the same decisions.
 */
#include <string.h>

#include "internal.h"
#include "mix.h"
#include "record/decision.h"
#include "record/fields.h"

/* Over the events as they came from the kernel. */
uint64_t chess_record_hash(const struct chess_record *r)
{
	return chess_hash_bytes(CHESS_HASH_START, r->event, r->length * sizeof(*r->event));
}

size_t chess_record_compare(const struct chess_record *a, const struct chess_record *b)
{
	size_t i, n = a->length < b->length ? a->length : b->length;

	for (i = 0; i < n; i++)
		if (memcmp(&a->event[i], &b->event[i], sizeof(*a->event)))
			return i;
	return a->length == b->length ? SIZE_MAX : n;
}

/* The first event from @i on that says who goes on, that a deadline passed with it,
 * or that nobody asked for can.
 */
static size_t next_decision(const struct chess_record *r, size_t i)
{
	while (i < r->length && !chess_event_is_decision(&r->event[i]) &&
	       r->event[i].type != CHESS_EVENT_DIVERGENCE &&
	       r->event[i].type != CHESS_EVENT_TIMEOUT)
		i++;
	return i;
}

static bool same_decision(const struct chess_event *a, const struct chess_event *b)
{
	return a->type == b->type && a->task == b->task && a->chosen == b->chosen &&
	       a->op == b->op && a->object_kind == b->object_kind && a->object == b->object;
}

void chess_record_drop_results(struct chess_record *r)
{
	size_t i;

	for (i = 0; i < r->length; i++) {
		struct chess_event *e = &r->event[i];

		if (e->type == CHESS_EVENT_EXIT)
			e->arg = 0;
		else if (!(e->flags & CHESS_OPF_PROBE))
			e->result = 0;
	}
}

void chess_record_drop_checks(struct chess_record *r)
{
	size_t i;

	for (i = 0; i < r->length; i++)
		if (r->event[i].type == CHESS_EVENT_POINT &&
		    r->event[i].op == CHESS_OP_WAIT_CHILD && !(r->event[i].flags & CHESS_OPF_PROBE))
			r->event[i].arg = 0;
}

static bool looks_up(const struct chess_event *e)
{
	return e->op == CHESS_OP_OPEN || e->op == CHESS_OP_FILE || e->op == CHESS_OP_CLOSE;
}

void chess_record_drop_paths(struct chess_record *r)
{
	size_t i;

	for (i = 0; i < r->length; i++) {
		struct chess_event *e = &r->event[i];

		if ((e->type == CHESS_EVENT_POINT && !(e->flags & CHESS_OPF_PROBE) &&
		     looks_up(e)) ||
		    (e->type == CHESS_EVENT_SPAWN && e->arg <= CHESS_SPAWN_BORROWS))
			e->arg = 0;
	}
}

size_t chess_record_compare_decisions(const struct chess_record *a,
				      const struct chess_record *b, size_t *at_a, size_t *at_b)
{
	size_t i = next_decision(a, 0), k = next_decision(b, 0), n = 0;

	while (i < a->length && k < b->length && same_decision(&a->event[i], &b->event[k])) {
		n += chess_event_is_decision(&a->event[i]);
		i = next_decision(a, i + 1);
		k = next_decision(b, k + 1);
	}
	if (i == a->length && k == b->length)
		i = k = SIZE_MAX;
	*at_a = i;
	*at_b = k;
	return n;
}
