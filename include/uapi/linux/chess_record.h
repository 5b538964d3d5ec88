/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What crosses the boundary in bulk: events, stack snapshots, schedule segments
 * and traps. Everything else is netlink attributes, see <linux/chess.h>.
 *
 * Additive for ever: new enum entries at the end, no size ever changes. Sizes
 * and offsets are asserted on both sides.
 */
#ifndef _UAPI_LINUX_CHESS_RECORD_H
#define _UAPI_LINUX_CHESS_RECORD_H

#include <linux/types.h>
#include <linux/chess_operand.h>

/* No task: nobody was enabled. */
#define CHESS_TASK_NONE		0xffff
/* Not a task, but chosen as one: the timers of the program that are armed and due first. */
#define CHESS_TASK_TIMER	0xfffe

/**
 * enum chess_event_type - what happened
 * @CHESS_EVENT_POINT: a task is about to do an op; a decision
 * @CHESS_EVENT_BLOCK: the token holder blocked in the kernel; a decision
 * @CHESS_EVENT_EXIT: the token holder is dead; object is its exit code as in
 *	wait(2); a decision
 * @CHESS_EVENT_RESUME: a task woke while no task was enabled; a decision
 * @CHESS_EVENT_QUANTUM: the token holder used up its quantum without a point;
 *	a decision; where in the program it fell is not reproducible
 * @CHESS_EVENT_STALL: the token holder slept in the kernel's own business for
 *	too long, the watchdog took the token; a decision; not reproducible
 * @CHESS_EVENT_WAKE: @task became enabled; object is the id of the waker, or
 *	CHESS_TASK_NONE where the wake-up came from outside the group
 * @CHESS_EVENT_SPAWN: @task created task number @object. In a run that began with a
 *	process that was running, @op is CHESS_OP_CREATE where they share their memory,
 *	else CHESS_OP_FORK; tasks there were already are created by the first of their
 *	process, and that one by the first of all
 * @CHESS_EVENT_EXEC: @task executed a new program
 * @CHESS_EVENT_KILLED: @task died without the token because of a fatal signal
 *	or because its process exited; object is its exit code
 * @CHESS_EVENT_DIVERGENCE: the prefix asked for task number @object, which was
 *	not enabled
 * @CHESS_EVENT_LEAVE: @task left control before its end (its privileges rose,
 *	or the run was stopped)
 * @CHESS_EVENT_TIMEOUT: the deadline of @task's timed wait passed, because a
 *	decision chose the task or because the wait began behind it; object is
 *	the group's clock then, in nanoseconds. Behind a SPURIOUS that chose so, its wait
 *	ended for nothing
 * @CHESS_EVENT_TIMER: a timer that @task made went off; object is the group's
 *	clock then, in nanoseconds
 * @CHESS_EVENT_SIGNAL: @task, or a timer while @task was at its point, sent signal
 *	number @nr to a process several of whose threads may take it; a decision about
 *	that and not about the token: @enabled are those threads, @chosen gets it
 * @CHESS_EVENT_FAIR: @enabled are tasks 64 * @object and up that are enabled at the
 *	decision which follows, but yielded and have to let others go first; @task is who
 *	is there. One event for each 64 tasks some of which are such
 * @CHESS_EVENT_EXPIRE: the timers that are due first go off early, before the decision
 *	that @task is at is taken; a decision about that and not about the token: @chosen
 *	is CHESS_TASK_TIMER, object is when they are due. Then come TIMER and what that
 *	did, and then the decision
 * @CHESS_EVENT_WATCHDOG: @task waits for a child, and what limits its time, due at object
 *	on the group's clock, passes only when nobody else can go on; in a run with
 *	late-watchdogs
 * @CHESS_EVENT_QUEUE: @task, which goes on, is about to wake one or more of those that wait
 *	in line: a decision about that and not about the token, in a run with wake-any.
 *	@enabled are those, object is the task that came first, @chosen is woken before the
 *	others: those in front of it go to the end of the line
 * @CHESS_EVENT_SPURIOUS: @task was chosen, which waits and is not enabled, and what it waits in
 *	may end for nothing: a decision about how it ends and not about the token, in a run
 *	with spurious. @chosen is CHESS_ENDS_LATE or CHESS_ENDS_FOR_NOTHING, @enabled has the
 *	bits of what it may be, @arg is 1 where the decision before it is early already. TIMEOUT
 *	follows
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

/* And of these, those about who goes on. */
#define CHESS_EVENT_IS_TURN(type)	((type) <= CHESS_EVENT_STALL)

