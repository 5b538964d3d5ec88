// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who could end a wait, and since which op? The kernel says who owns a lock or has
 * the other end of a pipe open (wait.c); what the candidates did to the object before
 * is in the record: who took a semaphore and has not posted it, who read the byte that
 * is missing, who signalled last. Under the token ops happen one after the other, in
 * the order of the record, so counting them gives the state of the object.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>

#include "array.h"
#include "wait/holders.h"
#include "internal.h"

const char *chess_hold_name(enum chess_hold how)
{
	static const char *const names[] = {
		[CHESS_HOLD_HAS] = "has", [CHESS_HOLD_LOST] = "lost", [CHESS_HOLD_IS] = "is",
		[CHESS_HOLD_TOOK] = "took", [CHESS_HOLD_GAVE] = "gave", [CHESS_HOLD_MAY] = "may",
		[CHESS_HOLD_GONE] = "gone",
	};

	return (unsigned int)how < ARRAY_SIZE(names) ? names[how] : NULL;
}

int chess_holders_add(struct chess_wait *w, const struct chess_holder *h)
{
	size_t i;

	for (i = 0; i < w->n_holders; i++)
		if (w->holders[i].task == h->task && w->holders[i].object == h->object &&
		    w->holders[i].object_kind == h->object_kind)
			return 0;
	if (chess_array_resize(&w->holders, w->n_holders + 1, sizeof(*h)))
		return chess_set_error(ENOMEM, "no memory for a list of holders");
	w->holders[w->n_holders++] = *h;
	return 0;
}

/* What an op does to its object, as far as somebody may wait for it. */
enum effect { NOTHING, ACQUIRE, RELEASE, TAKE, GIVE };

/* That it was the right range and was not given back since, the kernel says (wait.c). */
static enum effect lock_effect(const struct chess_event *e)
{
	if (e->nr == SYS_flock)
		return e->arg & LOCK_UN ? RELEASE : ACQUIRE;
	switch (e->arg) {
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return ACQUIRE;
	default:
		return NOTHING;
	}
}

static enum effect syscall_effect(const struct chess_event *e)
{
	switch (e->nr) {
	case SYS_read:
	case SYS_readv:
	case SYS_preadv:
	case SYS_preadv2:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_recvmmsg:
	case SYS_msgrcv:
	case SYS_mq_timedreceive:
	/* Whether it goes up or down is in the program's memory. */
	case SYS_semop:
	case SYS_semtimedop:
		return TAKE;
	case SYS_write:
	case SYS_writev:
	case SYS_pwritev:
	case SYS_pwritev2:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_msgsnd:
	case SYS_mq_timedsend:
		return GIVE;
	default:
		break;
	}
	switch (e->op) {
	case CHESS_OP_FLOCK:
		return lock_effect(e);
	case CHESS_OP_FUTEX_WAKE:
		return GIVE;
	default:
		return NOTHING;
	}
}

static enum effect function_effect(const struct chess_event *e)
{
	switch (e->op) {
	case CHESS_OP_LOCK:
	case CHESS_OP_TRYLOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
	case CHESS_OP_ONCE:
		return ACQUIRE;
	case CHESS_OP_UNLOCK:
		return RELEASE;
	case CHESS_OP_SEM_WAIT:
		return TAKE;
	case CHESS_OP_SEM_POST:
	case CHESS_OP_COND_SIGNAL:
	case CHESS_OP_COND_BROADCAST:
		return GIVE;
	default:
		return NOTHING;
	}
}

static enum effect effect(const struct chess_event *e)
{
	return e->flags & CHESS_OPF_PROBE ? function_effect(e) : syscall_effect(e);
}

/**
 * struct history - what one task did to one object
 * @held: acquired, less released
 * @taken: taken, less given
 * @acquired: number of the last event that acquired it, or 0
 * @took: and so on
 * @gave: and so on
 */
struct history {
	int held, taken;
	uint32_t acquired, took, gave;
};

/**
 * struct question - what is asked about the past of a wait's candidates
 * @r: the record, or NULL
 * @until: events up to this number count
 * @lock: it waits for a lock
 * @room: it waits to write: others take what it waits for by writing
 * @function: it waits in a sync function, not in a call of the program's own
 */
