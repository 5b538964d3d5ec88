/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which ops do not care for each other's order. Told from the event of a point, before
 * the op is done: so it holds also for one that finds out that it has to wait.
 */
#ifndef CHESSCTL_DEPEND_H
#define CHESSCTL_DEPEND_H

#include "chessctl/chessctl.h"
#include "record/objects.h"

/**
 * enum chess_op_kind - what an op depends on
 * @CHESS_OP_LOCAL: on nothing but its task
 * @CHESS_OP_ON_OBJECTS: on ops on the same objects, unless both only read
 * @CHESS_OP_LEAVES: the end of a thread: on those that wait for threads, and as above
 * @CHESS_OP_JOINS: on the ends of all threads
 * @CHESS_OP_ON_ALL: on every op
 */
enum chess_op_kind {
	CHESS_OP_LOCAL,
	CHESS_OP_ON_OBJECTS,
	CHESS_OP_LEAVES,
	CHESS_OP_JOINS,
	CHESS_OP_ON_ALL,
};

/* Of an op itself, all memory, the routine that its task may be in (depend.c), and its thread. */
#define CHESS_OP_OWN_OBJECTS	2
#define CHESS_OP_OBJECTS	(CHESS_OP_OWN_OBJECTS + 3)

/**
 * struct chess_op - an op and its objects
 * @kind: see there
 * @n: how many objects
 * @write: it does not only read them
 * @only_read: bit N set: but number N of them it does
 * @tries: where it has to wait it has changed nothing, and tries again once it is woken
 * @owns: it takes @lock, and while another task has that it has to wait
 * @gives: it gives @lock back
 * @waits: it gives @lock back to wait for a condition, and takes it again after that
 * @lock: index of a lock in the table given, whatever @kind is; valid with @owns or @gives
 * @object: index in the table given
 */
struct chess_op {
	uint8_t kind;
	uint8_t n;
	bool write, tries, owns, gives, waits;
	uint8_t only_read;
	uint32_t lock;
	uint32_t object[CHESS_OP_OBJECTS];
};

/**
 * enum chess_apart_op - what an op of a process is about that has its memory to itself
 * @CHESS_APART_NOT: it may be about anything
 * @CHESS_APART_QUIET: nothing but the process
 * @CHESS_APART_WAIT: the ends of others
 * @CHESS_APART_INODE: a file, or a pipe
 * @CHESS_APART_CREATE: a new task
 * @CHESS_APART_EXEC: another program
 * @CHESS_APART_END: the end of the process
 */
enum chess_apart_op {
	CHESS_APART_NOT,
	CHESS_APART_QUIET,
	CHESS_APART_WAIT,
	CHESS_APART_INODE,
	CHESS_APART_CREATE,
	CHESS_APART_EXEC,
	CHESS_APART_END,
};

/**
 * struct chess_depend_task - what is known of a task
 * @once: index plus one of the object of its last call of pthread_once(); 0: none
 * @waits: index plus one of the condition, where its last op was a wait that is not told of a
 *	mutex; UINT32_MAX: one that depends on everything; 0: it was not
 * @held: locks that it may hold: each that it took, or tried for, and did not give back
 * @pointer: its pthread_t; 0: not known
 * @inside: it may be in a function with a state of its own (depend.c)
 * @signalled: a signal was sent to it
 * @slept: it has had to wait since its last point
 * @astray: a handler may have run in the middle of an op, which the steps after it end (depend.c)
 * @about: what its last op is about if it is apart (apart.c), else CHESS_APART_NOT
 * @opens: that is quiet, and opens a file
 * @ends: its last op ends it
 * @waited: it has had to wait since then
 * @process: the task that its process began with
 * @parent: the process that created its own
 * @threads: the process that began with it has had more than one task
 * @creates: that process has created another one
 * @borrows: it has the memory of its creator, which waits
 * @ended: it has
 */