/**
 * enum chess_op_class - what a task is about to do at a point
 * @CHESS_OP_OTHER: unknown call: conservative
 * @CHESS_OP_LOAD: a read of memory by one instruction: object is the first byte, arg the
 *	number of bytes up to the last one, nr the site. Only where another task could go on
 * @CHESS_OP_STORE: a write, the same; with a caller a heap is given a piece back there
 * @CHESS_OP_UPDATE: a read and a write, the same
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
 * zero but for CHESS_PROBE_FREE. Without this flag nr is a syscall.
 */
#define CHESS_OPF_PROBE		0x10
/* The point was reached while no other task was enabled or alive. */
#define CHESS_OPF_ALONE		0x20
/* The decision let a deadline pass while a task was enabled, or before an earlier
 * deadline; or it had timers go off early.
 */
#define CHESS_OPF_EARLY		0x40
/* In place of this decision armed timers could have gone off: CHESS_EVENT_EXPIRE. */
#define CHESS_OPF_TIMER		0x80
/* Those that say something about the decision and not about the op. */
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
	CHESS_OBJECT_SYSTEM,	/* as INODE, of /proc or /sys: how much is read is the system's */
};

/**
 * struct chess_event - one entry of the record of a run
 * @seq: number of the event in the run, from 1
 * @type: enum chess_event_type
 * @op: enum chess_op_class; zero where no op is meant
 * @flags: CHESS_OPF_*
 * @object_kind: enum chess_object_kind
 * @task: the task this happened to
 * @chosen: for decisions, the task that goes on; else CHESS_TASK_NONE
 * @nr: syscall number, or with CHESS_OPF_PROBE the id of the trap, zero for a BPF
 *	program's point; of SIGNAL the signal's number
 * @enabled: bit N set: task N was enabled when the decision was taken; for
 *	tasks 64 and up see the WAKE, BLOCK, SPAWN, EXIT and KILLED events
 * @object: what the op works on, see @object_kind
 * @ip: user instruction pointer
 * @caller: return address of a trapped function
 * @result: what a syscall returned, once it has; those that return a task's number
 *	in success, or how much they read of the system's state, do not say it. Zero
 *	elsewhere
 * @arg: second argument worth keeping (the mutex of a condition wait, what
 *	futex, flock and fcntl are to do; of wait4 and waitid CHESS_WAIT_CHECKS); of EXIT a
 *	digest of what the task's syscalls returned that are no points; else zero
 * @timed: bit N set: task N waits in the kernel with a deadline when the decision
 *	is taken; to choose it is to let its deadline pass first. None is
 *	chosen by default while @enabled is not empty, else the one with the
 *	earliest deadline. In a run with spurious also: waits where that may end for
 *	nothing, which is never the default, and not said where nobody goes on
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

/* The call takes a child that has ended, and says where to put how it ended. */
#define CHESS_WAIT_CHECKS	0x01

#define CHESS_STACK_BYTES	8192
/* With it the number of a snapshot is not that of an event: of an access, from 1. */
#define CHESS_STACK_AT_ACCESS	0x80000000U
/* With it the number is a task's id: where a signal that ends its process, as SIGSEGV does,
 * was delivered to the task. The bytes begin with struct chess_fault.
 */
#define CHESS_STACK_AT_FAULT	0x40000000U

/*
 * Addresses on the first stack of a process, in @object and @arg of an event, are
 * told as if its arguments and environment began here: where it really begins goes
 * by their length. Such are those at CHESS_STACK_LOW and above.
 */
#define CHESS_STACK_START	0x7fffffffe000ULL
#define CHESS_STACK_LOW		0x7ffff8100000ULL

/**
 * struct chess_stack - snapshot of a user stack, followed by @size bytes that
 * stood at @sp
 * @seq: event it was taken at, or CHESS_STACK_AT_ACCESS and the number of an access, or
 *	CHESS_STACK_AT_FAULT and a task's id
 * @regs: x86-64 DWARF register order: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp,
 *	r8 .. r15, rip
 */
