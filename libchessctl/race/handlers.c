// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See handlers.h. All runs of the handler of one signal in one task are one "task", as the
 * signal is blocked while it is handled; where it is not (SA_NODEFER), the inner one is
 * another. What orders it:
 *
 *	after	the signal's sender, or the timer's setter, until then; of SIGCHLD, the child
 *		what its process did before sigaction(), the first time or again
 *		what created the interrupted task
 *	mask	that a task blocks a signal is a lock: to let it in gives the lock back, its
 *		handler takes it, and those of the signals in sa_mask, for as long as it runs
 *	own	a fault, or raise(), is in the order of the task's program, on both sides; so is
 *		what is let in for the time of a wait alone, as by sigsuspend()
 *	before	what comes after a call that ended by it (EINTR), or after siglongjmp()
 *		what its task does once it knows that the signal was sent: it is taken before
 *
 * The last of these cannot be derived from the order of events: sender and task may meet
 * anywhere after that. So this keeps vector clocks, too.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "race/access_list.h"
#include "race/sync_internal.h"
#include "race/vclock.h"

#define BIT_OF(sig)	(1ULL << ((sig) - 1))
/* Handlers within each other; what is deeper counts as part of the innermost of them. */
#define MAX_DEPTH	16
/* Handlers that ran and whose task does not know yet that the signal was sent. */
#define MAX_PENDING	16

/* One that runs. */
struct frame {
	uint16_t who;
	uint8_t sig, how;
	uint64_t set;		/* signals that are blocked for as long */
	size_t from, to;	/* of what was sent, these may be it */
	size_t point;		/* last one of the task before, plus one */
};

/* One that has returned. */
struct pending {
	uint32_t object;
	uint8_t sig;
	size_t from, to;
};

struct state {
	struct frame frame[MAX_DEPTH];
	unsigned int depth;
	struct pending pending[MAX_PENDING];
	unsigned int n_pending;
};

/* What counts as a task. */
struct handler {
	uint16_t task;
	uint8_t sig;
	uint8_t level;
	size_t taken;		/* of what was sent, all before this is */
};

struct send {
	uint16_t by, to;
	uint8_t sig;
	bool to_all;
	uint32_t clock;
};

struct chess_handlers {
	uint64_t handled;	/* signals */
	size_t tasks;
	struct state *task;
	struct handler *v;
	size_t n, room;
	struct send *send;
	size_t n_sends, send_room;
	struct chess_vclock *clock;	/* of tasks, then of handlers */
	size_t clocks;
	struct chess_vclock *object;
	size_t objects;
};

int chess_handlers_new(const struct chess_access *a, size_t n, size_t tasks,
		       struct chess_handlers **out)
{
	struct chess_handlers *h;
	uint64_t handled = 0;
	size_t i;

	*out = NULL;
	for (i = 0; i < n; i++)
		if (chess_access_tells(&a[i], CHESS_TOLD_HANDLER) &&
		    a[i].site && a[i].site <= 64)
			handled |= BIT_OF(a[i].site);
	if (!handled)
		return 0;
	h = calloc(1, sizeof(*h));
	if (!h)
		return -ENOMEM;
	h->handled = handled;
	h->tasks = tasks;
	h->task = calloc(tasks + 1, sizeof(*h->task));
	*out = h;
	return h->task ? 0 : -ENOMEM;
}

void chess_handlers_free(struct chess_handlers *h)
{
	size_t i;

	if (!h)
		return;
	for (i = 0; i < h->clocks; i++)
		chess_vclock_free(&h->clock[i]);
	for (i = 0; i < h->objects; i++)
		chess_vclock_free(&h->object[i]);
	free(h->clock);
	free(h->object);
	free(h->send);
	free(h->v);
	free(h->task);
	free(h);
}

size_t chess_handlers_count(const struct chess_handlers *h)
{
	return h ? h->n : 0;
}

