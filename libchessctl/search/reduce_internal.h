/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the reductions share; users of the reductions see reduce.h only.
 *
 * reduce.c	is a way needed? By the digest of what follows it, and by which tasks sleep
 * digest.c	of what was done in a prefix, in the order of dependent ops
 * sleepers.c	which tasks sleep
 */
#ifndef CHESSCTL_REDUCE_INTERNAL_H
#define CHESSCTL_REDUCE_INTERNAL_H

#include "record/depend.h"
#include "record/rows.h"
#include "search/reduce.h"
#include "search/visited.h"
#include "search/windows.h"

/**
 * struct chess_reduce_task - a task of the run being read
 * @op: at its point, or in the kernel
 * @steps: number of steps that it took
 * @place: hash of the point it is at
 * @trying: it has begun with @op; when its next event is no block, @op is done
 * @woken: since it began with @op
 */
struct chess_reduce_task {
	struct chess_op op;
	uint32_t steps;
	uint64_t place;
	bool trying, woken;
};

/**
 * struct chess_reduce_object - what was done to an object in the run being read
 * @name: the step that first wrote the object; valid if there was a write
 * @writes: number of writes
 * @owner: task that has it, and gives it back in this run, plus one
 * @noted: a mutex: who gives it back looks for tasks that wait for it (naming.c says when)
 */
struct chess_reduce_object {
	uint64_t name;
	uint32_t writes;
	uint32_t owner;
	bool noted;
};

/* A task that waits after an op that changed nothing. */
struct chess_reduce_waiter {
	uint16_t task;
	uint32_t object;
};

/* A set of tasks; the order in it has no meaning, but is always the same. */
struct chess_reduce_sleepers {
	uint16_t *task;
	size_t n;
};

/**
 * struct chess_reduce - reductions of one search
 * @flags: enum chess_reduction, those requested
 * @costs: what ways cost
 * @visited: keys after which all ways were taken, or wait to be
 * @flaw: why the reductions cannot be trusted, or NULL
 * @hb, @sleep: ways not taken because of them
 * @record: the run being read
 * @depend: of it
 * @task: by id, @task_room of them
 * @object: by index, @object_room of them
 * @digest: of the steps so far
 * @all: digest at the last step that depends on everything
 * @ends: sum over the steps that end a thread
 * @joins: sum over those that wait for an end
 * @waiter: tasks in the order in which they began to wait, @waiters of them
 * @waiting: hash of the waiters
 * @fine: a yield orders nothing: @windows have its effect on fairness
 * @yielded: a task yielded in this run
 * @places: sum over tasks of where they are
 * @left_out: tasks that fairness leaves out at the next decision, as the record says
 * @windows: the state of fairness
 * @row: points in a row up to the last one
 * @asleep: tasks asleep after the last step
 * @next: scratch: those asleep after another step
 * @visit: what is known of the key of the last step, or NULL
 */
struct chess_reduce {
	unsigned int flags;
	enum chess_reduce_costs costs;
	struct chess_visited *visited;
	char *flaw;
	uint64_t hb, sleep;

	const struct chess_record *record;
	struct chess_depend depend;
	struct chess_reduce_task *task;
	size_t task_room;
	struct chess_reduce_object *object;
	size_t object_room;
	uint64_t digest, all, ends, joins, places, left_out;
	struct chess_reduce_waiter *waiter;
	size_t waiters;
	uint64_t waiting;
	bool fine, yielded;
	bool signals;		/* in this run, or in one before it */
	struct chess_windows windows;
	struct chess_row row;
	struct chess_reduce_sleepers asleep, next;
	struct chess_visit *visit;
};

/* reduce.c */
void chess_reduce_note_flaw(struct chess_reduce *d, const char *what);
bool chess_reduce_any_order(const struct chess_reduce *d);

/* digest.c */
void chess_reduce_order_all(struct chess_reduce *d, uint64_t what);
void chess_reduce_begin_to_wait(struct chess_reduce *d, uint16_t task);
void chess_reduce_end_to_wait(struct chess_reduce *d, uint16_t task);
bool chess_reduce_lacks_note(const struct chess_reduce *d, uint32_t lock);
int chess_reduce_read_point(struct chess_reduce *d, size_t at);
void chess_reduce_read_wake(struct chess_reduce *d, size_t at);
uint64_t chess_reduce_hash_step(const struct chess_reduce *d, uint16_t task,
				const struct chess_op *op);
bool chess_reduce_is_in_vain(const struct chess_reduce *d, size_t i, const struct chess_op *op);
void chess_reduce_take_step(struct chess_reduce *d, uint16_t task, const struct chess_op *op);

/* sleepers.c */
void chess_reduce_find_sleepers(struct chess_reduce *d, size_t i, uint16_t chosen,
				 const struct chess_op *op);
bool chess_reduce_sleeps(const struct chess_reduce *d, uint16_t task);

#endif /* CHESSCTL_REDUCE_INTERNAL_H */