struct chess_stack {
	__u32 seq;
	__u32 size;
	__u64 regs[17];
};

/**
 * struct chess_fault - the signal that ended a task's process
 * @address: si_addr of signals that have one, else zero
 * @code: si_code: SEGV_MAPERR and the like; zero and less: a process sent it
 * @signal: its number
 */
struct chess_fault {
	__u64 address;
	__s32 code;
	__u32 signal;
};

/**
 * struct chess_object_name - what an object of kind INODE or SYSTEM stands for
 * @ino: inode number
 * @dev: device of its file system, as stat(2) gives it
 * @generation: tells a reused inode number from its first use
 *
 * These differ from run to run, so they are no part of the record.
 */
struct chess_object_name {
	__u64 ino;
	__u32 dev;
	__u32 generation;
};

enum chess_fixup_kind {
	CHESS_FIXUP_ABS64 = 1,	/* *(u64 *)pos = address of the trap + addend */
	CHESS_FIXUP_REL32,	/* *(s32 *)pos = address of the trap + addend
				 *		 - (address of slot + pos + 4)
				 */
};

#define CHESS_PROBE_ORIG_MAX	16
#define CHESS_PROBE_SLOT_MAX	48
#define CHESS_PROBE_FIXUPS	3
#define CHESS_PROBE_OPERANDS	2

/* The instruction accesses memory: its operands go with the trap. */
#define CHESS_PROBE_ACCESS	0x01
/* glibc's free() or realloc() begins here: its first argument is given back. Armed in
 * runs that record accesses. With CHESS_PROBE_ACCESS it has a site, too, whose operands are
 * zero: as a point it is a store to the whole piece, and chess_event.caller says who calls.
 */
#define CHESS_PROBE_FREE	0x02
/* A function of glibc's heap returns here: its result, or its argument object_arg where
 * that is given, is a piece that is handed out. Armed in runs that record accesses.
 */
#define CHESS_PROBE_ALLOCATED	0x04
/* With CHESS_PROBE_FREE: it is realloc(), which may leave the piece where it is. */
#define CHESS_PROBE_RESIZE	0x08
/* With CHESS_PROBE_FREE, in a library: who calls it directly is the heap itself, as where a
 * thread ends and its cache, of pieces that are free, is freed. That gives nothing back.
 */
#define CHESS_PROBE_OWN		0x10

struct chess_fixup {
	__u8 kind;
	__u8 pos;
	__u16 pad;
	__s32 addend;
};

/**
 * struct chess_probe - one trap
 * @offset: of the instruction in the file
 * @id: given back in chess_event.nr; zero: no sync function begins here
 * @op: enum chess_op_class; zero without @id
 * @op_flags: CHESS_OPF_*
 * @flags: CHESS_PROBE_*
 * @object_arg: which argument is the object, from 1; zero for none
 * @second_arg: which argument goes to chess_event.arg, from 1; zero for none
 * @orig_len: length of @orig
 * @slot_len: length of @slot
 * @nfixups: how many of @fixups are used
 * @site: with CHESS_PROBE_ACCESS, number of the access site, from 1 and below
 *	CHESS_MAX_SITES; given back in chess_access.site and in chess_event.nr
 * @orig: bytes expected at @offset; the trap is not armed where others are found
 * @slot: code that does what @orig did and goes on behind it, position
 *	independent but for @fixups
 */
struct chess_probe {
	__u64 offset;
	__u32 id;
	__u8 op;
	__u8 op_flags;
	__u8 flags;
	__u8 object_arg;
	__u8 second_arg;
	__u8 orig_len;
	__u8 slot_len;
	__u8 nfixups;
	__u32 site;
	__u8 orig[CHESS_PROBE_ORIG_MAX];
	__u8 slot[CHESS_PROBE_SLOT_MAX];
	struct chess_fixup fixups[CHESS_PROBE_FIXUPS];
};

/*
 * Where policy hold can hold a task beside sites, which are below: at a trapped function
 * called from @caller. Two calls may have one number.
 */
#define CHESS_HOLD_CALL(caller)	((__u32)((caller) ^ (caller) >> 32) | 0x80000000U)

