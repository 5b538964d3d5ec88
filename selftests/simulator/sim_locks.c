// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks of the user-space model. A lock that is given back goes to nobody: the task
 * that has waited longest is woken and tries again, and may find it taken, as with
 * a futex. The word of the C library's mutex says whether tasks may wait: one that waits, or has
 * waited, notes that when it tries, and to unlock removes the note. Without it, none is woken.
 */
#include "sim_internal.h"

static bool is_free(const struct sim_task *t)
{
	return !((const struct sim_mutex *)t->object)->owner;
}

/* Of the task that runs. */
static bool try(const struct sim_task *t)
{
	struct sim_mutex *m = (struct sim_mutex *)t->object;

	if (!m->owner)
		return true;
	m->noted = true;
	sim_now->token->has_waited = true;
	return false;
}

static void own(struct sim *s, struct sim_mutex *m, bool note)
{
	m->owner = s->token->id + 1;
	m->noted = note;
}

/* Return: false: too late */
static bool take(enum sim_function f, struct sim_mutex *m, const void *caller)
{
	struct sim *s = sim_now;

	s->token->has_waited = false;
	if (!sim_take(f, m, s->opts.enabled == SIM_CHESS ? is_free : try, caller))
		return false;
	own(s, m, s->token->has_waited);
	return true;
}

void sim_lock(struct sim_mutex *m)
{
	take(SIM_MUTEX_LOCK, m, SIM_CALLER);
}

bool sim_trylock(struct sim_mutex *m)
{
	sim_touch(&sim_function[SIM_MUTEX_TRYLOCK], m, SIM_CALLER);
	if (m->owner)
		return false;
	own(sim_now, m, false);
	return true;
}

bool sim_timedlock(struct sim_mutex *m)
{
	return take(SIM_MUTEX_TIMEDLOCK, m, SIM_CALLER);
}

static void give_back(struct sim *s, struct sim_mutex *m)
{
	sim_assert(m->owner == (int)s->token->id + 1);
	m->owner = 0;
	if (m->noted)
		sim_wake_one(s, m);
	m->noted = false;
}

void sim_unlock(struct sim_mutex *m)
{
	sim_touch(&sim_function[SIM_MUTEX_UNLOCK], m, SIM_CALLER);
	give_back(sim_now, m);
}

static bool may_read(const struct sim_task *t)
{
	return !((const struct sim_rwlock *)t->object)->writer;
}

static bool may_write(const struct sim_task *t)
{
	const struct sim_rwlock *l = t->object;

	return !l->writer && !l->readers;
}

void sim_rdlock(struct sim_rwlock *l)
{
	sim_take(SIM_RDLOCK, l, may_read, SIM_CALLER);
	l->readers++;
}

void sim_wrlock(struct sim_rwlock *l)
{
	sim_take(SIM_WRLOCK, l, may_write, SIM_CALLER);
	l->writer = sim_self() + 1;
}

/* All are woken: were it the first only, a writer, readers after it could wait for
 * a lock that others read.
 */
void sim_rwunlock(struct sim_rwlock *l)
{
	sim_touch(&sim_function[SIM_RWUNLOCK], l, SIM_CALLER);
	sim_assert(l->writer ? l->writer == sim_self() + 1 : l->readers > 0);
	if (l->writer)
		l->writer = 0;
	else
		l->readers--;
	if (!l->readers)
		sim_wake_all(sim_now, l);
}

/* SIM_CHESS: signalled, and the mutex is free. */
static bool may_return(const struct sim_task *t)
{
	return !t->queue && is_free(t);
}

/*
 * SIM_CHESS: the wait is a point of its own, since the task gives back the mutex
 * before it, and there is no other way to say that it is not enabled.
 */
static bool wait_at_gate(struct sim *s, struct sim_at *at, struct sim_mutex *m, bool timed)
{
	struct sim_task *t = s->token;

	at->op = &sim_function[timed ? SIM_COND_TIMEDWAIT : SIM_COND_WAIT];
	at->gate = timed ? is_free : may_return;
	at->watch = m;
	sim_point(s, at);
	if (!t->queue)
		return true;
	sim_unqueue(s, t);
	return false;
}

/* After a signal the wait goes on, and what was signalled meanwhile is not lost. */
static void wait_in_kernel(struct sim *s, struct sim_cond *c, uint64_t deadline)
{
	struct sim_task *t = s->token;
	bool interrupted;

	do {
		sim_block(s, c, deadline);
		interrupted = t->queue;
		if (sim_take_signals(s) && interrupted)
			sim_futex_point(s);
	} while (t->queue);
}

static bool cond_wait(struct sim_cond *c, struct sim_mutex *m, bool timed, const void *caller)
{
	struct sim *s = sim_now;
	struct sim_task *t = s->token;
	struct sim_at at = { .object = c, .second = m, .caller = caller };
	bool chess = s->opts.enabled == SIM_CHESS;
	bool signalled;

	at.op = &sim_function[timed && !chess ? SIM_COND_TIMEDWAIT : SIM_COND_WAIT];
	sim_point(s, &at);
	give_back(s, m);
	if (chess) {
		sim_queue(s, t, c);
		signalled = wait_at_gate(s, &at, m, timed);
	} else {
		wait_in_kernel(s, c, timed ? s->now + SIM_TIMEOUT : 0);
		signalled = !t->timed_out;
		sim_await(s, try, m, 0);
	}
	own(s, m, true);
	return signalled;
}

void sim_wait(struct sim_cond *c, struct sim_mutex *m)
{
	cond_wait(c, m, false, SIM_CALLER);
}

bool sim_timedwait(struct sim_cond *c, struct sim_mutex *m)
{
	return cond_wait(c, m, true, SIM_CALLER);
}

void sim_signal(struct sim_cond *c)
{
	sim_touch(&sim_function[SIM_COND_SIGNAL], c, SIM_CALLER);
	sim_wake_one(sim_now, c);
}

void sim_broadcast(struct sim_cond *c)
{
	sim_touch(&sim_function[SIM_COND_BROADCAST], c, SIM_CALLER);
	sim_wake_all(sim_now, c);
}
