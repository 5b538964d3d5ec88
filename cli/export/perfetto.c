// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace for the Perfetto UI and chrome://tracing, as JSON in the trace event format: a
 * process for each process of the group, a thread for each task, slices for steps and for the
 * time that a task is blocked, a flow from the step that wakes or creates a task to the first
 * step it takes then, and how many tasks are enabled. The time is the number of the event, as
 * microseconds: how long a step took is not in a trace. See export.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "export/export.h"
#include "out.h"

/**
 * struct track - the slices of a task while they are written
 * @blocked: since event number; 0: it is not
 * @op: in what
 * @flow: event number at which task @from woke or created it, if it took no step since; 0: none
 * @why: which of the two
 */
struct track {
	uint32_t blocked, flow;
	const struct chess_event *op;
	uint16_t from;
	const char *why;
};

struct writer {
	const struct export *x;
	struct json_object *events;
	struct track *track;
	uint32_t flows;
};

/* Perfetto takes a thread 0 for the idle one of a processor. */
static struct json_object *add(struct writer *w, const char *kind, const char *name, uint16_t task,
			       uint32_t ts)
{
	struct json_object *o = json_object_new_object();

	out_json_string(o, "ph", kind);
	out_json_string(o, "name", name);
	out_json_int(o, "pid", w->x->process[task] + 1);
	out_json_int(o, "tid", task + 1);
	out_json_int(o, "ts", ts);
	json_object_array_add(w->events, o);
	return o;
}

static struct json_object *add_args(struct json_object *o)
{
	struct json_object *args = json_object_new_object();

	json_object_object_add(o, "args", args);
	return args;
}

static void add_name(struct writer *w, const char *what, uint16_t task, const char *name)
{
	out_json_string(add_args(add(w, "M", what, task, 0)), "name", name);
}

static void add_tasks(struct writer *w)
{
	const struct export *x = w->x;
	uint16_t t;

	for (t = 0; t < x->n_tasks; t++) {
		char *name = export_task_name(x, t);
		char *process = cli_printf("%s (T%u)", export_program(x), t);

		if (x->process[t] == t)
			add_name(w, "process_name", t, process);
		add_name(w, "thread_name", t, name);
		out_json_int(add_args(add(w, "M", "thread_sort_index", t, 0)), "sort_index", t);
		free(process);
		free(name);
	}
}

static struct json_object *add_slice(struct writer *w, const char *name, const char *category,
				     uint16_t task, uint32_t from, uint32_t to,
				     const struct chess_event *op)
{
	struct json_object *o = add(w, "X", name, task, from), *args;
	char *object;

	out_json_string(o, "cat", category);
	out_json_int(o, "dur", to - from);
	args = add_args(o);
	object = op && op->object_kind ? report_object(w->x->r, op) : NULL;
	out_json_string(args, "op", op ? chess_op_name(op->op) : NULL);
	out_json_string(args, "object", object);
	json_object_object_add(args, "point", op ? json_object_new_int64(op->seq) : NULL);
	export_place(w->x, op, args);
	free(object);
	return args;
}

static void add_instant(struct writer *w, const char *name, uint16_t task, uint32_t ts)
{
	out_json_string(add(w, "i", name, task, ts), "s", "t");
}

static void add_flow_end(struct writer *w, const char *kind, const char *name, uint16_t task,
			 uint32_t ts)
{
	struct json_object *o = add(w, kind, name, task, ts);

	out_json_string(o, "cat", "wake");
	out_json_int(o, "id", w->flows);
	if (*kind == 'f')
		out_json_string(o, "bp", "e");
}

static void end_wait(struct writer *w, uint16_t task, uint32_t seq)
{
	struct track *t = &w->track[task];
	char *op, *name;

	if (!t->blocked)
		return;
	/* Its deadline passed in the same decision. */
	if (t->blocked == seq) {
		t->blocked = 0;
		return;
	}
	op = t->op ? report_op(w->x->r, t->op) : cli_printf("a call that is not a point");
	name = cli_printf("blocked: %s", op);
	add_slice(w, name, "blocked", task, t->blocked, seq, t->op);
	t->blocked = 0;
	free(name);
	free(op);
}

