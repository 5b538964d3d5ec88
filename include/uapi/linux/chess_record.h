/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Bulk data between module and user space: events and schedule segments. With it come
 * <linux/chess_stack.h> (stack snapshots), <linux/chess_probe.h> (traps) and
 * <linux/chess_access.h> (accesses). All else is netlink attributes, see <linux/chess.h>.
 *
 * The ABI only grows: new enum entries are added at the end, and no size ever
 * changes. Sizes and offsets are asserted on both sides.
 */
#ifndef _UAPI_LINUX_CHESS_RECORD_H
#define _UAPI_LINUX_CHESS_RECORD_H

#include <linux/types.h>
#include <linux/chess_access.h>
#include <linux/chess_operand.h>
#include <linux/chess_probe.h>
#include <linux/chess_stack.h>

/* No task: none was enabled. */
#define CHESS_TASK_NONE		0xffff
/* Not a task, but chosen as one: the timers of the program that are armed and due first. */
#define CHESS_TASK_TIMER	0xfffe

/**
 * enum chess_event_type - what happened
 * @CHESS_EVENT_POINT: a task is about to do an op; a decision
 * @CHESS_EVENT_BLOCK: the token holder blocked in the kernel; a decision
 * @CHESS_EVENT_EXIT: the token holder has died; object is its exit code as in
 *	wait(2); a decision
 * @CHESS_EVENT_RESUME: a task woke while no task was enabled; a decision
 * @CHESS_EVENT_QUANTUM: the token holder used up its quantum without a point;
 *	a decision; where in the program it fell is not reproducible
 * @CHESS_EVENT_STALL: the token holder slept in a wait of the kernel's own for
 *	too long, and the watchdog took the token; a decision; not reproducible
 * @CHESS_EVENT_WAKE: @task became enabled; object is the id of the waker, or
 *	CHESS_TASK_NONE if the wake-up came from outside the group
 * @CHESS_EVENT_SPAWN: @task created task number @object. In a run of an adopted
 *	process, @op is CHESS_OP_CREATE if they share their memory, else CHESS_OP_FORK.
 *	Tasks that existed before count as created by the first one of their process, and
 *	that one as created by the first task of all
 * @CHESS_EVENT_EXEC: @task executed a new program
 * @CHESS_EVENT_KILLED: @task died without the token because of a fatal signal
 *	or because its process exited; object is its exit code
 * @CHESS_EVENT_DIVERGENCE: the prefix asked for task number @object, which was
 *	not enabled
 * @CHESS_EVENT_LEAVE: @task left control before its end (its privileges rose,
 *	or the run was stopped)
 * @CHESS_EVENT_TIMEOUT: the deadline of @task's timed wait passed, because a
 *	decision chose the task or because the wait began after it; object is
 *	the time of the group's clock, in nanoseconds. After a SPURIOUS that chose
 *	CHESS_ENDS_FOR_NOTHING: its wait ended without a wake-up
 * @CHESS_EVENT_TIMER: a timer that @task created went off; object is the time
 *	of the group's clock, in nanoseconds
 * @CHESS_EVENT_SIGNAL: @task, or a timer while @task was at its point, sent signal
 *	number @nr to a process several of whose threads may take it. The decision is
 *	about this and not about the token: @enabled are those threads, @chosen gets it
 * @CHESS_EVENT_FAIR: @enabled are tasks from 64 * @object that are enabled at the
 *	following decision but not allowed, because they yielded; @task is the task that
 *	the decision is at. One event for each 64 tasks among which there are such tasks
 * @CHESS_EVENT_EXPIRE: the timers that are due first go off early, before the decision
 *	that @task is at. The decision is about this and not about the token: @chosen is
 *	CHESS_TASK_TIMER, object is the time when they are due. TIMER and its effects
 *	follow, and then the decision
 * @CHESS_EVENT_WATCHDOG: @task waits for a child, and its time limit, due at object on
 *	the group's clock, passes only when no other task can run; in a run with
 *	late-watchdogs. Or @task has set a timer that limits the time of its process, and does
 *	not go off early; in a run with late-limits
 * @CHESS_EVENT_QUEUE: @task continues and is about to wake one or more waiters. The
 *	decision is about this and not about the token, in a run with wake-any. @enabled
 *	are the waiters, object is the one that came first, @chosen is woken before the
 *	others: those in front of it go to the end of the queue
 * @CHESS_EVENT_SPURIOUS: @task was chosen while it waits and is not enabled, and its wait may
 *	end without a wake-up. The decision is about how the wait ends and not about the token,
 *	in a run with spurious. @chosen is CHESS_ENDS_LATE or CHESS_ENDS_FOR_NOTHING, @enabled
 *	has the bits of those that are possible, @arg is 1 if the previous decision is early
 *	already. TIMEOUT follows
 */
