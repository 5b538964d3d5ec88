// SPDX-License-Identifier: GPL-2.0-only
/*
 * Points, and how a task of the user-space model waits. A task that waits is queued
 * at an object. As under the module (SIM_KERNEL) it is blocked then and somebody
 * wakes it; as in CHESS (SIM_CHESS) it stands at its point, at a gate, and is not
 * enabled until the gate is open.
 */
#include <errno.h>
#include <sys/syscall.h>

#include "sim_internal.h"

/* The run goes on and on. Only a fair one shows that the program does. */
static _Noreturn void cut(struct sim *s)
{
	if (s->opts.cut_is_end)
		sim_end(s, CHESS_VERDICT_OK);
	if (!s->opts.unfair)
		sim_end(s, CHESS_VERDICT_LIVELOCK);
	chess_set_error(EOVERFLOW, "a run that was not fair did not end within %u points",
			s->opts.max_points);
	sim_end(s, CHESS_VERDICT_INCOMPLETE);
}

/* The running task is about to do an op. */
void sim_point(struct sim *s, const struct sim_at *at)
{
	struct chess_event e = {
		.type = CHESS_EVENT_POINT,
		.op = at->op->op,
		.flags = at->op->flags,
		.object_kind = at->object ? CHESS_OBJECT_ADDRESS : at->kind,
		.nr = at->op->nr,
		.object = at->object ? sim_name(s, at->object) : at->number,
		.ip = sim_name(s, at->caller),
		.arg = at->second ? sim_name(s, at->second) : at->bytes,
	};
	struct sim_task *t = s->token;
	struct chess_event again = e;

	if (s->points == s->opts.max_points)
		cut(s);
	s->points++;
	t->points++;
	t->op_at = *at;
	if (s->program->state)
		sim_state_at(s, at);
	if (!at->gate || s->opts.enabled == SIM_KERNEL) {
		sim_decide(s, &e);
		/* As under the module: the op has a point once more if the handler had any. */
		while (sim_take_signals(s)) {
			e = again;
			sim_decide(s, &e);
		}
		return;
	}
	t->gate = at->gate;
	t->object = at->watch;
	chess_set_add(&s->gated, t->id);
	sim_decide(s, &e);
	chess_set_remove(&s->gated, t->id);
}

void sim_queue(struct sim *s, struct sim_task *t, const void *object)
{
	t->queue = object;
	t->since = s->order++;
	chess_set_add(&s->queued, t->id);
}

/* Under SIM_CHESS it was never disabled for this, and becomes enabled by its gate. */
void sim_unqueue(struct sim *s, struct sim_task *t)
{
	t->queue = NULL;
	chess_set_remove(&s->queued, t->id);
	chess_set_remove(&s->timed, t->id);
	if (s->opts.enabled == SIM_KERNEL)
		chess_set_add(&s->enabled, t->id);
}

/* SIM_KERNEL: sleep at @object until woken, or until @deadline has passed; 0: never. */
void sim_block(struct sim *s, const void *object, uint64_t deadline)
{
	struct sim_task *t = s->token;

	/* A signal may have woken it in a wait for a condition, whose queue it does not leave. */
	if (!object || t->queue != object)
		sim_queue(s, t, object);
	sim_state_blocks(s, object);
	sim_disable(s, t->id);
	t->timed_out = false;
	if (deadline) {
		t->deadline = deadline;
		chess_set_add(&s->timed, t->id);
	}
	sim_decide(s, &(struct chess_event){ .type = CHESS_EVENT_BLOCK });
}

/* The wait of a function goes on after a signal: its call is made again, at a point of its own. */
void sim_futex_point(struct sim *s)
{
	static const struct sim_op wait = {
		.op = CHESS_OP_FUTEX_WAIT, .flags = CHESS_OPF_MAY_BLOCK, .nr = SYS_futex,
	};
	struct sim_at at = s->token->op_at, of = at;

	at.op = &wait;
	sim_point(s, &at);
	s->token->op_at = of;
}

/**
 * sim_await() - the running task does not go on before @gate opens
 * @s: the run
 * @gate: when it may
 * @object: what it waits at, and what @gate looks at
 * @deadline: for how long, on the group's clock; 0: for ever
 *
 * Under SIM_CHESS a task that has no deadline comes here through the open gate, and
 * one that has does not wait: CHESS lets a wait with a time-out fail when the task is
 * chosen too early for it.
 *
 * Return: whether it is open; if not, the deadline has passed.
 */
bool sim_await(struct sim *s, sim_gate gate, const void *object, uint64_t deadline)
{
	struct sim_task *t = s->token;
	bool interrupted, handled;

	t->object = object;
	while (!gate(t)) {
		if (s->opts.enabled == SIM_CHESS)
			return false;
		sim_block(s, object, deadline);
		interrupted = t->queue;
		if (interrupted)
			sim_unqueue(s, t);
		handled = sim_take_signals(s);
		if (t->timed_out)
			return false;
		if (interrupted && handled)
			sim_futex_point(s);
	}
	return true;
}

/* Does @t wait at @object, which is one of the process that runs or of the kernel? */
static bool waits_at(const struct sim *s, const struct sim_task *t, const void *object)
{
	return t->queue == object &&
	       (t->process == s->token->process || !sim_is_private(s, object));
}

static struct sim_task *first_of(const struct sim *s, const void *object)
{
	struct sim_task *t, *first = NULL;
	unsigned int id;

	for (id = chess_set_next(&s->queued, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&s->queued, id + 1)) {
		t = s->task[id];
		if (waits_at(s, t, object) && (!first || t->since < first->since))
			first = t;
	}
	return first;
}

/* Who is woken of those that wait, of whom @first came first. */
static struct sim_task *any_of(struct sim *s, const void *object, struct sim_task *first)
{
	uint64_t waiters = 0;
	unsigned int id;

	for (id = chess_set_next(&s->queued, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&s->queued, id + 1))
		if (waits_at(s, s->task[id], object))
			waiters |= 1ULL << id;
	return waiters & (waiters - 1) ? s->task[sim_decide_queue(s, first->id, waiters)] : first;
}

void sim_wake_by(struct sim *s, struct sim_task *t, unsigned int waker)
{
	/* A signal may have woken it, and it has not left the queue yet. */
	bool was_enabled = chess_set_has(&s->enabled, t->id);

	sim_unqueue(s, t);
	if (s->opts.enabled == SIM_KERNEL && !was_enabled)
		sim_push(s, &(struct chess_event){
			.type = CHESS_EVENT_WAKE,
			.object_kind = CHESS_OBJECT_TASK,
			.task = t->id,
			.chosen = CHESS_TASK_NONE,
			.object = waker,
		});
}

static void wake(struct sim *s, struct sim_task *t)
{
	sim_wake_by(s, t, s->token->id);
}

/* One task: that which has waited longest, or any. Return: was there one? */
bool sim_wake_one(struct sim *s, const void *object)
{
	struct sim_task *t = first_of(s, object);

	if (t && s->opts.wake_any)
		t = any_of(s, object, t);
	if (t)
		wake(s, t);
	return t;
}

/* In the order they came: all are enabled before anybody goes on. */
void sim_wake_all(struct sim *s, const void *object)
{
	struct sim_task *t;

	while ((t = first_of(s, object)))
		wake(s, t);
}