uint16_t chess_handlers_who(const struct chess_handlers *h, uint16_t task)
{
	const struct state *t = &h->task[task];

	return t->depth ? t->frame[t->depth - 1].who : task;
}

static void release(struct sync *s, uint16_t who, uint32_t object)
{
	chess_sync_push(s, (struct chess_step) {
		.kind = CHESS_STEP_RELEASE, .task = who, .object = object,
	});
}

static void acquire(struct sync *s, uint16_t who, uint32_t object)
{
	chess_sync_push(s, (struct chess_step) {
		.kind = CHESS_STEP_ACQUIRE, .task = who, .object = object,
	});
}

static void hand_over(struct sync *s, uint16_t from, uint16_t to)
{
	uint32_t object = chess_sync_find(s, HANDED, s->numbers++);

	release(s, from, object);
	acquire(s, to, object);
}

static uint32_t of_signal(struct sync *s, uint8_t kind, uint16_t task, unsigned int sig)
{
	return chess_sync_find(s, kind, (uint64_t)task << 8 | sig);
}

/* Each begins with one release of its own, which nobody knows of. */
static bool has_clocks(struct chess_handlers *h, size_t who, size_t object)
{
	if (who >= h->clocks) {
		if (chess_array_extend(&h->clock, h->clocks, who + 1, sizeof(*h->clock)))
			return false;
		for (; h->clocks <= who; h->clocks++)
			if (chess_vclock_tick(&h->clock[h->clocks], h->clocks))
				return false;
	}
	if (object >= h->objects) {
		if (chess_array_extend(&h->object, h->objects, object * 2 + 16,
				       sizeof(*h->object)))
			return false;
		h->objects = object * 2 + 16;
	}
	return true;
}

static bool knows(const struct chess_handlers *h, uint16_t who, const struct send *send)
{
	return who < h->clocks && chess_vclock_get(&h->clock[who], send->by) >= send->clock;
}

static bool may_be_for(const struct sync *s, const struct send *send, uint16_t task, uint8_t sig)
{
	if (send->sig != sig)
		return false;
	return send->to_all ? s->task[send->to].space == s->task[task].space : send->to == task;
}

/* Does @task know of any of what was sent, and so comes after the handler? */
static bool is_known(const struct sync *s, const struct pending *p, uint16_t task)
{
	size_t i;

	for (i = p->from; i < p->to; i++)
		if (may_be_for(s, &s->handlers->send[i], task, p->sig) &&
		    knows(s->handlers, task, &s->handlers->send[i]))
			return true;
	return false;
}

static void drop_pending(struct state *t, unsigned int i)
{
	memmove(&t->pending[i], &t->pending[i + 1], (--t->n_pending - i) * sizeof(*t->pending));
}

static void look_at_pending(struct sync *s, uint16_t task)
{
	struct state *t = &s->handlers->task[task];
	unsigned int i;

	for (i = 0; i < t->n_pending && !s->error;) {
		uint32_t object = t->pending[i].object;

		if (!is_known(s, &t->pending[i], task)) {
			i++;
			continue;
		}
		drop_pending(t, i);
		/* Which looks once more, and may drop others. */
		acquire(s, task, object);
		i = 0;
	}
}

void chess_handlers_step(struct sync *s, const struct chess_step *step)
{
	struct chess_handlers *h = s->handlers;
	int ret = 0;

	if (step->kind != CHESS_STEP_RELEASE && step->kind != CHESS_STEP_ACQUIRE)
		return;
	if (!has_clocks(h, step->task, step->object)) {
		s->error = -ENOMEM;
		return;
	}
	if (step->kind == CHESS_STEP_RELEASE) {
		ret = chess_vclock_join(&h->object[step->object], &h->clock[step->task]);
		if (!ret)
			ret = chess_vclock_tick(&h->clock[step->task], step->task);
	} else {
		ret = chess_vclock_join(&h->clock[step->task], &h->object[step->object]);
	}
	if (ret)
		s->error = ret;
	else if (step->kind == CHESS_STEP_ACQUIRE && step->task < h->tasks)
		look_at_pending(s, step->task);
}