enum chess_event_type {
	CHESS_EVENT_POINT = 1,
	CHESS_EVENT_BLOCK,
	CHESS_EVENT_EXIT,
	CHESS_EVENT_RESUME,
	CHESS_EVENT_QUANTUM,
	CHESS_EVENT_STALL,
	CHESS_EVENT_WAKE,
	CHESS_EVENT_SPAWN,
	CHESS_EVENT_EXEC,
	CHESS_EVENT_KILLED,
	CHESS_EVENT_DIVERGENCE,
	CHESS_EVENT_LEAVE,
	CHESS_EVENT_TIMEOUT,
	CHESS_EVENT_TIMER,
	CHESS_EVENT_SIGNAL,
	CHESS_EVENT_FAIR,
	CHESS_EVENT_EXPIRE,
	CHESS_EVENT_WATCHDOG,
	CHESS_EVENT_QUEUE,
	CHESS_EVENT_SPURIOUS,
};

/* How a wait ends: what CHESS_EVENT_SPURIOUS chooses among. */
#define CHESS_ENDS_LATE		0	/* its deadline passes */
#define CHESS_ENDS_FOR_NOTHING	1

/* These types carry a decision in @chosen. */
#define CHESS_EVENT_IS_DECISION(type)	\
	((type) <= CHESS_EVENT_STALL || (type) == CHESS_EVENT_SIGNAL || \
	 (type) == CHESS_EVENT_EXPIRE || (type) == CHESS_EVENT_QUEUE || \
	 (type) == CHESS_EVENT_SPURIOUS)

/* Those of them that choose the next task. */
#define CHESS_EVENT_IS_TURN(type)	((type) <= CHESS_EVENT_STALL)

/**
 * enum chess_op_class - what a task is about to do at a point
 * @CHESS_OP_OTHER: unknown call: conservative
 * @CHESS_OP_LOAD: a read of memory by one instruction: object is the first byte, arg the
 *	offset of the last byte, nr the site. Only where another task could run
 * @CHESS_OP_STORE: a write, the same; with a caller it is a free() of a heap's block
 * @CHESS_OP_UPDATE: a read and a write, the same; in runs with
 *	CHESS_RUN_FLAGS_SPLIT_UPDATES only those of which nothing comes in between
 */
enum chess_op_class {
	CHESS_OP_OTHER = 1,
	CHESS_OP_LOCK,
	CHESS_OP_TRYLOCK,
	CHESS_OP_UNLOCK,
	CHESS_OP_COND_WAIT,
	CHESS_OP_COND_SIGNAL,
	CHESS_OP_COND_BROADCAST,
	CHESS_OP_RDLOCK,
	CHESS_OP_WRLOCK,
	CHESS_OP_BARRIER,
	CHESS_OP_ONCE,
	CHESS_OP_CREATE,
	CHESS_OP_JOIN,
	CHESS_OP_EXIT,
	CHESS_OP_SEM_WAIT,
	CHESS_OP_SEM_POST,
	CHESS_OP_INIT,
	CHESS_OP_DESTROY,
	CHESS_OP_YIELD,
	CHESS_OP_SLEEP,
	CHESS_OP_FUTEX_WAIT,
	CHESS_OP_FUTEX_WAKE,
	CHESS_OP_READ,
	CHESS_OP_WRITE,
	CHESS_OP_OPEN,
	CHESS_OP_CLOSE,
	CHESS_OP_POLL,
	CHESS_OP_FLOCK,
	CHESS_OP_WAIT_CHILD,
	CHESS_OP_FORK,
	CHESS_OP_EXEC,
	CHESS_OP_SIGNAL,
	CHESS_OP_SIGNAL_WAIT,
	CHESS_OP_SOCKET,
	CHESS_OP_IPC,
	CHESS_OP_MEMORY,
	CHESS_OP_FILE,
	CHESS_OP_CUSTOM,
	CHESS_OP_LOAD,
	CHESS_OP_STORE,
	CHESS_OP_UPDATE,

	/* private: */
	__CHESS_OP_MAX,
};

/* What an op does to its object; write and release may be set conservatively
 * (CHESS, OSDI'08, section 3.3).
 */
#define CHESS_OPF_WRITE		0x01
#define CHESS_OPF_RELEASE	0x02
#define CHESS_OPF_YIELD		0x04
#define CHESS_OPF_MAY_BLOCK	0x08
/* The point is a trapped function: nr is the id given with the trap, ip the
 * function's entry, caller its return address. With nr zero a BPF program made it
 * with chess_point(), caller is zero. Of LOAD, STORE and UPDATE nr is the site, caller
 * zero except with CHESS_PROBE_FREE. Without this flag nr is a system call.
 */
#define CHESS_OPF_PROBE		0x10
/* The point was reached while no other task was enabled or alive. */
#define CHESS_OPF_ALONE		0x20
/* The decision let a deadline pass while a task was enabled, or before an earlier
 * deadline; or it let timers go off early.
 */