static void add_step(struct writer *w, const struct export_step *s)
{
	struct track *t = &w->track[s->at.task];
	char *name = export_step_text(w->x, s);

	end_wait(w, s->at.task, s->at.turn);
	add_slice(w, name, "step", s->at.task, s->at.turn, s->at.end, s->op);
	free(name);
	if (t->flow) {
		w->flows++;
		add_flow_end(w, "s", t->why, t->from, t->flow);
		add_flow_end(w, "f", t->why, s->at.task, s->at.turn);
		t->flow = 0;
	}
	if (s->at.waits) {
		t->blocked = s->at.end;
		t->op = s->op;
	}
}

static void set_flow(struct writer *w, size_t task, const struct chess_event *e, uint16_t from,
		     const char *why)
{
	if (task >= w->x->n_tasks || from >= w->x->n_tasks || task == from)
		return;
	w->track[task].flow = e->seq;
	w->track[task].from = from;
	w->track[task].why = why;
}

static void add_enabled(struct writer *w, size_t i)
{
	const struct chess_record *rec = w->x->r->record;
	const struct chess_event *e = chess_record_event(rec, i);
	size_t n = __builtin_popcountll(e->enabled);
	uint16_t t;

	for (t = 64; t < w->x->n_tasks; t++)
		n += chess_record_enabled(rec, i, t);
	out_json_int(add_args(add(w, "C", "enabled tasks", 0, e->seq)), "tasks", n);
}

static void add_event(struct writer *w, size_t i, const struct export_step *step)
{
	const struct chess_event *e = chess_record_event(w->x->r->record, i);
	bool inside;

	if (e->task >= w->x->n_tasks)
		return;
	/* A flow begins in a slice, so in a step of the task that is said to have done it. */
	inside = step && step->at.turn < e->seq && e->seq < step->at.end;
	if (CHESS_EVENT_IS_TURN(e->type))
		add_enabled(w, i);
	if (chess_record_is_preemption(w->x->r->record, i))
		add_instant(w, "preemption", e->task, e->seq);
	switch (e->type) {
	case CHESS_EVENT_SPAWN:
		if (inside && step->at.task == e->task)
			set_flow(w, e->object, e, e->task, "creates");
		break;
	case CHESS_EVENT_WAKE:
		end_wait(w, e->task, e->seq);
		if (inside && step->at.task == e->object)
			set_flow(w, e->task, e, e->object, "wakes");
		break;
	case CHESS_EVENT_TIMEOUT:
		add_instant(w, "time-out", e->task, e->seq);
		break;
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_KILLED:
		end_wait(w, e->task, e->seq);
		add_instant(w, e->object & 0x7f ? "dies" : "ends", e->task, e->seq);
		break;
	default:
		break;
	}
}

static void add_all(struct writer *w)
{
	const struct export *x = w->x;
	size_t i, n = chess_record_length(x->r->record), next = 0;
	const struct export_step *step = NULL;
	uint16_t t;

	while (next < x->n_steps && !x->step[next].at.turn)
		add_step(w, step = &x->step[next++]);
	for (i = 0; i < n; i++) {
		add_event(w, i, step);
		if (next < x->n_steps && x->step[next].at.turn == i + 1)
			add_step(w, step = &x->step[next++]);
	}
	for (t = 0; t < x->n_tasks; t++)
		end_wait(w, t, n + 1);
}

int export_perfetto(const struct export *x, FILE *to)
{
	struct writer w = { .x = x, .events = json_object_new_array() };
	struct json_object *o = json_object_new_object(), *other = json_object_new_object();

	w.track = cli_alloc(x->n_tasks, sizeof(*w.track));
	add_tasks(&w);
	add_all(&w);
	free(w.track);
	json_object_object_add(o, "traceEvents", w.events);
	out_json_string(o, "displayTimeUnit", "ns");
	out_json_string(other, "time", "event numbers of the trace, shown as microseconds");
	out_json_string(other, "verdict", chess_verdict_name(x->r->trace->verdict));
	out_json_string(other, "trace", x->path);
	json_object_object_add(o, "otherData", other);
	out_json_line(o, to);
	json_object_put(o);
	return 0;
}
