// SPDX-License-Identifier: GPL-2.0-only
/*
 * From when to when a task has a lock. An op is executed when its task continues from the
 * point, and it is over when the task does something else; in between it may block any number
 * of times. What was tried succeeded if no other task had it: under the token nothing else
 * happens meanwhile. See html_parts.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>

#include "cli.h"
#include "html/html_parts.h"
#include "report/names.h"

/**
 * struct held - a time during which a task has a lock, or had it
 * @object: number of the string that names it
 * @process: whose address it is; of what is no address, 0
 * @from: number of the event in which it got it
 * @to: number of that in which it gave it back; 0: it never did
 * @depth: how often it has it
 * @shared: others may have it at the same time
 */
struct held {
	int object;
	uint8_t kind;
	uint64_t number;
	uint32_t process, task, from, to;
	int depth;
	bool shared;
};

/**
 * struct pending - the op a task is in
 * @point: NULL: none
 * @since: number of the event in which the task last continued in it; 0: not yet, or it blocks
 * @gave: a condition wait has given its mutex away
 */
struct pending {
	const struct chess_event *point;
	uint32_t since;
	bool gave;
};

struct walk {
	struct html_names *names;
	uint32_t *process;
	struct pending *pending;	/* by task */
	size_t tasks;
	struct held *held;
	size_t n;
	size_t *open;			/* indexes of those of @held without an end */
	size_t n_open;
};

static uint32_t process_of(const struct walk *w, uint32_t task, uint8_t kind)
{
	return kind == CHESS_OBJECT_ADDRESS ? w->process[task] : 0;
}

/* The one of @task, or of any but @task if @others. */
static struct held *find(const struct walk *w, uint32_t task, bool others, uint8_t kind,
			 uint64_t number)
{
	size_t i;

	for (i = w->n_open; i--;) {
		struct held *h = &w->held[w->open[i]];

		if (h->kind == kind && h->number == number && (h->task == task) != others &&
		    h->process == process_of(w, task, kind))
			return h;
	}
	return NULL;
}

static void acquire(struct walk *w, const struct chess_event *e, uint8_t kind, uint64_t number,
		    bool shared, uint32_t seq)
{
	struct held *h = find(w, e->task, false, kind, number);
	struct chess_event object = { .object_kind = kind, .object = number };

	if (h) {
		h->depth++;
		return;
	}
	w->held = cli_realloc(w->held, w->n + 1, sizeof(*w->held));
	w->open = cli_realloc(w->open, w->n_open + 1, sizeof(*w->open));
	w->open[w->n_open++] = w->n;
	w->held[w->n++] = (struct held){
		.object = html_op(w->names, &object), .kind = kind, .number = number,
		.process = process_of(w, e->task, kind), .task = e->task, .from = seq,
		.depth = 1, .shared = shared,
	};
}

static void release(struct walk *w, uint32_t task, uint8_t kind, uint64_t number, uint32_t seq)
{
	struct held *h = find(w, task, false, kind, number);
	size_t i;

	if (!h || --h->depth)
		return;
	h->to = seq;
	for (i = 0; &w->held[w->open[i]] != h; i++)
		;
	w->open[i] = w->open[--w->n_open];
}

static bool is_semaphore(const struct chess_event *e)
{
	const struct chess_wrapper *wrapper = chess_wrapper_of(e);

	return wrapper && !strncmp(wrapper->symbol, "sem_", 4);
}

static void file_lock(struct walk *w, const struct chess_event *e, uint32_t seq)
{
	if (e->nr != SYS_flock || e->result < 0)
		return;
	release(w, e->task, e->object_kind, e->object, seq);
	if (!(e->arg & LOCK_UN))
		acquire(w, e, e->object_kind, e->object, e->arg & LOCK_SH, seq);
}