#define CHESS_ACCESS_READ	0x01
#define CHESS_ACCESS_WRITE	0x02
/* No other access comes between its read and its write, and it orders. */
#define CHESS_ACCESS_ATOMIC	0x04
/* No access: the bytes were handed out as new memory, what was done to them is over. With
 * an ip a heap took them back, and ip is where that function returns to. With WRITE as well
 * a call of the program did, as munmap() does.
 */
#define CHESS_ACCESS_FRESH	0x08
/* In a shared mapping: the address means the same memory in all processes of the run. */
#define CHESS_ACCESS_SHARED	0x10
/* No access: a heap hands out the bytes; ip is where the function that does returns to.
 * Without size nothing was handed out (address zero), or a piece the module does not
 * understand. With FRESH a heap was asked to resize the piece: what came of it is told by the
 * next one of the same task with the same ip.
 */
#define CHESS_ACCESS_ALLOCATED	0x20
/* No access: about the task itself; the size is enum chess_told. */
#define CHESS_ACCESS_TOLD	0x40
/* The same with size zero. */
#define CHESS_ACCESS_COPIED	CHESS_ACCESS_TOLD

/**
 * enum chess_told - what an entry of kind CHESS_ACCESS_TOLD says
 * @CHESS_TOLD_COPIED: the task that was created last by this one has a copy of its memory,
 *	and from here on the same address means two things. Address is zero
 * @CHESS_TOLD_INSTALLED: it says what is to be done about signal @site
 * @CHESS_TOLD_OPENED: it lets in the signals in @address, a mask; only such as have
 *	handlers
 * @CHESS_TOLD_BLOCKED: it blocks them
 * @CHESS_TOLD_SENT: it sends signal @site to the task @address; with @ip, to any task of
 *	that one's process
 * @CHESS_TOLD_ARMED: it sets a timer that sends a signal, or one anew
 * @CHESS_TOLD_HANDLER: the handler of signal @site begins in it. Up to its end the signals
 *	in @address are blocked, too; @ip is CHESS_HANDLER_*
 * @CHESS_TOLD_RETURNED: the innermost handler it is in returns
 * @CHESS_TOLD_JUMPED: it left that one otherwise, some time since its last access
 */
enum chess_told {
	CHESS_TOLD_COPIED,
	CHESS_TOLD_INSTALLED,
	CHESS_TOLD_OPENED,
	CHESS_TOLD_BLOCKED,
	CHESS_TOLD_SENT,
	CHESS_TOLD_ARMED,
	CHESS_TOLD_HANDLER,
	CHESS_TOLD_RETURNED,
	CHESS_TOLD_JUMPED,
};

/* The task itself brought the signal about there: an instruction that faults, raise(). */
#define CHESS_HANDLER_OWN		0x01
/* The signal is let in by a call that waits, as sigsuspend(), and blocked before and after. */
#define CHESS_HANDLER_WAITED		0x02
/* A call of the task ends by it, and says so. */
#define CHESS_HANDLER_INTERRUPTS	0x04
/* A timer sent it. */
#define CHESS_HANDLER_TIMER		0x08

/**
 * struct chess_access - an access to memory in a run
 * @address: first byte
 * @ip: the instruction, where it is in the process; of FRESH and ALLOCATED a return
 *	address, or zero
 * @size: bytes; those of a repeated instruction as one
 * @seq: the last event that was recorded before it; 0: none was
 * @site: id given with the trap that stands for image and offset; 0: none. Of what a heap
 *	takes back it is that of the function
 * @task: who
 * @kind: CHESS_ACCESS_*
 * @memory: of SHARED, which of the memories that processes of the run share, from 1; zero:
 *	there were too many. Address is where its first mapping in the run has it
 *
 * Of CHESS_ACCESS_TOLD address, ip and site are what enum chess_told says.
 *
 * They stand beside the events, in the order in which they were made. An instruction
 * with two operands is two of them, what it reads first. Addresses on the first stack are
 * told as those of events are.
 */
struct chess_access {
	__u64 address;
	__u64 ip;
	__u32 size;
	__u32 seq;
	__u32 site;
	__u16 task;
	__u8 kind;
	__u8 memory;
};

#endif /* _UAPI_LINUX_CHESS_RECORD_H */