struct question {
	const struct chess_record *r;
	uint32_t until;
	bool lock, room, function;
};

/* @h did this to its object. */
static void count(struct history *past, const struct question *q, const struct chess_holder *h,
		  const struct chess_event *e)
{
	enum effect what = effect(e);

	if (q->room && (what == TAKE || what == GIVE))
		what = what == TAKE ? GIVE : TAKE;
	if (h->other_end && what == TAKE)
		return;
	switch (what) {
	case ACQUIRE:
		past->held++;
		past->acquired = e->seq;
		break;
	case RELEASE:
		past->held--;
		break;
	case TAKE:
		past->taken++;
		past->took = e->seq;
		break;
	case GIVE:
		past->taken--;
		past->gave = e->seq;
		break;
	case NOTHING:
		break;
	}
}

/* @not: of an op that is not over: the task is blocked in it; 0: of none. */
static struct history look_back(const struct question *q, const struct chess_holder *h,
				uint32_t not)
{
	/* The op at a point is done when the task goes on from there. */
	const struct chess_event *next = NULL;
	struct history past = { 0 };
	size_t i;

	for (i = 0; i < q->until; i++) {
		const struct chess_event *e = chess_record_event(q->r, i);

		if (e->type == CHESS_EVENT_POINT && e->task == h->task)
			next = e;
		if (!next || !CHESS_EVENT_IS_DECISION(e->type) || e->chosen != h->task)
			continue;
		/* A condition wait gives its mutex away, and comes back with it. */
		if (next->op == CHESS_OP_COND_WAIT && next->seq == not &&
		    h->object_kind == CHESS_OBJECT_ADDRESS && next->arg == h->object)
			past.held--;
		if (next->seq != not && next->object_kind == h->object_kind &&
		    next->object == h->object &&
		    ((next->flags & CHESS_OPF_PROBE) || next->result >= 0))
			count(&past, q, h, next);
		next = NULL;
	}
	return past;
}

/* The event in which a task was made, or NULL. */
static const struct chess_event *spawn_of(const struct chess_record *r, uint32_t task)
{
	size_t i = r ? chess_record_length(r) : 0;

	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_SPAWN && e->object == task)
			return e;
	}
	return NULL;
}

/* The op that made a task, or NULL. */
static const struct chess_event *maker_of(const struct chess_record *r,
					  const struct chess_event *spawn)
{
	return spawn ? chess_record_last_point(r, spawn->seq - 1, spawn->task) : NULL;
}

/* Return: whether it remains a candidate. */
static bool determine(const struct question *q, struct chess_holder *h, uint32_t not)
{
	const struct chess_event *made;
	struct history past;

	if (h->how == CHESS_HOLD_IS) {
		made = maker_of(q->r, spawn_of(q->r, h->task));
		h->seq = made ? made->seq : 0;
		return true;
	}
	past = look_back(q, h, not);
	if (h->how == CHESS_HOLD_HAS || h->how == CHESS_HOLD_LOST) {
		h->seq = past.acquired;
		return true;
	}
	if (q->lock) {
		h->how = past.held > 0 ? CHESS_HOLD_HAS : CHESS_HOLD_MAY;
		h->seq = past.acquired;
		return past.held > 0 || !q->function;
	}
	/* Its own last step tells a byte taken from one that it puts in by turns. */
	if (past.taken > 0 || (past.took > past.gave && past.gave)) {
		h->how = CHESS_HOLD_TOOK;
		h->seq = past.took;
	} else if (past.gave) {
		h->how = CHESS_HOLD_GAVE;
		h->seq = past.gave;
	} else {
		h->how = CHESS_HOLD_MAY;
	}
	return true;
}

static bool is_kept(struct chess_wait *w, size_t kept, const struct chess_holder *h)
{
	size_t i;

	for (i = 0; i < kept; i++) {
		if (w->holders[i].task != h->task)
			continue;
		if (w->holders[i].seq < h->seq)
			w->holders[i] = *h;
		return true;
	}
	return false;
}

/*
 * The fork that made the process of @task: what threads of its parent held then is held
 * for ever in the copy. Return: number of the event, or 0.
 */
