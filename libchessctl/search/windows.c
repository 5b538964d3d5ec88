// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See windows.h. A task without a window leaves out nothing: of the sets with which the paper
 * starts (lines 1 to 4) it matters only that no task is in E or D and not in S.
 */
#include <string.h>

#include "internal.h"
#include "mix.h"
#include "record/decision.h"
#include "search/windows.h"

#define BIT(task)	(1ULL << (task))

/* For each task of @set, lowest first. */
#define FOR_EACH(task, set, rest)						\
	for (rest = (set); rest && (task = __builtin_ctzll(rest), true); rest &= rest - 1)

/**
 * chess_windows_reset() - a run begins
 * @w: its windows
 * @every: which yields of a task count: each @every-th; 0: none
 */
void chess_windows_reset(struct chess_windows *w, uint32_t every)
{
	w->every = every;
	w->open = 0;
	w->yielded = 0;
	w->enabled = 0;
	w->holder = 0;
	w->passes = false;
}

/* A task takes a step. */
static void step(struct chess_windows *w, unsigned int task)
{
	unsigned int t;
	uint64_t rest;

	FOR_EACH(t, w->open, rest) {
		w->window[t].before &= ~BIT(task);
		w->window[t].stepped |= BIT(task);
	}
}

/* The set of enabled tasks may have changed, by a step of task @by. */
static void arrive(struct chess_windows *w, unsigned int by, uint64_t enabled)
{
	uint64_t lost = w->enabled & ~enabled, rest;
	unsigned int t;

	w->enabled = enabled;
	if (!lost)
		return;
	FOR_EACH(t, w->open, rest)
		w->window[t].enabled &= ~lost;
	if (w->open & BIT(by))
		w->window[by].disabled |= lost;
}

/* A task yields after its step; @enabled are enabled then. */
static void yield(struct chess_windows *w, unsigned int task, uint64_t enabled)
{
	struct chess_window *own = &w->window[task];

	if (!w->every)
		return;
	if (!(w->yielded & BIT(task)))
		memset(own, 0, sizeof(*own));
	w->yielded |= BIT(task);
	step(w, task);
	if (++own->yields < w->every)
		return;
	own->yields = 0;
	if (w->open & BIT(task))
		own->before |= (own->enabled | own->disabled) & ~own->stepped;
	w->open |= BIT(task);
	own->enabled = enabled;
	own->disabled = 0;
	own->stepped = 0;
}

/* A task is gone. */
static void forget(struct chess_windows *w, unsigned int task)
{
	unsigned int t;
	uint64_t rest;

	w->open &= ~BIT(task);
	w->yielded &= ~BIT(task);
	FOR_EACH(t, w->open, rest) {
		w->window[t].before &= ~BIT(task);
		w->window[t].stepped &= ~BIT(task);
		w->window[t].enabled &= ~BIT(task);
		w->window[t].disabled &= ~BIT(task);
	}
}

/* The tasks enabled when the deadline of event @i had passed: later deadlines had not. */
static uint64_t enabled_behind(const struct chess_record *r, size_t i)
{
	const struct chess_event *e;
	uint64_t later = 0;

	while ((e = chess_record_event(r, ++i)) && !CHESS_EVENT_IS_DECISION(e->type))
		if (e->type == CHESS_EVENT_TIMEOUT)
			later |= BIT(e->task);
	return e ? e->enabled & ~later : 0;
}

/* A chosen deadline passes before anything is done, others after something was. */
static void read_timeout(struct chess_windows *w, const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);
	bool chosen = w->passes && e->task == w->holder;

	w->passes = false;
	arrive(w, w->holder, chosen ? w->enabled | BIT(e->task) : enabled_behind(r, i));
	yield(w, e->task, w->enabled);
}

/**
 * chess_windows_read() - take in the next event
 * @w: windows of the run
 * @r: its record
 * @i: index of the event; each has to be handed in, in their order
 */
void chess_windows_read(struct chess_windows *w, const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (!w->every)
		return;
	if (e->type == CHESS_EVENT_TIMEOUT)
		read_timeout(w, r, i);
	if (!chess_event_decides(e) || !CHESS_EVENT_IS_TURN(e->type))
		return;
	arrive(w, w->holder, e->enabled);
	if (e->type == CHESS_EVENT_EXIT)
		forget(w, e->task);
	if (chess_event_gives_way(e))
		yield(w, e->task, e->enabled);
}

/**
 * chess_windows_go_on() - the chosen task takes a step
 * @w: windows of the run
 * @task: the task
 * @passes: because its deadline passes
 */
void chess_windows_go_on(struct chess_windows *w, uint16_t task, bool passes)
{
	w->holder = task;
	w->passes = passes;
	if (w->every)
		step(w, task);
}

/**
 * chess_windows_left_out() - which tasks have to let others go first
 * @w: windows of the run
 *
 * Return: those of the tasks enabled at the last decision.
 */
uint64_t chess_windows_left_out(const struct chess_windows *w)
{
	uint64_t out = 0, rest;
	unsigned int t;

	FOR_EACH(t, w->open & w->enabled, rest)
		if (w->window[t].before & w->enabled)
			out |= BIT(t);
	return out;
}

/**
 * chess_windows_hash() - what matters for later decisions, after one more step
 * @w: windows of the run
 * @task: the task that will take that step, a bit; 0: no step
 * @lost: tasks that this step disables
 *
 * Which tasks stepped in a window does not affect its E and D, and a task has always stepped
 * when its own window ends. What was disabled by the window's task stays disabled.
 *
 * Return: the hash; 0 where no task has a window.
 */
uint64_t chess_windows_hash(const struct chess_windows *w, uint64_t task, uint64_t lost)
{
	uint64_t h = 0, stepped, disabled, enabled, rest;
	unsigned int t;

	FOR_EACH(t, w->open, rest) {
		const struct chess_window *at = &w->window[t];

		stepped = at->stepped | task | BIT(t);
		disabled = (at->disabled | (task == BIT(t) ? lost : 0)) & ~stepped;
		enabled = at->enabled & ~(lost | stepped | disabled);
		h = chess_mix(chess_mix(h, t + 1), stepped);
		h = chess_mix(chess_mix(h, at->before & ~task), disabled);
		h = chess_mix(h, enabled);
	}
	return h;
}

/**
 * chess_windows_state() - all that matters for later decisions
 * @w: windows of the run
 *
 * chess_windows_hash() is used where the steps of each task are known as well, so it need not
 * include how many yields are left until one counts.
 *
 * Return: a hash of it.
 */
uint64_t chess_windows_state(const struct chess_windows *w)
{
	uint64_t h = chess_windows_hash(w, 0, 0), rest;
	unsigned int t;

	FOR_EACH(t, w->every > 1 ? w->yielded : 0, rest)
		h = chess_mix(chess_mix(h, t + 1), w->window[t].yields);
	return h;
}
