// SPDX-License-Identifier: GPL-2.0-only
/*
 * Semaphores, barriers, Win32's events and variables of the user-space model. Who
 * is woken looks again, as with a futex: it may find that another one was faster.
 */
#include "sim_internal.h"

static bool has_value(const struct sim_task *t)
{
	return ((const struct sim_sem *)t->object)->value > 0;
}

void sim_sem_wait(struct sim_sem *s)
{
	sim_take(SIM_SEM_WAIT, s, has_value, SIM_CALLER);
	s->value--;
}

bool sim_sem_trywait(struct sim_sem *s)
{
	sim_touch(&sim_function[SIM_SEM_TRYWAIT], s, SIM_CALLER);
	if (s->value <= 0)
		return false;
	s->value--;
	return true;
}

void sim_sem_post(struct sim_sem *s)
{
	sim_touch(&sim_function[SIM_SEM_POST], s, SIM_CALLER);
	s->value++;
	sim_wake_one(sim_now, s);
}

static bool round_is_over(const struct sim_task *t)
{
	return ((const struct sim_barrier *)t->object)->round != t->round;
}

/* Under SIM_CHESS the wait of all but the last is a point of its own. */
void sim_barrier_wait(struct sim_barrier *b)
{
	struct sim *s = sim_now;
	struct sim_at at = {
		.op = &sim_function[SIM_BARRIER_WAIT], .object = b, .caller = SIM_CALLER,
	};

	sim_point(s, &at);
	s->token->round = b->round;
	if (++b->waiting == b->needed) {
		b->waiting = 0;
		b->round++;
		sim_wake_all(s, b);
		return;
	}
	if (s->opts.enabled == SIM_CHESS) {
		at.gate = round_is_over;
		at.watch = b;
		sim_point(s, &at);
	}
	sim_await(s, round_is_over, b, 0);
}

static const struct sim_op event_set = {
	.op = CHESS_OP_CUSTOM, .flags = CHESS_OPF_PROBE | CHESS_OPF_WRITE | CHESS_OPF_RELEASE,
};

static const struct sim_op event_reset = {
	.op = CHESS_OP_CUSTOM, .flags = CHESS_OPF_PROBE | CHESS_OPF_WRITE,
};

void sim_event_set(struct sim_event *e)
{
	sim_touch(&event_set, e, SIM_CALLER);
	e->set = true;
	if (e->manual)
		sim_wake_all(sim_now, e);
	else
		sim_wake_one(sim_now, e);
}

void sim_event_reset(struct sim_event *e)
{
	sim_touch(&event_reset, e, SIM_CALLER);
	e->set = false;
}

static bool is_set(const struct sim_task *t)
{
	return ((const struct sim_event *)t->object)->set;
}

/* To wait for a manual one changes nothing. */
static bool event_wait(struct sim_event *e, bool timed, const void *caller)
{
	struct sim_op op = {
		.op = CHESS_OP_CUSTOM, .flags = CHESS_OPF_PROBE | CHESS_OPF_MAY_BLOCK,
	};
	struct sim *s = sim_now;

	if (!e->manual)
		op.flags |= CHESS_OPF_WRITE;
	if (timed)
		op.flags |= CHESS_OPF_YIELD;
	sim_point(s, &(struct sim_at){
		.op = &op, .object = e, .gate = timed ? NULL : is_set, .watch = e,
		.caller = caller,
	});
	if (!sim_await(s, is_set, e, timed ? s->now + SIM_TIMEOUT : 0))
		return false;
	if (!e->manual)
		e->set = false;
	return true;
}

void sim_event_wait(struct sim_event *e)
{
	event_wait(e, false, SIM_CALLER);
}

bool sim_event_timedwait(struct sim_event *e)
{
	return event_wait(e, true, SIM_CALLER);
}
