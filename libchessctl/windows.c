// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See windows.h. A task without a window leaves out nothing: of the sets that the paper
 * starts with (lines 1 to 4) all that matters is that nobody is in E or D and not in S.
 */
#include <string.h>

#include "mix.h"
#include "windows.h"

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
}

/**
 * chess_windows_step() - a task takes a step
 * @w: windows of the run
 * @task: who goes on
 */
void chess_windows_step(struct chess_windows *w, unsigned int task)
{
	unsigned int t;
	uint64_t rest;

	FOR_EACH(t, w->open, rest) {
		w->window[t].before &= ~BIT(task);
		w->window[t].stepped |= BIT(task);
	}
}

/**
 * chess_windows_arrive() - who is enabled may have changed
 * @w: windows of the run
 * @by: whose step it was
 * @enabled: those who are now
 */
void chess_windows_arrive(struct chess_windows *w, unsigned int by, uint64_t enabled)
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

/**
 * chess_windows_yield() - a task yields behind its step
 * @w: windows of the run
 * @task: the task
 * @enabled: those who are enabled then
 */
void chess_windows_yield(struct chess_windows *w, unsigned int task, uint64_t enabled)
{
	struct chess_window *own = &w->window[task];

	if (!w->every)
		return;
	if (!(w->yielded & BIT(task)))
		memset(own, 0, sizeof(*own));
	w->yielded |= BIT(task);
	chess_windows_step(w, task);
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

/**
 * chess_windows_forget() - a task is gone
 * @w: windows of the run
 * @task: the task
 */
void chess_windows_forget(struct chess_windows *w, unsigned int task)
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

/**
 * chess_windows_left_out() - who has to let others go first
 * @w: windows of the run
 *
 * Return: them, of those enabled at the last decision.
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
 * chess_windows_hash() - what matters for later decisions, behind one more step
 * @w: windows of the run
 * @task: whose step it will be, a bit; 0: as it is
 * @lost: tasks that are enabled no more by it
 *
 * Who stepped in a window is of no account in E and D of it, and a task has always
 * stepped when its own window ends. What was disabled by the window's task stays so.
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