struct chess_depend_task {
	uint32_t once, waits, held;
	uint64_t pointer;
	enum chess_apart_op about;
	bool inside, signalled, slept, astray, opens, ends, waited;
	uint16_t process, parent;
	bool threads, creates, borrows, ended;
};

/**
 * struct chess_depend - what is known of a program while its record is read
 * @accesses: accesses to memory are points
 * @objects: those of the record
 * @processes: there is more than one, or was
 * @watches: a descriptor may show what is done to other inodes
 * @inherits: mutexes may be handed to the task that waits, with its priority
 * @shares: processes may share memory (apart.c)
 * @signals: a task has sent one
 * @signalled: it may have been sent to any task
 * @ends_matter: ends of processes may send signals to others than their creators
 * @writers: a file was opened to be written
 * @task: by number, @tasks of them
 */
struct chess_depend {
	bool accesses;
	struct chess_objects objects;
	bool processes;
	bool watches;
	bool inherits;
	bool shares, signals, signalled, ends_matter, writers;
	struct chess_depend_task *task;
	size_t tasks;
};

/*
 * What stands for the devices of inodes that were on another machine, or are packed; no path leads
 * to NAMELESS files, and NODES are those in /dev.
 */
#define CHESS_DEVICE_PLAIN	UINT32_MAX
#define CHESS_DEVICE_OTHER	(UINT32_MAX - 1)
#define CHESS_DEVICE_NAMELESS	(UINT32_MAX - 2)
#define CHESS_DEVICE_NODES	(UINT32_MAX - 3)

bool chess_is_plain_device(uint64_t dev);
bool chess_is_node_device(uint64_t dev);
void chess_depend_init(struct chess_depend *d, bool accesses);
void chess_depend_reset(struct chess_depend *d);
void chess_depend_free(struct chess_depend *d);
int chess_depend_op(struct chess_depend *d, const struct chess_record *r,
		    const struct chess_event *e, struct chess_op *op);
uint64_t chess_lock_given(const struct chess_event *e);
bool chess_op_writes(const struct chess_op *op, unsigned int i);
int chess_depend_spawn(struct chess_depend *d, const struct chess_event *e);
bool chess_depend_signalled(const struct chess_depend *d, uint16_t task);
bool chess_depend_astray(const struct chess_depend *d, uint16_t task);
void chess_depend_blocked(struct chess_depend *d, uint16_t task);
int chess_depend_left(struct chess_depend *d, uint16_t task, struct chess_op *op);
bool chess_depend_awaits_end(const struct chess_depend *d, const struct chess_op *op,
			     uint16_t task);
bool chess_ops_end_and_wait(const struct chess_op *a, const struct chess_op *b);
bool chess_depend_hides(const struct chess_depend *d, uint16_t task);
bool chess_ops_depend(const struct chess_op *a, const struct chess_op *b);
void chess_op_retake(struct chess_op *op);

/* The number of what says which task has which number, and which stack. */
#define CHESS_THREADS	0

/* apart.c */

uint32_t chess_device_class(uint64_t dev);
bool chess_apart_note(struct chess_depend *d, const struct chess_record *r,
		      const struct chess_event *e);
void chess_apart_spawn(struct chess_depend *d, const struct chess_event *e);
void chess_apart_at(struct chess_depend *d, const struct chess_record *r,
		    const struct chess_event *e);
bool chess_apart_blocked(struct chess_depend *d, uint16_t task);
void chess_apart_executed(struct chess_depend *d, uint16_t task);
bool chess_apart_ended(struct chess_depend *d, uint16_t task);
bool chess_is_apart(const struct chess_depend *d, uint16_t task);
int chess_apart_objects(struct chess_depend *d, const struct chess_record *r,
			const struct chess_event *e, struct chess_op *op);
int chess_apart_pipe(struct chess_depend *d, const struct chess_record *r, struct chess_op *op,
		     uint64_t inode);
bool chess_apart_waits_to_open(const struct chess_depend *d, uint16_t task);

#endif /* CHESSCTL_DEPEND_H */
