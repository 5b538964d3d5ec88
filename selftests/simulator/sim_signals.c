// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals and timers of the user-space model. A task takes a signal where it returns to the
 * program, which it does before its next op, at which it has a point once more. A wait ends for a
 * signal, and begins again after the handler. A task that waits in a function of the C library
 * stays in its queue until it runs: what gives it a lock or a semaphore then may come before the
 * signal.
 */
#include <sys/syscall.h>

#include "sim_internal.h"

/**
 * sim_take_signals() - the running task takes a signal that was sent to it
 * @s: the run
 *
 * Return: whether a handler ran, and had points.
 */
bool sim_take_signals(struct sim *s)
{
	struct sim_task *t = s->token;
	struct sim_at at = t->op_at;
	unsigned int points = t->points;

	while (t->pending && !t->handling) {
		t->pending = false;
		t->handling = true;
		if (s->program->handler)
			s->program->handler();
		t->handling = false;
	}
	t->op_at = at;
	return t->points != points;
}

void sim_return(void)
{
	sim_take_signals(sim_now);
}

/**
 * sim_await_call() - the running task does not go on in its system call before @gate opens
 * @s: the run
 * @gate: when it may
 * @object: what it waits at, and what @gate looks at
 *
 * After a signal the call is made again.
 */
void sim_await_call(struct sim *s, sim_gate gate, const void *object)
{
	struct sim_task *t = s->token;
	struct sim_at at = t->op_at;

	for (t->object = object; !gate(t); t->object = object) {
		if (t->pending && sim_take_signals(s)) {
			sim_point(s, &at);
			continue;
		}
		sim_block(s, object, 0);
	}
}

void sim_kill(int task)
{
	static const struct sim_op call = {
		.op = CHESS_OP_SIGNAL, .flags = CHESS_OPF_WRITE | CHESS_OPF_RELEASE,
		.nr = SYS_tgkill,
	};
	struct sim *s = sim_now;
	struct sim_task *t;

	sim_point(s, &(struct sim_at){
		.op = &call, .kind = CHESS_OBJECT_TASK, .number = task, .caller = SIM_CALLER,
	});
	if ((size_t)task >= s->n_tasks || s->task[task]->dead)
		return;
	t = s->task[task];
	t->pending = true;
	if (chess_set_has(&s->enabled, t->id))
		return;
	chess_set_add(&s->enabled, t->id);
	chess_set_remove(&s->timed, t->id);
	if (!(t->op_at.op->flags & CHESS_OPF_PROBE))
		sim_unqueue(s, t);
	sim_push(s, &(struct chess_event){
		.type = CHESS_EVENT_WAKE,
		.object_kind = CHESS_OBJECT_TASK,
		.task = t->id,
		.chosen = CHESS_TASK_NONE,
		.object = s->token->id,
	});
}

void sim_timer_arm(struct sim_timer *t, uint64_t ns)
{
	static const struct sim_op call = {
		.op = CHESS_OP_SLEEP, .flags = CHESS_OPF_WRITE, .nr = SYS_timerfd_settime,
	};
	struct sim *s = sim_now;

	sim_point(s, &(struct sim_at){
		.op = &call, .kind = CHESS_OBJECT_FD, .number = 3, .caller = SIM_CALLER,
	});
	s->timer = t;
	s->timer_at = s->now + ns;
	s->timer_task = s->token->id;
}

static bool has_expired(const struct sim_task *t)
{
	return ((const struct sim_timer *)t->object)->expired;
}

void sim_timer_read(struct sim_timer *t)
{
	static const struct sim_op call = {
		.op = CHESS_OP_READ, .flags = CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK,
		.nr = SYS_read,
	};
	struct sim *s = sim_now;

	sim_point(s, &(struct sim_at){
		.op = &call, .kind = CHESS_OBJECT_FD, .number = 3, .caller = SIM_CALLER,
	});
	sim_await_call(s, has_expired, t);
	t->expired = 0;
}

/* The timer goes off. */
void sim_timer_fire(struct sim *s)
{
	struct sim_timer *timer = s->timer;
	size_t i;

	if (s->now < s->timer_at)
		s->now = s->timer_at;
	s->timer = NULL;
	timer->expired++;
	sim_push(s, &(struct chess_event){
		.type = CHESS_EVENT_TIMER,
		.object_kind = CHESS_OBJECT_TIME,
		.task = s->timer_task,
		.chosen = CHESS_TASK_NONE,
		.object = s->now,
	});
	for (i = 0; i < s->n_tasks; i++)
		if (chess_set_has(&s->queued, i) && s->task[i]->queue == timer)
			sim_wake_by(s, s->task[i], CHESS_TASK_NONE);
}
