/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of the fair scheduler at a decision of a run, from its record: Algorithm 1 of
 * Musuvathi and Qadeer, Fair Stateless Model Checking (PLDI'08), of which the module says
 * only which tasks it leaves out. Two prefixes that agree in this and in where the program is
 * continue alike, whatever the order of their yields was.
 *
 * A window of a task begins after its yield and ends with its next one.
 */
#ifndef CHESSCTL_WINDOWS_H
#define CHESSCTL_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "chessctl/chessctl.h"

#define CHESS_WINDOWS_TASKS	64

/**
 * struct chess_window - of a task, in the paper's letters
 * @stepped: S: tasks that took a step in it
 * @before: P: tasks that go before this one while they are enabled
 * @enabled: E: tasks enabled all the time since it began
 * @disabled: D: tasks disabled by a step of the task in it
 * @yields: of the task, since the last one that counted
 */
struct chess_window {
	uint64_t stepped, before, enabled, disabled;
	uint32_t yields;
};

/**
 * struct chess_windows - of a run; each task is a bit
 * @window: by task; valid if it is in @open or has yielded
 * @every: which yields of a task count; 0: none, nothing is fair
 * @open: tasks that have a window
 * @yielded: those that yielded, whether or not it counted
 * @enabled: at the last decision
 * @holder: whose step it was that led to the next one
 * @passes: that step was its deadline passing
 */
struct chess_windows {
	struct chess_window window[CHESS_WINDOWS_TASKS];
	uint32_t every;
	uint64_t open, yielded, enabled;
	uint16_t holder;
	bool passes;
};

void chess_windows_reset(struct chess_windows *w, uint32_t every);
void chess_windows_read(struct chess_windows *w, const struct chess_record *r, size_t i);
void chess_windows_go_on(struct chess_windows *w, uint16_t task, bool passes);
uint64_t chess_windows_left_out(const struct chess_windows *w);
uint64_t chess_windows_hash(const struct chess_windows *w, uint64_t task, uint64_t lost);
uint64_t chess_windows_state(const struct chess_windows *w);

/**
 * chess_windows_holds() - might a task that is enabled later have to go first?
 * @w: windows of the run
 * @task: the task before which it would go
 *
 * Return: whether there is one.
 */
static inline bool chess_windows_holds(const struct chess_windows *w, unsigned int task)
{
	return (w->open >> task & 1) && w->window[task].before;
}

#endif /* CHESSCTL_WINDOWS_H */