#define CHESS_OPF_EARLY		0x40
/* In place of this decision armed timers could have gone off: CHESS_EVENT_EXPIRE. */
#define CHESS_OPF_TIMER		0x80
/* Flags of the decision and not of the operation. */
#define CHESS_OPF_DECISION	(CHESS_OPF_ALONE | CHESS_OPF_EARLY | CHESS_OPF_TIMER)

/* What the object number means. */
enum chess_object_kind {
	CHESS_OBJECT_NONE = 0,
	CHESS_OBJECT_ADDRESS,	/* a user address */
	CHESS_OBJECT_INODE,	/* inodes by first access in the run, from 1 */
	CHESS_OBJECT_FD,	/* file descriptor whose inode says nothing */
	CHESS_OBJECT_PID,	/* pid as the program named it */
	CHESS_OBJECT_TASK,	/* task id */
	CHESS_OBJECT_CODE,	/* exit code as in wait(2) */
	CHESS_OBJECT_KEY,	/* IPC object, by first access in the run, from 1; or a number */
	CHESS_OBJECT_TIME,	/* the group's clock, nanoseconds */
	CHESS_OBJECT_SYSTEM,	/* as INODE, in /proc or /sys: reads depend on the system */
};

/**
 * struct chess_event - one entry of the record of a run
 * @seq: number of the event in the run, from 1
 * @type: enum chess_event_type
 * @op: enum chess_op_class; zero if there is no operation
 * @flags: CHESS_OPF_*
 * @object_kind: enum chess_object_kind
 * @task: the task this happened to
 * @chosen: for decisions, the task that continues; else CHESS_TASK_NONE
 * @nr: syscall number, or with CHESS_OPF_PROBE the id of the trap, zero for a BPF
 *	program's point; of SIGNAL the signal's number
 * @enabled: bit N set: task N was enabled when the decision was taken; for
 *	tasks 64 and up see the WAKE, BLOCK, SPAWN, EXIT and KILLED events
 * @object: what the op works on, see @object_kind
 * @ip: user instruction pointer
 * @caller: return address of a trapped function
 * @result: what a system call returned, once it has returned. It is not recorded for calls
 *	that return the number of a task, or how much they read of the system's state. Zero
 *	elsewhere
 * @arg: second argument worth keeping (the mutex of a condition wait, the
 *	operation of futex, flock and fcntl; for wait4 and waitid CHESS_WAIT_CHECKS; the number
 *	of the inode that dup2 and dup3 close, or CHESS_ARG_OTHER; for calls that look up a
 *	path CHESS_ARG_OTHER and CHESS_ARG_EMPTY_PATH, and the flags of open and openat); for
 *	EXIT a digest of the results of the task's system calls that are not points; for SPAWN
 *	of a thread its thread pointer, which is the pthread_t that a JOIN has, and of a
 *	process CHESS_SPAWN_APART or CHESS_SPAWN_BORROWS where that holds; else zero
 * @timed: bit N set: task N waits in the kernel with a deadline when the decision
 *	is taken; choosing it lets its deadline pass first. None is
 *	chosen by default while @enabled is not empty, else the one with the
 *	earliest deadline. In a run with spurious it also has the waits that may end
 *	without a wake-up; none of those is chosen by default, and they are left out if
 *	no task continues
 */
struct chess_event {
	__u32 seq;
	__u8 type;
	__u8 op;
	__u8 flags;
	__u8 object_kind;
	__u16 task;
	__u16 chosen;
	__u32 nr;
	__u64 enabled;
	__u64 object;
	__u64 ip;
	union {
		__u64 caller;
		__s64 result;
	};
	__u64 arg;
	__u64 timed;
};

/**
 * struct chess_segment - part of a prefix
 * @count: this many decisions in a row ...
 * @task: ... choose this task
 */
struct chess_segment {
	__u32 count;
	__u32 task;
};

/* The call collects a child that has ended, and asks how it ended. */
#define CHESS_WAIT_CHECKS	0x01

/* dup2 and dup3 close something that is no inode of a file; a path may lead into /proc or /sys. */
#define CHESS_ARG_OTHER		0x80000000U
/* The path is empty and the call is about its descriptor: the other bits are the inode's number. */
#define CHESS_ARG_EMPTY_PATH	0x40000000U
/* Of open and openat. */
#define CHESS_ARG_OPEN_FLAGS	0x3fffffffU

/* A new process shares nothing with another one: not memory, descriptors nor actions of signals. */
#define CHESS_SPAWN_APART	1
/* It has the memory of its creator, which waits until it executes a program or ends. */
#define CHESS_SPAWN_BORROWS	2

/**
 * struct chess_object_name - the file of an object of kind INODE or SYSTEM
 * @ino: inode number
 * @dev: device of its file system, as stat(2) gives it
 * @generation: distinguishes a reused inode number from its first use
 *
 * These differ from run to run, so they are not part of the record.
 */
struct chess_object_name {
	__u64 ino;
	__u32 dev;
	__u32 generation;
};

#endif /* _UAPI_LINUX_CHESS_RECORD_H */