/* The handler of @sig in @task, and how often it is within itself. Negative errno. */
static int32_t find_handler(struct chess_handlers *h, uint16_t task, uint8_t sig)
{
	const struct state *t = &h->task[task];
	unsigned int level = 0, k;
	size_t i;

	for (k = 0; k < t->depth; k++)
		level += t->frame[k].sig == sig;
	for (i = 0; i < h->n; i++)
		if (h->v[i].task == task && h->v[i].sig == sig && h->v[i].level == level)
			return i;
	if (h->tasks + h->n >= CHESS_TASK_TIMER ||
	    chess_array_room(&h->v, &h->room, h->n + 1, sizeof(*h->v)))
		return -ENOMEM;
	h->v[h->n] = (struct handler) { .task = task, .sig = sig, .level = level };
	return h->n++;
}

/* Those that have ended may be why a SIGCHLD came. */
static void acquire_cause(struct sync *s, uint16_t who, const struct chess_access *a)
{
	uint16_t space = s->task[a->task].space;
	size_t i;

	if (a->ip & CHESS_HANDLER_TIMER) {
		acquire(s, who, chess_sync_find(s, ARMED, 0));
		return;
	}
	acquire(s, who, of_signal(s, SENT, a->task, a->site));
	acquire(s, who, of_signal(s, SENT_TO_ALL, space, a->site));
	for (i = 0; a->site == SIGCHLD && i < s->handlers->tasks; i++)
		if (s->task[i].ended)
			acquire(s, who, chess_sync_find(s, ENDED, i));
}

static void begin(struct sync *s, const struct chess_access *a)
{
	struct chess_handlers *h = s->handlers;
	struct state *t = &h->task[a->task];
	uint16_t was = chess_handlers_who(h, a->task), who;
	int32_t i;
	unsigned int sig;

	if (!a->site || a->site > 64 || t->depth == MAX_DEPTH)
		return;
	i = find_handler(h, a->task, a->site);
	if (i < 0) {
		s->error = i;
		return;
	}
	who = h->tasks + i;
	if (a->ip & (CHESS_HANDLER_OWN | CHESS_HANDLER_WAITED))
		hand_over(s, was, who);
	acquire(s, who, of_signal(s, INSTALLED, s->task[a->task].space, a->site));
	acquire(s, who, chess_sync_find(s, BORN, a->task));
	acquire(s, who, of_signal(s, MASKED, a->task, a->site));
	acquire_cause(s, who, a);
	for (sig = 1; sig <= 64; sig++)
		if (a->address & h->handled & BIT_OF(sig) && sig != a->site)
			acquire(s, who, of_signal(s, MASKED, a->task, sig));
	t->frame[t->depth++] = (struct frame) {
		.who = who, .sig = a->site, .how = a->ip, .set = a->address & h->handled,
		.from = h->v[i].taken, .to = h->n_sends, .point = s->task[a->task].last,
	};
	h->v[i].taken = h->n_sends;
}

/* Where there are too many it is after the first of them. */
static void add_pending(struct sync *s, uint16_t task, const struct frame *f)
{
	struct state *t = &s->handlers->task[task];
	uint32_t object = chess_sync_find(s, HANDED, s->numbers++);
	uint32_t first = t->pending[0].object;

	release(s, f->who, object);
	if (t->n_pending == MAX_PENDING) {
		drop_pending(t, 0);
		acquire(s, task, first);
	}
	t->pending[t->n_pending++] = (struct pending) {
		.object = object, .sig = f->sig, .from = f->from, .to = f->to,
	};
	look_at_pending(s, task);
}

