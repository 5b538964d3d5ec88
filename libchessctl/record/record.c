// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The record of one run: its events in order and the stacks asked for. nl.c and
 * trace.c fill it; search, verdict and reports read it.
 *
 * An event carries the enabled set of tasks 0 to 63. For the others the record
 * keeps, task by task, at which events that task became enabled or ceased to be,
 * and answers by binary search. Of tasks waiting with a deadline it knows ids 0 to 63
 * only: no event says it of the others.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "record/decision.h"
#include "record/fields.h"

_Static_assert(sizeof(struct chess_event) == 64, "events are stored and hashed as they are");
_Static_assert(sizeof(struct chess_stack) == 8 + 17 * 8, "stack header of the ABI");

struct chess_record *chess_record_new(void)
{
	struct chess_record *r = calloc(1, sizeof(*r));

	if (r)
		r->settings.fair = 1;
	else
		chess_set_error(ENOMEM, "no memory for a record");
	return r;
}

bool chess_record_has_type(const struct chess_record *r, enum chess_event_type type)
{
	return r->types >> type & 1;
}

bool chess_record_has_signals(const struct chess_record *r)
{
	return r->signals;
}

bool chess_record_has_watchdog(const struct chess_record *r)
{
	return chess_record_has_type(r, CHESS_EVENT_WATCHDOG);
}

void chess_record_free(struct chess_record *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->n_stacks; i++)
		free(r->stack[i]);
	for (i = 0; i < r->n_flips; i++)
		free(r->flips[i].at);
	free(r->stack);
	free(r->objects);
	free(r->flips);
	free(r->event);
	free(r->maps);
	free(r->mapped);
	free(r->state);
	free(r);
}

void chess_record_clear(struct chess_record *r)
{
	size_t i;

	for (i = 0; i < r->n_stacks; i++)
		free(r->stack[i]);
	for (i = 0; i < r->n_flips; i++)
		r->flips[i].n = 0;
	free(r->maps);
	r->maps = NULL;
	free(r->mapped);
	r->mapped = NULL;
	r->length = 0;
	r->n_stacks = 0;
	r->n_objects = 0;
	r->n_states = 0;
	r->decisions = 0;
	r->points = 0;
	r->tasks = 0;
	r->types = 0;
	r->signals = false;
	r->settings = (struct chess_settings) { .fair = 1 };
}

/* Note that @task is enabled, or is not, from event @at on. */
static int note_enabled(struct chess_record *r, uint64_t task, bool on, size_t at)
{
	struct flips *f;

	if (task >= CHESS_TASK_NONE)
		return 0;
	if (task >= r->n_flips) {
		if (chess_array_extend(&r->flips, r->n_flips, task + 1, sizeof(*f)))
			return chess_set_error(ENOMEM, "no memory for a record");
		r->n_flips = task + 1;
	}
	f = &r->flips[task];
	if ((f->n & 1) == on)
		return 0;
	if (chess_array_room(&f->at, &f->room, f->n + 1, sizeof(*f->at)))
		return chess_set_error(ENOMEM, "no memory for a record");
	f->at[f->n++] = at;
	return 0;
}

/* Who is enabled after @e, as far as the type of the event alone says it. */
static int replay_event(struct chess_record *r, const struct chess_event *e, size_t at)
{
	/* The root task is there before the first event. */
	int ret = at ? 0 : note_enabled(r, 0, true, 0);

	if (ret)
		return ret;
	switch (e->type) {
	case CHESS_EVENT_BLOCK:
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_STALL:
	case CHESS_EVENT_KILLED:
	case CHESS_EVENT_LEAVE:
		return note_enabled(r, e->task, false, at);
	case CHESS_EVENT_SPAWN:
		return note_enabled(r, e->object, true, at);
	case CHESS_EVENT_POINT:
	case CHESS_EVENT_QUANTUM:
	case CHESS_EVENT_RESUME:
	case CHESS_EVENT_WAKE:
	case CHESS_EVENT_TIMEOUT:
		return note_enabled(r, e->task, true, at);
	default:
		return 0;
	}
}

