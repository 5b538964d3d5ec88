/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of the steps of a run. A step is what a task does between two decisions. Its name says
 * what came before it: two steps with one name, of the same run or of two, come after the same
 * steps of their own task and of others that they depend on. Its key says, too, which tasks wait
 * for what it may give. predict.c uses both.
 */
#ifndef CHESSCTL_NAMING_H
#define CHESSCTL_NAMING_H

#include "chessctl/chessctl.h"
#include "record/depend.h"

/* So many tasks at most. */
#define CHESS_NAMING_TASKS	64

/**
 * struct chess_naming_task - a task
 * @op: the op that it is at, or in
 * @stacks: it makes or joins a thread there, so it takes or frees stacks
 * @last: name of its last step; 0: it has had none
 * @waker: name of the step that enabled it; 0: none, or it has taken a step since
 * @waits: what it waits in
 * @vain: it has changed nothing by that: what follows from that; 0: it has
 * @site: of the access that it is at, or in; 0: it is not at one
 * @object: of it
 */
struct chess_naming_task {
	struct chess_op op;
	bool stacks;
	uint32_t site;
	uint64_t object;
	uint64_t last, waker, waits;
	uint64_t vain;
};

/**
 * struct chess_naming_object - an object
 * @write: name of the last step that wrote it; 0: none did
 * @reads: sum of the names of those that read it since
 * @holder: the task that took it as a mutex, plus one; 0: it was given back since, or none did
 * @noted: a mutex: who gives it back looks for tasks that wait for it
 */
struct chess_naming_object {
	uint64_t write, reads;
	uint16_t holder;
	bool noted;
};

/**
 * struct chess_naming - a run up to a step
 * @depend: what is known of it
 * @task: of CHESS_NAMING_TASKS
 * @object: by number of @depend
 * @all: name of the last step that depends on everything
 * @sum: of the names of all steps
 * @left: of those that ended a thread
 * @stacks: of those that ended, made or joined one
 * @joins: of those that wait for the end of any thread
 * @waiting: tasks that wait, @waits of them, the first one first
 * @name: of the current step
 * @op: of it
 * @blocks: it ends with a wait
 * @takes: it takes or frees stacks of threads
 * @idle: it is a turn of a loop that waits, and has changed nothing
 * @threads: how many were made
 * @signals: a task has come to where it sends a signal
 * @current: its task; CHESS_TASK_NONE: no step was begun
 */
struct chess_naming {
	struct chess_depend depend;
	struct chess_naming_task task[CHESS_NAMING_TASKS];
	struct chess_naming_object *object;
	size_t object_room, objects;
	uint64_t all, sum, left, stacks, joins;
	uint16_t waiting[CHESS_NAMING_TASKS];
	unsigned int waits;
	uint64_t name;
	struct chess_op op;
	bool blocks, takes, idle, signals;
	unsigned int threads;
	uint16_t current;
};

void chess_naming_init(struct chess_naming *n, bool accesses);
void chess_naming_free(struct chess_naming *n);
void chess_naming_reset(struct chess_naming *n);
void chess_naming_begin(struct chess_naming *n, uint16_t task, bool alone);
void chess_naming_widen(struct chess_naming *n);
uint64_t chess_naming_key(const struct chess_naming *n);
uint64_t chess_naming_attempt(const struct chess_naming *n);
uint64_t chess_naming_gift(const struct chess_naming *n);
int chess_naming_event(struct chess_naming *n, const struct chess_record *r,
		       const struct chess_event *e);
void chess_naming_end(struct chess_naming *n);

#endif /* CHESSCTL_NAMING_H */