static void apply(struct walk *w, const struct chess_event *e, uint32_t seq)
{
	if (!(e->flags & CHESS_OPF_PROBE)) {
		if (e->op == CHESS_OP_FLOCK)
			file_lock(w, e, seq);
		return;
	}
	switch (e->op) {
	case CHESS_OP_LOCK:
	case CHESS_OP_WRLOCK:
	case CHESS_OP_RDLOCK:
		acquire(w, e, e->object_kind, e->object, e->op == CHESS_OP_RDLOCK, seq);
		break;
	case CHESS_OP_TRYLOCK: {
		bool shared = !(e->flags & CHESS_OPF_WRITE);
		const struct held *h = find(w, e->task, true, e->object_kind, e->object);

		if (!is_semaphore(e) && (!h || (shared && h->shared)))
			acquire(w, e, e->object_kind, e->object, shared, seq);
		break;
	}
	case CHESS_OP_COND_WAIT:
		acquire(w, e, CHESS_OBJECT_ADDRESS, e->arg, false, seq);
		break;
	default:
		break;
	}
}

/* @task has come to something else, so what it was in is over. */
static void finish(struct walk *w, uint32_t task, bool successful)
{
	struct pending *p = &w->pending[task];

	if (p->point && p->since && (successful || p->point->op == CHESS_OP_COND_WAIT))
		apply(w, p->point, p->since);
	p->point = NULL;
}

/* It continues in its op: what gives something away does it at once. */
static void proceed(struct walk *w, uint32_t task, uint32_t seq)
{
	struct pending *p = &w->pending[task];

	if (!p->point)
		return;
	p->since = seq;
	if (!(p->point->flags & CHESS_OPF_PROBE))
		return;
	if (p->point->op == CHESS_OP_UNLOCK)
		release(w, task, p->point->object_kind, p->point->object, seq);
	else if (p->point->op == CHESS_OP_COND_WAIT && !p->gave)
		release(w, task, CHESS_OBJECT_ADDRESS, p->point->arg, seq);
	p->gave = true;
	if (p->point->op == CHESS_OP_UNLOCK)
		p->point = NULL;
}

static void step(struct walk *w, const struct chess_event *e)
{
	switch (e->type) {
	case CHESS_EVENT_BLOCK:
		w->pending[e->task].since = 0;
		break;
	case CHESS_EVENT_TIMEOUT:
		finish(w, e->task, false);
		break;
	case CHESS_EVENT_KILLED:
		w->pending[e->task].point = NULL;
		break;
	case CHESS_EVENT_POINT:
		finish(w, e->task, true);
		w->pending[e->task] = (struct pending){ .point = e };
		break;
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_QUANTUM:
	case CHESS_EVENT_STALL:
	case CHESS_EVENT_EXEC:
		finish(w, e->task, true);
		break;
	default:
		break;
	}
	if (CHESS_EVENT_IS_TURN(e->type) && e->chosen < w->tasks)
		proceed(w, e->chosen, e->seq);
}

static struct json_object *columns(const struct walk *w)
{
	static const char *const names[] = { "object", "process", "task", "from", "to", "shared" };
	struct json_object *o = json_object_new_object(), *column;
	size_t i, k;

	for (k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		column = json_object_new_array();
		for (i = 0; i < w->n; i++) {
			const struct held *h = &w->held[i];
			const uint32_t row[] = { h->object, h->process, h->task, h->from, h->to,
						 h->shared };

			json_object_array_add(column, json_object_new_int64(row[k]));
		}
		json_object_object_add(o, names[k], column);
	}
	return o;
}

struct json_object *html_locks(struct html_names *n)
{
	const struct chess_record *r = n->r->record;
	struct walk w = { .names = n, .tasks = chess_record_tasks(r) };
	struct json_object *o;
	size_t i;

	w.process = report_processes(n->r);
	w.pending = cli_alloc(w.tasks, sizeof(*w.pending));
	for (i = 0; i < chess_record_length(r); i++)
		if (chess_record_event(r, i)->task < w.tasks)
			step(&w, chess_record_event(r, i));
	for (i = 0; i < w.tasks; i++)
		finish(&w, i, true);
	o = columns(&w);
	free(w.process);
	free(w.pending);
	free(w.held);
	free(w.open);
	return o;
}