int chess_record_push(struct chess_record *r, const struct chess_event *e, size_t n)
{
	size_t i;
	int ret;

	if (n > CHESS_MAX_EVENTS - r->length)
		return chess_set_error(EOVERFLOW, "record of more than %u events",
				       CHESS_MAX_EVENTS);
	if (chess_array_room(&r->event, &r->room, r->length + n, sizeof(*r->event)))
		return chess_set_error(ENOMEM, "no memory for a record of %zu events",
				       r->length + n);
	for (i = 0; i < n; i++) {
		ret = replay_event(r, &e[i], r->length);
		if (ret)
			return ret;
		if (e[i].task != CHESS_TASK_NONE && e[i].task >= r->tasks)
			r->tasks = e[i].task + 1;
		if (e[i].type == CHESS_EVENT_SPAWN && e[i].object < CHESS_TASK_NONE &&
		    e[i].object >= r->tasks)
			r->tasks = e[i].object + 1;
		r->decisions += chess_event_is_decision(&e[i]);
		r->points += e[i].type == CHESS_EVENT_POINT;
		if (e[i].type < 64)
			r->types |= 1ULL << e[i].type;
		r->signals |= e[i].type == CHESS_EVENT_TIMER || e[i].type == CHESS_EVENT_SIGNAL ||
			      chess_event_sends_signal(&e[i]);
		r->event[r->length++] = e[i];
	}
	return 0;
}

int chess_record_push_state(struct chess_record *r, uint64_t state)
{
	if (chess_array_room(&r->state, &r->states_room, r->n_states + 1, sizeof(*r->state)))
		return chess_set_error(ENOMEM, "no memory for more than %zu states of a run",
				       r->n_states);
	r->state[r->n_states++] = state;
	return 0;
}

bool chess_record_state(const struct chess_record *r, size_t n, uint64_t *state)
{
	if (n >= r->n_states)
		return false;
	*state = r->state[n];
	return true;
}

int chess_record_push_stack(struct chess_record *r, const struct chess_stack *s, size_t bytes)
{
	struct chess_stack *copy;

	if (bytes < sizeof(*s) || s->size > CHESS_STACK_BYTES || s->size != bytes - sizeof(*s))
		return chess_set_error(EINVAL, "stack snapshot of %zu bytes is malformed", bytes);
	if (s->seq & CHESS_STACK_AT_FAULT && !(s->seq & CHESS_STACK_AT_ACCESS) &&
	    s->size < sizeof(struct chess_fault))
		return chess_set_error(EINVAL, "snapshot of a fault of %zu bytes is malformed",
				       bytes);
	if (chess_record_stack(r, s->seq))
		return chess_set_error(EEXIST, "two stack snapshots at one event or access, %u",
				       s->seq & ~CHESS_STACK_AT_ACCESS);
	copy = chess_array_resize(&r->stack, r->n_stacks + 1, sizeof(copy)) ? NULL : malloc(bytes);
	if (!copy)
		return chess_set_error(ENOMEM, "no memory for a stack snapshot");
	memcpy(copy, s, bytes);
	r->stack[r->n_stacks++] = copy;
	return 0;
}

bool chess_record_fault(const struct chess_record *r, uint32_t task, struct chess_fault *fault,
			struct chess_stack **stack)
{
	const struct chess_stack *s = chess_record_stack(r, CHESS_STACK_AT_FAULT | task);
	size_t size = s ? s->size - sizeof(*fault) : 0;

	if (stack)
		*stack = NULL;
	if (!s)
		return false;
	memcpy(fault, s + 1, sizeof(*fault));
	if (stack)
		*stack = malloc(sizeof(*s) + size);
	if (!stack || !*stack)
		return true;
	**stack = *s;
	(*stack)->size = size;
	memcpy(*stack + 1, (const char *)(s + 1) + sizeof(*fault), size);
	return true;
}

int chess_record_set_maps(struct chess_record *r, const char *maps)
{
	char *copy = strdup(maps);

	if (!copy)
		return chess_set_error(ENOMEM, "no memory for the mappings of a record");
	free(r->maps);
	r->maps = copy;
	return 0;
}

static const struct chess_event *last_of(const struct chess_record *r, size_t i,
					 enum chess_event_type type, uint16_t task)
{
	/* Others than events say in traces that they stand after one. */
	if (i > r->length)
		i = r->length;
	while (i--)
		if (r->event[i].type == type && r->event[i].task == task)
			return &r->event[i];
	return NULL;
}

const struct chess_event *chess_record_last_point(const struct chess_record *r, size_t i,
						  uint16_t task)
{
	return last_of(r, i, CHESS_EVENT_POINT, task);
}

const struct chess_event *chess_record_last_wake(const struct chess_record *r, size_t i,
						 uint16_t task)
{
	return last_of(r, i, CHESS_EVENT_WAKE, task);
}

struct chess_record *chess_record_cut(const struct chess_record *r, size_t n)
{
	struct chess_record *cut = chess_record_new();
	int ret;
	size_t i;