static void end(struct sync *s, uint16_t task, bool jumped)
{
	struct chess_handlers *h = s->handlers;
	struct state *t = &h->task[task];
	struct frame f;
	unsigned int sig;

	if (!t->depth)
		return;
	f = t->frame[--t->depth];
	s->task[task].interrupted = jumped ? 0 : f.point;
	for (sig = 1; !jumped && sig <= 64; sig++)
		if (f.set & BIT_OF(sig))
			release(s, f.who, of_signal(s, MASKED, task, sig));
	if (jumped ||
	    f.how & (CHESS_HANDLER_OWN | CHESS_HANDLER_WAITED | CHESS_HANDLER_INTERRUPTS))
		hand_over(s, f.who, chess_handlers_who(h, task));
	else if (f.from < f.to)
		add_pending(s, task, &f);
}

/* As a lock that is taken (blocked) or given back. */
static void change_mask(struct sync *s, const struct chess_access *a)
{
	uint16_t who = chess_handlers_who(s->handlers, a->task);
	unsigned int sig;

	for (sig = 1; sig <= 64; sig++) {
		if (!(a->address & s->handlers->handled & BIT_OF(sig)))
			continue;
		if (a->size == CHESS_TOLD_BLOCKED)
			acquire(s, who, of_signal(s, MASKED, a->task, sig));
		else
			release(s, who, of_signal(s, MASKED, a->task, sig));
	}
}

/* The signal may have woken it, so what it waits for may come without another wake-up. */
static void forget_wake_up(struct sync *s, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < s->handlers->tasks; i++)
		if (i == a->address || (a->ip && s->task[i].space == s->task[a->address].space))
			s->task[i].woken = false;
}

static void sent(struct sync *s, const struct chess_access *a)
{
	struct chess_handlers *h = s->handlers;
	uint16_t who = chess_handlers_who(h, a->task);

	if (a->address >= h->tasks || a->site > 64)
		return;
	if (!has_clocks(h, who, 0) ||
	    chess_array_room(&h->send, &h->send_room, h->n_sends + 1, sizeof(*h->send))) {
		s->error = -ENOMEM;
		return;
	}
	h->send[h->n_sends++] = (struct send) {
		.by = who, .to = a->address, .sig = a->site, .to_all = a->ip,
		.clock = chess_vclock_get(&h->clock[who], who),
	};
	forget_wake_up(s, a);
	release(s, who, a->ip ?
		of_signal(s, SENT_TO_ALL, s->task[a->address].space, a->site) :
		of_signal(s, SENT, a->address, a->site));
}

void chess_handlers_told(struct sync *s, const struct chess_access *a)
{
	uint16_t who = chess_handlers_who(s->handlers, a->task);

	switch (a->size) {
	case CHESS_TOLD_INSTALLED:
		release(s, who, of_signal(s, INSTALLED, s->task[a->task].space, a->site));
		break;
	case CHESS_TOLD_OPENED:
	case CHESS_TOLD_BLOCKED:
		change_mask(s, a);
		break;
	case CHESS_TOLD_SENT:
		sent(s, a);
		break;
	case CHESS_TOLD_ARMED:
		release(s, who, chess_sync_find(s, ARMED, 0));
		break;
	case CHESS_TOLD_HANDLER:
		begin(s, a);
		break;
	case CHESS_TOLD_RETURNED:
	case CHESS_TOLD_JUMPED:
		end(s, a->task, a->size == CHESS_TOLD_JUMPED);
		break;
	}
}

void chess_handlers_spawn(struct sync *s, uint16_t parent, uint16_t child)
{
	release(s, chess_handlers_who(s->handlers, parent), chess_sync_find(s, BORN, child));
}

void chess_handlers_exec(struct chess_handlers *h, uint16_t task)
{
	h->task[task].depth = 0;
}

void chess_handlers_end(struct sync *s, uint16_t task)
{
	struct chess_handlers *h = s->handlers;
	uint32_t object = chess_sync_find(s, ENDED, task);
	size_t i;

	release(s, task, object);
	for (i = 0; i < h->n; i++)
		if (h->v[i].task == task)
			release(s, h->tasks + i, object);
}
