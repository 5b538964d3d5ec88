/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the reductions share; who searches sees reduce.h only.
 *
 * reduce.c	is a way wanted? By the digest of what is behind it, and by who sleeps
 * digest.c	of what was done in a prefix, in the order of dependent ops
 * sleepers.c	who sleeps
 */
#ifndef CHESSCTL_REDUCE_INTERNAL_H
#define CHESSCTL_REDUCE_INTERNAL_H

#include "record/depend.h"
#include "search/reduce.h"
#include "search/visited.h"
#include "search/windows.h"

/**
 * struct chess_reduce_task - of the run that is read
 * @op: at its point, or in the kernel
 * @steps: it took
 * @place: hash of the point it is at
 * @trying: it has begun with @op; when its next event is no block, @op is done
 */
struct chess_reduce_task {
	struct chess_op op;
	uint32_t steps;
	uint64_t place;
	bool trying;
};

/**
 * struct chess_reduce_object - what was done to it in the run that is read
 * @name: the step that wrote it first; valid if there was a write
 * @writes: how many
 * @owner: task that has it, plus one
 */
struct chess_reduce_object {
	uint64_t name;
	uint32_t writes;
	uint32_t owner;
};

/* Who waits for an op that changed nothing. */
struct chess_reduce_waiter {
	uint16_t task;
	uint32_t object;
};

/* Tasks, in no order but always the same one. */
struct chess_reduce_sleepers {
	uint16_t *task;
	size_t n;
};

/**
 * struct chess_reduce - reductions of one search
 * @flags: enum chess_reduction, those asked for
 * @costs: what ways cost
 * @visited: what is behind these keys was looked at, or waits to be
 * @flaw: why the reductions cannot be trusted, or NULL
 * @hb, @sleep: ways not taken because of them
 * @record: the run that is read
 * @depend: of it
 * @task: by id, @task_room of them
 * @object: by index, @object_room of them
 * @digest: of the steps so far
 * @all: digest at the last step that depends on everything
 * @ends: sum over the steps that end a thread
 * @joins: sum over those that wait for an end
 * @waiter: in the order in which they began to wait, @waiters of them
 * @waiting: hash of that
 * @fine: a yield orders nothing: @windows tell what it does to fairness
 * @yielded: somebody did in this run
 * @places: sum over tasks of where they are
 * @left_out: those whom fairness leaves out at the next decision, as the record says
 * @windows: what fairness knows
 * @row_task: who was at the last point, and at @row points in a row
 * @asleep: behind the last step
 * @next: scratch: behind another one
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
	struct chess_windows windows;
	uint32_t row_task, row;
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
int chess_reduce_read_point(struct chess_reduce *d, const struct chess_event *e);
void chess_reduce_read_wake(struct chess_reduce *d, const struct chess_event *e);
uint64_t chess_reduce_hash_step(const struct chess_reduce *d, uint16_t task,
				const struct chess_op *op);
bool chess_reduce_is_in_vain(const struct chess_reduce *d, size_t i, const struct chess_op *op);
void chess_reduce_take_step(struct chess_reduce *d, uint16_t task, const struct chess_op *op);

/* sleepers.c */
void chess_reduce_find_sleepers(struct chess_reduce *d, size_t i, uint16_t chosen,
				 const struct chess_op *op);
bool chess_reduce_sleeps(const struct chess_reduce *d, uint16_t task);

#endif /* CHESSCTL_REDUCE_INTERNAL_H */
