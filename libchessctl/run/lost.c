// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lost wake-ups: signals of what a task waits for that came before it did, when nobody
 * waited. From the record, as holders.c, which says who could still end a wait.
 */
#include <errno.h>
#include <stdlib.h>

#include "wait/holders.h"
#include "internal.h"

/* Of the objects that a task waits in, and who signals them. */
static bool is_signal(const struct chess_event *e)
{
	return e->flags & CHESS_OPF_PROBE ?
		e->op == CHESS_OP_COND_SIGNAL || e->op == CHESS_OP_COND_BROADCAST :
		e->op == CHESS_OP_FUTEX_WAKE;
}

static bool is_wait(const struct chess_event *e)
{
	return e->flags & CHESS_OPF_PROBE ? e->op == CHESS_OP_COND_WAIT :
					    e->op == CHESS_OP_FUTEX_WAIT;
}

/* Is somebody in a wait for the object of @e? Whoever is woken may still be on its way out. */
static bool has_waiter(const struct chess_event *const *in, size_t tasks,
		       const struct chess_event *e)
{
	size_t t;

	for (t = 0; t < tasks; t++)
		if (in[t] && is_wait(in[t]) && in[t]->object_kind == e->object_kind &&
		    in[t]->object == e->object)
			return true;
	return false;
}

/* Nobody was woken: the kernel says so of a futex, the record of a condition. */
static bool is_lost(const struct chess_event *const *in, size_t tasks, const struct chess_event *e)
{
	if (!(e->flags & CHESS_OPF_PROBE) && e->result)
		return false;
	return !has_waiter(in, tasks, e);
}

int chess_record_lost_signals(const struct chess_record *r, uint32_t seq, size_t *n,
			      uint32_t *last)
{
	const struct chess_event *wait = seq && seq <= chess_record_length(r) ?
		chess_record_event(r, seq - 1) : NULL;
	size_t tasks = chess_record_tasks(r), i;
	const struct chess_event **next, **in;
	uint32_t process;
	int ret = 0;

	*n = 0;
	*last = 0;
	if (!wait || wait->type != CHESS_EVENT_POINT || !is_wait(wait))
		return 0;
	process = chess_holders_fork_of(r, wait->task);
	next = calloc(tasks + 1, sizeof(*next));
	in = calloc(tasks + 1, sizeof(*in));
	if (!next || !in)
		ret = chess_set_error(ENOMEM, "no memory to look for lost signals");
	for (i = 0; !ret && i + 1 < seq; i++) {
		const struct chess_event *e = chess_record_event(r, i), *done;

		if (e->type == CHESS_EVENT_POINT && e->task < tasks) {
			next[e->task] = e;
			in[e->task] = NULL;
		}
		/* What was at an address is not there any more. */
		if (e->type == CHESS_EVENT_EXEC && chess_holders_fork_of(r, e->task) == process)
			*n = 0;
		if (!CHESS_EVENT_IS_DECISION(e->type) || e->chosen >= tasks || !next[e->chosen])
			continue;
		/* The op at a point is done when the task goes on from there. */
		done = next[e->chosen];
		next[e->chosen] = NULL;
		in[e->chosen] = done;
		if (!is_signal(done) || done->object_kind != wait->object_kind ||
		    done->object != wait->object || !is_lost(in, tasks, done) ||
		    chess_holders_fork_of(r, done->task) != process)
			continue;
		(*n)++;
		*last = done->seq;
	}
	free(next);
	free(in);
	return ret;
}