uint32_t chess_holders_fork_of(const struct chess_record *r, uint32_t task)
{
	const struct chess_event *spawn, *op;

	while ((spawn = spawn_of(r, task))) {
		op = maker_of(r, spawn);
		if (op && chess_event_may_fork(op))
			return spawn->seq;
		task = spawn->task;
	}
	return 0;
}

/* Nobody is left: who had the lock when it was copied, or who gave last before it ended? */
static int add_gone(const struct question *asked, struct chess_wait *w,
		    const struct chess_event *point)
{
	struct question q = *asked;
	struct chess_holder h = {
		.object_kind = point->object_kind, .object = point->object,
	}, last = { .how = CHESS_HOLD_GONE };
	struct history past;

	if (q.lock)
		q.until = chess_holders_fork_of(q.r, w->task);
	if (!q.until || h.object_kind == CHESS_OBJECT_NONE)
		return 0;
	for (h.task = 0; h.task < chess_record_tasks(q.r); h.task++) {
		past = look_back(&q, &h, 0);
		if (q.lock && past.held > 0) {
			h.how = CHESS_HOLD_LOST;
			h.seq = past.acquired;
			return chess_holders_add(w, &h);
		}
		if (!q.lock && past.gave > last.seq && h.task != w->task) {
			last.task = h.task;
			last.seq = past.gave;
		}
	}
	return last.seq ? chess_holders_add(w, &last) : 0;
}

/* Keeps the surest; of those who called flock() in the process that has the lock, the last. */
static void keep_best(const struct question *q, struct chess_wait *w)
{
	enum chess_hold best = CHESS_HOLD_GONE;
	size_t k, kept = 0;
	uint32_t latest = 0;

	for (k = 0; k < w->n_holders; k++) {
		if (w->holders[k].how < best)
			best = w->holders[k].how;
		if (w->holders[k].seq > latest)
			latest = w->holders[k].seq;
	}
	for (k = 0; k < w->n_holders; k++) {
		const struct chess_holder *h = &w->holders[k];

		/* One task may have done something to each of several files. */
		if (h->how != best || is_kept(w, kept, h) ||
		    (q->lock && !q->function && h->seq != latest))
			continue;
		w->holders[kept++] = *h;
	}
	w->n_holders = kept;
}

int chess_holders_determine(const struct chess_record *r, struct chess_wait *waits, size_t n)
{
	size_t i, k, kept, length = r ? chess_record_length(r) : 0;
	int ret;

	for (i = 0; i < n; i++) {
		struct chess_wait *w = &waits[i];
		const struct chess_event *e = w->seq && w->seq <= length ?
			chess_record_event(r, w->seq - 1) : NULL;
		struct question q = {
			.r = r, .until = length,
			.lock = e && effect(e) == ACQUIRE, .room = e && effect(e) == GIVE,
			.function = e && (e->flags & CHESS_OPF_PROBE),
		};

		for (k = 0, kept = 0; k < w->n_holders; k++) {
			const struct chess_wait *own = chess_wait_of(waits, n, w->holders[k].task);

			if (determine(&q, &w->holders[k], own ? own->seq : 0))
				w->holders[kept++] = w->holders[k];
		}
		w->n_holders = kept;
		keep_best(&q, w);
		if (w->n_holders || w->outside || !e)
			continue;
		ret = add_gone(&q, w, e);
		if (ret)
			return ret;
	}
	return 0;
}

enum chess_task_phase chess_record_phase(const struct chess_record *r, uint32_t seq, uint16_t task)
{
	enum chess_task_phase phase = task ? CHESS_PHASE_ABSENT : CHESS_PHASE_ENABLED;
	size_t i, n = chess_record_length(r);

	for (i = 0; i < seq && i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_SPAWN && e->object == task)
			phase = CHESS_PHASE_ENABLED;
		if (e->task == task)
			switch (e->type) {
			case CHESS_EVENT_BLOCK:
			case CHESS_EVENT_STALL:
				phase = CHESS_PHASE_BLOCKED;
				break;
			case CHESS_EVENT_EXIT:
			case CHESS_EVENT_KILLED:
				phase = CHESS_PHASE_ENDED;
				break;
			case CHESS_EVENT_LEAVE:
				phase = CHESS_PHASE_LEFT;
				break;
			default:
				phase = CHESS_PHASE_ENABLED;
			}
		if (!CHESS_EVENT_IS_TURN(e->type))
			continue;
		if (phase == CHESS_PHASE_BLOCKED && chess_record_timed(r, i, task))
			phase = CHESS_PHASE_TIMED;
	}
	return phase;
}