	if (!cut)
		return NULL;
	cut->settings = r->settings;
	ret = chess_record_push(cut, r->event, n);
	for (i = 0; !ret && i < r->n_stacks; i++)
		if (r->stack[i]->seq <= n || r->stack[i]->seq & (CHESS_STACK_AT_ACCESS |
							    CHESS_STACK_AT_FAULT))
			ret = chess_record_push_stack(cut, r->stack[i], sizeof(*r->stack[i]) +
						      r->stack[i]->size);
	if (!ret && r->maps)
		ret = chess_record_set_maps(cut, r->maps);
	if (!ret && r->mapped)
		ret = chess_record_set_mapped(cut, r->mapped);
	if (!ret)
		ret = chess_record_set_objects(cut, r->objects,
					       r->n_objects * sizeof(*r->objects));
	if (!ret)
		return cut;
	chess_record_free(cut);
	errno = -ret;
	return NULL;
}

int chess_record_set_objects(struct chess_record *r, const void *names, size_t size)
{
	struct chess_object_name *copy;

	if (size % sizeof(*copy))
		return chess_set_error(EPROTO, "record-get: %zu bytes are not whole object names",
				       size);
	copy = malloc(size ? size : 1);
	if (!copy)
		return chess_set_error(ENOMEM, "no memory for the names of objects");
	if (size)
		memcpy(copy, names, size);
	free(r->objects);
	r->objects = copy;
	r->n_objects = size / sizeof(*copy);
	return 0;
}

size_t chess_record_objects(const struct chess_record *r)
{
	return r->n_objects;
}

uint64_t chess_record_object_dev(const struct chess_record *r, uint64_t number)
{
	return number && number <= r->n_objects ? r->objects[number - 1].dev : 0;
}

uint32_t chess_record_object(const struct chess_record *r, uint64_t dev, uint64_t ino)
{
	size_t i = r ? r->n_objects : 0;

	/* The last one: an inode number may have been used before. */
	while (i--)
		if (r->objects[i].dev == dev && r->objects[i].ino == ino)
			return i + 1;
	return 0;
}

const char *chess_record_maps(const struct chess_record *r)
{
	return r->maps;
}

int chess_record_set_mapped(struct chess_record *r, const char *mapped)
{
	char *copy = strdup(mapped);

	if (!copy)
		return chess_set_error(ENOMEM, "no memory for a list of files");
	free(r->mapped);
	r->mapped = copy;
	return 0;
}

const char *chess_record_mapped(const struct chess_record *r)
{
	return r->mapped;
}

size_t chess_record_length(const struct chess_record *r)
{
	return r->length;
}

const struct chess_event *chess_record_event(const struct chess_record *r, size_t i)
{
	return i < r->length ? &r->event[i] : NULL;
}

const struct chess_stack *chess_record_stack(const struct chess_record *r, uint32_t seq)
{
	size_t i;

	for (i = 0; i < r->n_stacks; i++)
		if (r->stack[i]->seq == seq)
			return r->stack[i];
	return NULL;
}

size_t chess_record_stacks(const struct chess_record *r)
{
	return r->n_stacks;
}

const struct chess_stack *chess_record_stack_at(const struct chess_record *r, size_t i)
{
	return r->stack[i];
}

size_t chess_record_decisions(const struct chess_record *r)
{
	return r->decisions;
}

size_t chess_record_tasks(const struct chess_record *r)
{
	return r->tasks;
}

size_t chess_record_points(const struct chess_record *r)
{
	return r->points;
}

bool chess_event_is_access(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && (e->flags & CHESS_OPF_PROBE) &&
	       e->object_kind == CHESS_OBJECT_ADDRESS &&
	       (e->op == CHESS_OP_LOAD || e->op == CHESS_OP_STORE || e->op == CHESS_OP_UPDATE);
}

uint64_t chess_event_words(const struct chess_event *e)
{
	return (e->object % CHESS_WORD + e->arg + CHESS_WORD - 1) / CHESS_WORD;
}

bool chess_event_makes_thread(const struct chess_event *e)
{
	return e->op == CHESS_OP_CREATE && (e->flags & CHESS_OPF_PROBE) &&
	       e->object_kind != CHESS_OBJECT_NONE;
}

bool chess_event_may_fork(const struct chess_event *e)
{
	return e->op == CHESS_OP_FORK ||
	       (e->op == CHESS_OP_CREATE && !chess_event_makes_thread(e));
}
