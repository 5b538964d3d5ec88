/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The steps of a run and which of them are ordered: dpor.c uses it.
 */
#ifndef CHESSCTL_HAPPENS_H
#define CHESSCTL_HAPPENS_H

#include "chessctl/chessctl.h"
#include "record/depend.h"

/**
 * struct chess_step - what a task did between two decisions
 * @event: index of the decision at which it was chosen
 * @decision: its number
 * @task: the task that took it
 * @op: what it did; it depends on everything where more happened than its op says
 * @waker: number of the step that enabled it, or CHESS_NO_STEP
 * @vain: it found out that it has to wait, and has changed nothing by that
 * @moot: as if it had not been taken (moot.c)
 * @missed: it was not taken: the step before it ended the task. It has no event
 * @idle: part of a turn of a loop that waits, which has changed nothing and is left out (awaits.h)
 * @turned: part of a turn of several accesses after which such a loop goes on
 * @spent: the task stands at a loop for good, as far as this run is read: @idle, or the run is cut
 * @waits: when it was taken, or the run ended, nothing had been written since the turn before
 * @since: the step that was the turn before; CHESS_NO_STEP: it is not at such an access
 * @turn: the first step of the turn before, which had several accesses, and no more than it need
 *	be taken; else CHESS_NO_STEP
 */
struct chess_step {
	size_t event;
	uint32_t decision;
	uint32_t waker, since, turn;
	uint16_t task;
	bool vain, moot, missed, idle, waits, turned, spent;
	struct chess_op op;
};

#define CHESS_NO_STEP	UINT32_MAX

/**
 * struct chess_happens - a run
 * @record: it
 * @tasks: in it
 * @decisions: in it
 * @step: in their order, @n of them; from @done on those that tasks were about to take when
 *	the run ended
 * @cut: the first step that shows nothing new; those from there on are in no race
 * @yields: the first step that a task took to a yield, or at one
 * @clock: of step s at @tasks times s: by task the number of its last step that is ordered
 *	before, or is, this one, plus one
 * @last: by object and task: its last write and its last read, plus one
 * @conflict: by task and other task: the other's last step that depends on the task's next one,
 *	when that was known, plus one
 * @pred: the steps that step number @at comes directly after, @preds of them; the first
 *	@own_preds are its task's previous step and the one that enabled the task
 * @awaits: turns of loops that wait are left out (awaits.h)
 * @bounded: schedules have a bound of preemptions
 * @flaw: a sign that steps depend on each other where their ops do not; NULL: none was seen
 */
struct chess_happens {
	const struct chess_record *record;
	size_t tasks, decisions;
	struct chess_step *step;
	size_t n, done, cut, yields, room;
	uint32_t *clock;
	size_t clock_room;
	struct chess_depend depend;
	struct chess_happens_task *task;
	size_t task_room;
	struct chess_happens_object *object;
	size_t object_room;
	uint32_t *read;
	size_t read_room;
	uint32_t *next;
	size_t next_room;
	uint32_t *last, *conflict;
	size_t last_room, conflict_room;
	uint32_t *pred;
	size_t preds, own_preds, at, pred_room;
	bool awaits, bounded;
	char *flaw;
};

/* Return: 0 or negative errno */
typedef int chess_happens_race(void *arg, size_t first, size_t second);

int chess_happens_read(struct chess_happens *h, const struct chess_record *r);
int chess_happens_races(struct chess_happens *h, size_t from, chess_happens_race *race,
			void *arg);
int chess_happens_conflicts(struct chess_happens *h, size_t from, chess_happens_race *race,
			    void *arg);
size_t chess_happens_ready(const struct chess_happens *h);
void chess_happens_find_moot(struct chess_happens *h);
size_t chess_happens_first(const struct chess_happens *h, size_t task);
size_t chess_happens_next(const struct chess_happens *h, size_t task, size_t step);
bool chess_happens_begins(const struct chess_happens *h, size_t first, size_t y);
void chess_happens_free(struct chess_happens *h);

/* Is step @x ordered before step @y? */
static inline bool chess_happens_before(const struct chess_happens *h, size_t x, size_t y)
{
	return x != y && h->clock[y * h->tasks + h->step[x].task] > x;
}

#endif /* CHESSCTL_HAPPENS_H */