/* Whoever is alive may come into question. */
static int add_everybody(const struct chess_record *r, uint32_t seq, struct chess_wait *w)
{
	const struct chess_event *e;
	size_t t;
	int ret = 0;

	e = w->seq ? chess_record_event(r, w->seq - 1) : NULL;
	if (!e)
		return 0;
	for (t = 0; t < chess_record_tasks(r) && !ret; t++) {
		enum chess_task_phase phase = chess_record_phase(r, seq, t);

		if (phase == CHESS_PHASE_ABSENT || phase >= CHESS_PHASE_ENDED ||
		    (t == w->task && effect(e) != ACQUIRE))
			continue;
		ret = chess_holders_add(w, &(struct chess_holder) {
			.task = t, .how = CHESS_HOLD_MAY, .object_kind = e->object_kind,
			.object = e->object,
		});
	}
	return ret;
}

/* Has nobody let @task continue since it came to its point, event @i of the first @n? */
static bool is_held(const struct chess_record *r, size_t i, size_t n, uint16_t task)
{
	/* What the last event decides comes after it. */
	for (; i + 1 < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (CHESS_EVENT_IS_TURN(e->type) && e->chosen == task)
			return false;
	}
	return true;
}

/*
 * The first @n events; a task that is held at its point has not done its op yet, so there is none.
 * NULL and errno
 */
static struct chess_record *done_so_far(const struct chess_record *r, size_t n)
{
	struct chess_record *cut = chess_record_cut(r, 0);
	struct chess_event *copy = calloc(n + 1, sizeof(*copy));
	const struct chess_event *point;
	size_t i, t, tasks = chess_record_tasks(r);
	int ret = cut && copy ? 0 : -ENOMEM;

	for (i = 0; !ret && i < n; i++)
		copy[i] = *chess_record_event(r, i);
	for (t = 0; !ret && t < tasks; t++) {
		point = chess_record_last_point(r, n, t);
		if (!point || !is_held(r, point->seq - 1, n, t))
			continue;
		i = point->seq - 1;
		copy[i].op = CHESS_OP_OTHER;
		copy[i].object_kind = CHESS_OBJECT_NONE;
		copy[i].flags &= ~CHESS_OPF_PROBE;
		copy[i].nr = UINT32_MAX;
	}
	if (!ret)
		ret = chess_record_push(cut, copy, n);
	free(copy);
	if (!ret)
		return cut;
	chess_record_free(cut);
	errno = -ret;
	return NULL;
}

int chess_waits_at(const struct chess_record *r, uint32_t seq, struct chess_wait **out, size_t *n)
{
	const struct chess_event *point;
	struct chess_record *cut;
	size_t t, tasks = chess_record_tasks(r);
	int ret = 0;

	*n = 0;
	*out = calloc(tasks ? tasks : 1, sizeof(**out));
	cut = done_so_far(r, seq < chess_record_length(r) ? seq : chess_record_length(r));
	if (!*out || !cut)
		ret = chess_set_error(ENOMEM, "no memory for a list of waits");
	for (t = 0; t < tasks && !ret; t++) {
		enum chess_task_phase phase = chess_record_phase(r, seq, t);
		struct chess_wait *w = &(*out)[*n];

		if (phase != CHESS_PHASE_BLOCKED && phase != CHESS_PHASE_TIMED)
			continue;
		w->task = t;
		point = chess_record_last_point(cut, chess_record_length(cut), t);
		w->seq = point ? point->seq : 0;
		(*n)++;
		ret = add_everybody(cut, seq, w);
	}
	if (!ret)
		ret = chess_holders_determine(cut, *out, *n);
	chess_record_free(cut);
	if (ret) {
		chess_waits_free(*out, *n);
		*out = NULL;
		*n = 0;
	}
	return ret;
}
