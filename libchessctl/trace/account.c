// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One account of a run, from its trace and nothing else. The rules by which a death decides are
 * those of verdict.c, which are in deaths.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "internal.h"
#include "run/deaths.h"

const struct chess_event *chess_record_goes_on(const struct chess_record *r, size_t i,
					       uint16_t task)
{
	const struct chess_event *e = chess_record_last_point(r, i, task);
	size_t n = chess_record_length(r);

	/* A task that has had no point yet is known by its first one. */
	for (i++; !e && i < n; i++) {
		const struct chess_event *next = chess_record_event(r, i);

		if (next->type == CHESS_EVENT_POINT && next->task == task)
			e = next;
	}
	return e;
}

bool chess_record_is_spurious(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	/* It stands between the decision and TIMEOUT. */
	if (e && e->type != CHESS_EVENT_SPURIOUS)
		e = chess_record_event(r, e->type == CHESS_EVENT_TIMEOUT ? i - 1 : i + 1);
	return e && e->type == CHESS_EVENT_SPURIOUS && e->chosen == CHESS_ENDS_FOR_NOTHING;
}

const struct chess_event *chess_record_starved_at(const struct chess_record *r,
						  const struct chess_cycle *cycle)
{
	return cycle->starved < 0 ? NULL :
				    chess_record_last_point(r, cycle->first, cycle->starved);
}

/* Index of the event in which @task ended, the last one; SIZE_MAX: it did not. */
static size_t end_of(const struct chess_record *r, int task)
{
	size_t i = chess_record_length(r);

	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task == task &&
		    (e->type == CHESS_EVENT_EXIT || e->type == CHESS_EVENT_KILLED))
			return i;
	}
	return SIZE_MAX;
}

static bool is_partial(const struct chess_trace *t)
{
	size_t i = chess_record_length(t->record);

	if (t->verdict != CHESS_VERDICT_DEADLOCK)
		return false;
	while (i--) {
		const struct chess_event *e = chess_record_event(t->record, i);

		if (CHESS_EVENT_IS_DECISION(e->type))
			return e->chosen != CHESS_TASK_NONE;
	}
	return false;
}

static void find_end(const struct chess_trace *t, struct chess_account *a)
{
	struct chess_expect x = { 0 };
	unsigned int expected;
	/* Where the search ended the run, the root's status says nothing. */
	bool ours = (t->verdict == CHESS_VERDICT_DEADLOCK && t->n_waits) ||
		    t->verdict == CHESS_VERDICT_LIVELOCK || t->verdict == CHESS_VERDICT_TIMEOUT;
	int root = ours ? 0 : t->status;

	if (t->expect && chess_expect_read(&x, t->expect))
		x = (struct chess_expect){ 0 };
	a->bad_status = root;
	a->bad_task = chess_deciding_death(t->record, &x, root, &a->bad_status, &expected);
	a->died = a->bad_task < 0 ? SIZE_MAX : end_of(t->record, a->bad_task);
	a->complained = chess_verdict_is_bug(t->verdict) &&
			chess_complaint_of(t->err, &x, t->verdict, a->bad_status, &a->complaint);
	a->root_ended = end_of(t->record, 0) != SIZE_MAX;
	a->partial = is_partial(t);
}

static void describe(const struct chess_record *r, size_t at, struct chess_account_preemption *p)
{
	const struct chess_event *e = chess_record_event(r, at), *next = e;
	size_t i = at;

	*p = (struct chess_account_preemption){
		.at = at, .before = at, .other = e->task, .chosen = e->chosen,
		.early = e->flags & CHESS_OPF_EARLY,
		.for_nothing = chess_record_is_spurious(r, at),
	};
	if (e->type == CHESS_EVENT_EXPIRE) {
		while (next && !CHESS_EVENT_IS_TURN(next->type))
			next = chess_record_event(r, ++i);
		p->before = next ? i : SIZE_MAX;
		return;
	}
	if (e->type == CHESS_EVENT_SPURIOUS) {
		/* Its own deadline came next; a way to end is not a task. */
		p->chosen = e->task;
		p->kept = chess_record_goes_on(r, at, e->task);
	} else if (e->type == CHESS_EVENT_POINT) {
		p->kept = e;
	} else if (p->early) {
		p->other = chess_record_default(r, at);
		p->kept = p->other == CHESS_TASK_NONE ? NULL :
						       chess_record_goes_on(r, at, p->other);
	}
	p->instead = chess_record_goes_on(r, at, p->chosen);
}

static int find_preemptions(const struct chess_record *r, struct chess_account *a)
{
	size_t i, n = chess_record_length(r), total = 0;

	for (i = 0; i < n; i++) {
		total += chess_record_is_preemption(r, i);
		a->early |= (chess_record_event(r, i)->flags & CHESS_OPF_EARLY) &&
			    !chess_record_is_spurious(r, i);
	}
	a->preemptions = calloc(total + 1, sizeof(*a->preemptions));
	if (!a->preemptions)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		if (chess_record_is_preemption(r, i))
			describe(r, i, &a->preemptions[a->n_preemptions++]);
	return 0;
}

/**
 * chess_account_of() - work out what a trace says of its run
 * @t: the trace; it has to live as long as the account
 * @out: the account; chess_account_clear() frees what is in it
 *
 * Return: 0 or -ENOMEM.
 */
int chess_account_of(const struct chess_trace *t, struct chess_account *out)
{
	memset(out, 0, sizeof(*out));
	find_end(t, out);
	if (t->verdict == CHESS_VERDICT_LIVELOCK) {
		out->repeats = chess_record_cycle(t->record, &out->livelock);
		if (out->repeats)
			out->starved = chess_record_starved_at(t->record, &out->livelock);
	}
	out->cycle = calloc(t->n_waits + 1, sizeof(*out->cycle));
	if (!out->cycle || find_preemptions(t->record, out)) {
		chess_account_clear(out);
		return chess_set_error(ENOMEM, "no memory for the account of a run");
	}
	out->n_cycle = chess_waits_cycle(t->waits, t->n_waits, out->cycle);
	return 0;
}

/**
 * chess_account_clear() - free what an account has
 * @a: an account, or one that is all zero
 */
void chess_account_clear(struct chess_account *a)
{
	free(a->preemptions);
	free(a->cycle);
	memset(a, 0, sizeof(*a));
}
