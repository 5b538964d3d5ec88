/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private types of the module that more than two files share, and the one
 * table of its locks.
 *
 * Locks, outermost first:
 *   chess_groups_lock  mutex     list of groups, probe reference    process
 *   group->leaving     mutex     traps change, a task is let go     process, task work
 *   group->lock        mutex     configuration between runs         process
 *   image list         RCU       group->images, read by die notifier
 *   (kernel: swait queue lock, p->pi_lock, run-queue lock)
 *   timeouts_lock      raw spin  time-out requests (uring.c)        any, IRQs off
 *   group->plock       raw spin  tasks, enabled set, token, record  any, IRQs off
 *   chess_tasks_lock   raw spin  writers of the task table          any, IRQs off
 *   ending_lock        raw spin  rings that end (uring.c)           any, IRQs off
 *
 * group->plock is taken under the run-queue lock (sched_switch) and under
 * p->pi_lock (sched_waking). So nothing is woken, allocated, or freed while it
 * is held; that work goes to group->irq_work and from there to group->worker.
 *
 * Contexts, the words used in kernel-doc here:
 *   probe      a tracepoint, notifier or timer: IRQs may be off, the run-queue
 *              lock may be held; no sleep, no wake-up, no allocation
 *   task work  current returns to user mode; may sleep
 *   netlink    process context of the owner; may sleep
 *   any        all of them
 */
#ifndef _CHESS_H
#define _CHESS_H

#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/swait.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

#include <uapi/linux/chess.h>
#include <uapi/linux/chess_record.h>

#include "decide.h"
#include "fair.h"
#include "hot.h"
#include "policy.h"
#include "retry.h"

#define CHESS_OPS_DEPTH	8
#define CHESS_HITS	16

struct chess_mm;
struct chess_operand;
struct chess_probe;
struct chess_timer;
struct chess_vector;

/**
 * struct chess_work - a task_work item that is queued at most once
 * @head: for task_work_add()
 * @queued: set while it is queued; a queued item cannot be taken back
 */
struct chess_work {
	struct callback_head head;
	unsigned long queued;
};

/**
 * struct chess_pass - a point that was decided but not yet executed
 * @ip: address of the syscall instruction or of the trap
 * @sp: user stack pointer there
 * @nr: syscall number, or -1 for a trap
 * @seq: of the last event of the task, where a call that a signal interrupted is made again, or
 *	a trap is come back to from a handler
 * @set: whether this is one
 * @again: it is such a call or trap
 * @quiet: a call that is no point, interrupted for a moment that the program knows nothing of
 *
 * A task that is parked at a point re-executes the instruction when it is let
 * go; this tells the second arrival from the next iteration of a loop. Only
 * touched by the task itself.
 */
struct chess_pass {
	unsigned long ip;
	unsigned long sp;
	long nr;
	u32 seq;
	bool set;
	bool again;
	bool quiet;
};

/**
 * struct chess_hit - a trap that was hit
 * @ip: its address
 * @nmaps: maps its address space had then; a newer one may be in its place
 * @probe: the trap
 * @operands: CHESS_PROBE_OPERANDS where it is at an access, else NULL
 * @slot: where its displaced instruction is
 */
struct chess_hit {
	unsigned long ip;
	u32 nmaps;
	const struct chess_probe *probe;
	const struct chess_operand *operands;
	unsigned long slot;
};

/**
 * struct chess_frame - a trapped function that may not have returned yet
 * @sp: stack pointer at its entry; the return address is there
 * @ip: its first instruction
 * @ret: that return address
 * @object: its object
 * @arg: its second argument of interest, or zero
 * @id: of the trap
 * @op: enum chess_op_class
 */
struct chess_frame {
	unsigned long sp;
	unsigned long ip;
	unsigned long ret;
	u64 object;
	u64 arg;
	u32 id;
	u8 op;
};

/**
 * struct chess_wait - a call whose time-out was taken out of it (deadline.c)
 * @active: the call is being executed; under plock
 * @passed: its deadline passed, it is to time out; under plock
 * @kept: it was interrupted and may be executed again, with the same deadline
 * @always: the remaining time is written whatever the result
 * @timeval: as a timeval
 * @watchdog: it waits for a child, and its deadline passes only when nobody else can go on
 * @endless: it has no deadline, but may end for nothing
 * @nothing: it is not its deadline that passes; under plock
 * @spurious: what it returns where it ends for nothing, see spurious.c
 * @frame: the condition wait it is in, where that has to be told
 * @left: argument it is written through, plus one; 0: nowhere
 * @send: which time-out of @file
 * @result: of a time-out
 * @nr: number of the call
 * @args: its arguments
 * @nfds: descriptors that select() looks at
 * @deadline: nanoseconds of the group's clock
 * @file: socket whose own time-out was taken out, or NULL; under plock
 * @timeo: that time-out, jiffies
 *
 * Where nothing else is said: only touched by the task itself.
 */
struct chess_wait {
	bool active;
	bool passed;
	bool kept;
	bool always;
	bool timeval;
	bool watchdog;
	bool endless;
	bool nothing;
	u8 spurious;
	struct chess_frame *frame;
	u8 left;
	bool send;
	s16 result;
	long nr;
	unsigned long args[6];
	u32 nfds;
	u64 deadline;
	struct file *file;
	long timeo;
};

/**
 * struct chess_back - a condition wait that ended for nothing returns by its own trap (spurious.c)
 * @set: whether one does
 * @ip: of the trap
 * @sp: where the return address is
 * @ret: what it was
 *
 * Only touched by the task itself.
 */
struct chess_back {
	bool set;
	unsigned long ip;
	unsigned long sp;
	unsigned long ret;
};

/**
 * struct chess_batch - a recvmmsg() with a time-out (batch.c)
 * @active: it is being executed
 * @split: one datagram at a time
 * @done: datagrams received; not zero: it goes on after the last of them
 * @sp: user stack pointer, by which the call is known when it goes on
 * @args: its arguments
 * @until: end of its time, nanoseconds of the group's clock
 *
 * Only touched by the task itself.
 */
struct chess_batch {
	bool active;
	bool split;
	u32 done;
	unsigned long sp;
	unsigned long args[6];
	u64 until;
};

/**
 * struct chess_line - where a task may wait in line with others (queue.c)
 * @nr: number of the call it executes
 * @ip: of that
 * @sp: user stack pointer there
 * @kind: of what line, zero: of none; only the task itself
 * @word: the futex's address, or the number of the pipe; only the task itself
 * @mm: whose address that is; NULL: it is shared
 * @wakes: how many waiters the call wakes that it is at
 * @place: it sleeps there, and those with lower ones came before; 0: it does not; under plock
 * @again: it was sent round, and is not back yet; under plock
 */
struct chess_line {
	long nr;
	unsigned long ip;
	unsigned long sp;
	u8 kind;
	u64 word;
	const struct mm_struct *mm;
	u32 wakes;
	u32 place;
	bool again;
};

/**
 * struct chess_made - a timer that the kernel made, to be taken over (timer_call.c)
 * @nr: number of the call that did; 0: there is none
 * @result: what it returned
 * @id_at: user address of the timer's number, of timer_create()
 * @clock: its clock
 *
 * Only touched by the task itself.
 */
struct chess_made {
	long nr;
	long result;
	unsigned long id_at;
	int clock;
};

/**
 * struct chess_custom - a point that a BPF program noted (kfunc.c)
 * @work: task work that takes the decision
 * @busy: bit 0: from when it is noted until the task goes on behind the decision; set
 *	for good when the task leaves control
 * @object: address
 * @op: enum chess_op_class
 * @flags: CHESS_OPF_*
 * @regs: user registers when it was noted: a uprobe's instruction may be stepped, at
 *	another address, when the decision is taken
 *
 * Only touched by the task itself.
 */
struct chess_custom {
	struct chess_work work;
	unsigned long busy;
	u64 object;
	u8 op;
	u8 flags;
	struct pt_regs regs;
};

#define CHESS_PUT_BYTES	32

/**
 * struct chess_put - a result that could not be written at once (user.c)
 * @to: user address
 * @len: how much
 * @clear: zeroes
 * @bytes: what else
 */
struct chess_put {
	unsigned long to;
	u32 len;
	bool clear;
	u8 bytes[CHESS_PUT_BYTES];
};

/**
 * struct chess_fetch - an argument that could not be read at once (user.c)
 * @work: task work that reads it
 * @from: user address
 * @ip: user instruction pointer at sys_enter
 * @sp: user stack pointer there
 * @nr: number of the call
 * @value: what was read
 * @set: it was, and was not asked for since
 *
 * Only touched by the task itself.
 */
struct chess_fetch {
	struct chess_work work;
	unsigned long from;
	unsigned long ip;
	unsigned long sp;
	long nr;
	u64 value;
	bool set;
};

/**
 * struct chess_fresh - what a task mapped last
 * @start: first byte
 * @end: behind the last one
 * @seq: chess_task.seq then
 *
 * Only touched by the task itself.
 */
struct chess_fresh {
	unsigned long start;
	unsigned long end;
	u32 seq;
};

#define CHESS_HANDLERS_DEPTH	8

/**
 * struct chess_handler - a signal handler that a task is in (handler.c)
 * @sp: stack pointer of what it interrupted
 * @mask: signals that are blocked again when it returns
 * @alternate: it runs on the alternate stack
 * @same_stack: and what it interrupted ran where it does
 */
struct chess_handler {
	unsigned long sp;
	u64 mask;
	bool alternate;
	bool same_stack;
};

/**
 * struct chess_handlers - those a task is in
 * @at: the outermost first
 * @depth: how many of @at are used
 * @beyond: handlers within these
 * @mask: signals that the task blocks, as was told
 * @sent: signals that it sent itself and has not taken
 *
 * Only touched by the task itself.
 */
struct chess_handlers {
	struct chess_handler at[CHESS_HANDLERS_DEPTH];
	u32 depth;
	u32 beyond;
	u64 mask;
	u64 sent;
};

/**
 * struct chess_task - a kernel task under control
 * @notifier: tells when the task is scheduled in; first, so that chess_gate_current() has
 *	one comparison less
 * @task: the kernel's task; a reference is held
 * @group: its group; a reference is held
 * @node: in the task table, RCU
 * @entry: in group->tasks, or once dead in group->killed; under plock
 * @gate: task work that parks at return to user mode
 * @quantum: task work that takes a decision for a spinning task
 * @custom: the point a BPF program noted
 * @leave: task work that ends control of this task
 * @chore: task work that arms traps and refills @spare
 * @wait: where it parks
 * @rcu: for freeing
 * @dead_next: in group->dead; under plock
 * @spare: memory for the next child, so that fork need not allocate
 * @mm: traps of its address space, or NULL
 * @spare_mm: memory for @mm, should the task be the first of its address space
 * @fair: what the fair scheduler knows of it once it yielded; under plock
 * @cpus: processors it gets back when it leaves control; valid while @bound
 * @cpu: the one processor it was put on; valid while @bound
 * @asked: the program asked for @cpus
 * @bound: it was put on the group's processor; only the task itself, or drain.c while it
 *	sleeps, under group->leaving
 * @id: number in the run, in creation order
 * @pending: registered, has not executed yet; under plock
 * @apart: takes no part: adopted and not arrived, or a child that is let go; it becomes
 *	false in the task itself, or while it sleeps, see adopt.c; under plock
 * @out: it executed a program that stays out of control: until its leave work has run, no
 *	other work holds it or changes its memory; written by the task itself
 * @brief: a process that shares its creator's memory (vfork) and is let go when it
 *	executes a program; written before it runs
 * @alive: is in group->tasks; under plock
 * @enabled: mirrors the group's bitmap; under plock
 * @parked: is in chess_gate_park(); written by the task itself
 * @parked_at: since when, jiffies
 * @frozen: sleeps in gate.c because it is frozen; written by the task itself
 * @thawed: was frozen, and has not looked yet whether the others are back in their places;
 *	only the task itself
 * @unsettled: was woken to be frozen, and is not back in its place; under plock
 * @blocked: a real block happened and the wake-up gate has not seen it yet
 * @block_state: the state it blocked in
 * @kept: sleeps in the kernel's own business and keeps the token; under plock
 * @woken: became enabled through a dying task, event still due; plock
 * @latched: woken from outside, not admitted to the enabled set; plock
 * @latch: order of arrival among latched tasks; plock
 * @has_ring: it has an io_uring, so those have to be watched; only the task itself
 * @rearm: traps of the new program must be armed; only the task itself
 * @executed: the new program has not run yet; only the task itself
 * @exit_point: the point of the task's end was taken; only the task itself
 * @has_threads: it created a thread; only the task itself
 * @exit_code: valid once dead; under plock
 * @seq: seq of its last event; under plock
 * @call: seq of the point of the syscall it executes, zero, or CHESS_CALL_UNTOLD; only the
 *	task itself
 * @quiet: digest of results of syscalls that are no points; only the task itself
 * @pass: see struct chess_pass
 * @hits: traps of @mm that it hit last, by address; only the task itself
 * @trap_slot: where to go on when let go from a trap, or zero
 * @frames: trapped functions it is in; only the task itself
 * @depth: how many of @frames are used
 * @retry: locks it tried; only the task itself
 * @wait_for: the timed call it is in
 * @back: see struct chess_back
 * @line: where it waits with others
 * @expire: task work that ends that call, or its wait in line; does nothing
 * @late: task work that writes @puts
 * @puts: results to be written
 * @nputs: how many
 * @fetch: an argument that is read late
 * @fresh: what it mapped last
 * @handlers: signal handlers it is in
 * @masked: @seq plus one when it last changed its mask while creating a thread
 * @random: task work that answers a large request for random bytes
 * @random_to: user address of the answer
 * @random_len: how many bytes
 * @settle: task work that waits for rings it closed
 * @settle_ticks: how much longer it does at most; written by the task itself only
 * @drain: timerfd that was set anew and has expirations, or NULL; only the task
 *	itself; a reference is held
 * @creates: number of the call that makes a timer and is being executed, or zero; only
 *	the task itself
 * @made: the timer that one made
 * @batch: the recvmmsg() it is in
 */
struct chess_task {
	struct preempt_notifier notifier;
	struct task_struct *task;
	struct chess_group *group;
	struct hlist_node node;
	struct list_head entry;
	struct chess_work gate;
	struct chess_work quantum;
	struct chess_custom custom;
	struct chess_work leave;
	struct chess_work chore;
	struct swait_queue_head wait;
	struct rcu_head rcu;
	struct chess_task *dead_next;
	struct chess_task *spare;
	struct chess_mm *mm;
	struct chess_mm *spare_mm;
	struct chess_fair_row *fair;
	cpumask_var_t cpus;
	unsigned int cpu;
	bool asked;
	bool bound;
	u32 id;
	bool pending;
	bool apart;
	bool out;
	bool brief;
	bool alive;
	bool enabled;
	bool parked;
	unsigned long parked_at;
	bool frozen;
	bool thawed;
	bool unsettled;
	bool blocked;
	unsigned int block_state;
	bool kept;
	bool woken;
	bool latched;
	u32 latch;
	bool has_ring;
	bool rearm;
	bool executed;
	bool exit_point;
	bool has_threads;
	int exit_code;
	u32 seq;
	s32 call;
	u64 quiet;
	struct chess_pass pass;
	struct chess_hit hits[CHESS_HITS];
	unsigned long trap_slot;
	struct chess_frame frames[CHESS_OPS_DEPTH];
	unsigned int depth;
	struct chess_retry retry;
	struct chess_wait wait_for;
	struct chess_back back;
	struct chess_line line;
	struct chess_work expire;
	struct chess_work late;
	struct chess_put puts[4];
	unsigned int nputs;
	struct chess_fetch fetch;
	struct chess_fresh fresh;
	struct chess_handlers handlers;
	u32 masked;
	struct chess_work random;
	unsigned long random_to;
	size_t random_len;
	struct chess_work settle;
	unsigned int settle_ticks;
	struct file *drain;
	long creates;
	struct chess_made made;
	struct chess_batch batch;
};

/**
 * struct chess_guard - when an adopted group lets go by itself (watchdog.c)
 * @max_stall: jiffies a task may be parked; 0: no limit
 * @heartbeat: jiffies the owner may be silent; 0: no limit
 * @heard: when it last was not, jiffies
 * @max_slowdown: tasks that could run, in hundredths; 0: no limit
 * @ticks: ticks that found somebody running, since the average was looked at
 * @ready: tasks that could run, summed up over those ticks
 */
struct chess_guard {
	unsigned long max_stall;
	unsigned long heartbeat;
	unsigned long heard;
	u32 max_slowdown;
	u32 ticks;
	u32 ready;
};

#define CHESS_MAX_INODES	1024

/* Files without traps that one run is told of, and the length of their names. */
#define CHESS_MAX_MAPPED	512
#define CHESS_MAPPED_BYTES	SZ_32K

/**
 * struct chess_mapped - files a run executes code of that have no traps registered
 * @text: a line each, see mapped.c
 * @length: of @text, released with smp_store_release() so that the reader needs no lock
 * @id: the same files as inodes, @n of them
 * @n: see @id
 * @dropped: one found no room
 *
 * Written under group->leaving.
 */
struct chess_mapped {
	char *text;
	u32 length;
	struct chess_object_name *id;
	u32 n;
	bool dropped;
};

/**
 * struct chess_record - the record of a run
 * @quota: where its memory is charged, or NULL
 * @events: @capacity entries, written under plock
 * @length: entries written, released with smp_store_release() so that the
 *	reader needs no lock
 * @capacity: fixed while the group lives
 * @dropped: events that did not fit; under plock
 * @seqs: sorted numbers of events, and of accesses behind them, to take stack snapshots
 *	at; fixed during a run
 * @nseqs: length of @seqs
 * @next: index in @seqs of the next access that is to come; written by the token holder
 * @stacks: one slot of CHESS_STACK_SLOT bytes for each of @seqs
 * @maps: text of the program's file mappings, or NULL; under group->lock
 * @mapped: files without traps that are executed
 */
struct chess_record {
	struct chess_quota *quota;
	struct chess_event *events;
	u32 length;
	u32 capacity;
	u32 dropped;
	u32 seqs[CHESS_MAX_STACKS];
	u32 nseqs;
	u32 next;
	void *stacks;
	char *maps;
	struct chess_mapped mapped;
};

#define CHESS_MAX_MEMORIES	64

/**
 * struct chess_memories - what processes of a run share, by first mapping
 * @n: how many
 * @v: number N at index N - 1
 * @v.name: of the file, which memory without a name has, too
 * @v.at: address that its first byte would have in its first mapping
 *
 * Used by the token holder alone.
 */
struct chess_memories {
	u32 n;
	struct {
		struct chess_object_name name;
		u64 at;
	} v[CHESS_MAX_MEMORIES];
};

/**
 * struct chess_accesses - the accesses of a run, and which sites are points
 * @entries: @capacity of them; written by the token holder alone
 * @length: entries written, released with smp_store_release() so that the reader needs
 *	no lock
 * @capacity: entries there is memory for
 * @max: entries this run may write; 0: it records none. Fixed during a run
 * @lost: accesses that did not fit or whose address could not be told
 * @points: bit N: site N is a point; CHESS_MAX_SITES bits, or NULL: none is. Fixed during
 *	a run
 * @is_chosen: the images have the traps chosen that go with @points and @was_recording
 * @was_recording: for a run that records
 * @vector: where vector and mask registers are stored to; used by the token holder
 * @streak: accesses since the last decision; written by the token holder alone
 * @decisions: chess_group.decisions then
 */
struct chess_accesses {
	struct chess_access *entries;
	u32 length;
	u32 capacity;
	u32 max;
	u64 lost;
	unsigned long *points;
	bool is_chosen;
	bool was_recording;
	struct chess_vector *vector;
	u32 streak;
	u32 decisions;
};

/**
 * struct chess_group - the set of tasks under control of one owner
 * @ref: references: the list, every task, queued work
 * @entry: in the list of groups; under chess_groups_lock
 * @id: number, never reused while the module is loaded
 * @portid: netlink port of the owner
 * @net: its network namespace
 * @sock: the owner's socket, which may be closed; a reference is held
 * @cred: the credentials it was opened with; a reference is held
 * @owner: its pid
 * @owner_uid: who opened the socket
 * @quota: what the owner may have; NULL: it has CAP_SYS_ADMIN
 * @privileged: socket and owner had CAP_SYS_ADMIN, not in a user namespace alone
 * @cpu: processor its tasks are bound to when they come under control
 * @limits: what the control group of its first task allows; written before the run
 * @uprooted: the processor went offline during the run; what the kernel moved is not told
 *	from what others moved
 * @quantum_us: see the ABI
 * @lock: configuration between runs
 * @dead: the owner is gone; no new run; under @lock
 * @pinned: a reference of the module is held for it; under @plock
 * @images: files with traps, RCU list, written under @lock
 * @nprobes: traps in @images; under @lock
 * @runs: runs started; under @lock
 * @generation: changes before what a run left does; under @lock
 * @flags: run flags; under @lock
 * @leaving: one task at a time changes traps, or leaves
 * @drainer: lets sleeping tasks of an adopted group go
 * @drain_pause: jiffies between its passes
 * @plock: protects everything below
 * @state: enum chess_group_state
 * @kill: tasks that leave are killed
 * @adopted: the process that was taken while it ran, or NULL
 * @follow: processes that adopted tasks create stay under control
 * @gathering: tasks are still being taken: no decision yet
 * @held: no decision before the owner releases the run
 * @latching: adopted tasks are latched when they are woken from outside, as others are
 * @guard: when to let go
 * @let_go: enum chess_let_go_reason, or zero
 * @tasks: tasks alive, in order of id
 * @killed: died without the token, KILLED events still due, in order of id
 * @ntasks: their number, without pending ones
 * @next_id: id of the next task
 * @pids: global pid numbers by id, for naming pids in the record
 * @by_id: tasks alive by id
 * @nwoken: tasks with @woken set
 * @nunsettled: tasks with @unsettled set
 * @enabled: enabled set
 * @timed: tasks that are blocked with a deadline
 * @spurious: tasks that are blocked without one, in what may end for nothing
 * @ending: these and @timed; scratch of a decision
 * @guarding: tasks that are blocked with a deadline that is a watchdog's
 * @admitted: the one of these that is in @timed, because its deadline may pass at the
 *	decision in work; or CHESS_TASK_NONE
 * @fair: who has to let others go first
 * @allowed: who of @enabled need not, for a policy; scratch of a decision
 * @now: the group's clock, nanoseconds
 * @random: state of the generator of random numbers
 * @sent: signals that its tasks sent, as a mask; written by the token holder alone
 * @timers: of the program, CHESS_MAX_TIMERS
 * @narmed: how many of them are armed
 * @firing: some are due; the decision waits until they have gone off
 * @firing_cpu: processor they are going off on, or -1
 * @token: who may run, or NULL; a task that is alive, and only while @state is running
 * @deferred: a decision waits for @deferred_event (see settle.c)
 * @deferred_event: the event to record and decide on
 * @deferred_ticks: watchdog ticks it has been waiting for
 * @passing: task whose deadline was chosen to pass, while timers that are due before it
 *	go off; or CHESS_TASK_NONE
 * @places: of tasks that wait in line, the last that was given
 * @round: those in front of task @round.target are sent round before task @round.waker goes
 *	on; or that is CHESS_TASK_NONE
 * @prefix: forced decisions
 * @policy: what decides behind it; not used with the default
 * @decisions: decisions taken
 * @latches: tasks that were latched in this run
 * @nlatched: tasks that are latched now
 * @outside_task: who was last woken from outside, or CHESS_TASK_NONE; under @plock
 * @outside_pid: by whom; 0: an interrupt
 * @outside_comm: its name
 * @yield_spent: timers went off for the yield in @deferred_event; under @plock
 * @streak_task: id of the task that took the last point
 * @streak: points it took in a row; under @plock
 * @since_latch: points since a task is latched and was not admitted
 * @inodes: canonical names, number N at index N - 1; written under plock, and not
 *	changed during a run
 * @ninodes: how many; released with smp_store_release()
 * @missed: chess_probe_missed() when the run began
 * @lost: tasks, traps and events lost
 * @stalls: tokens taken by the watchdog
 * @notices: bit N: notice N is due
 * @notice_seq: event number for a notice of divergence
 * @dead_tasks: dead tasks waiting to be freed
 * @tick_decisions: value of @decisions at the last watchdog tick
 * @tick_user: ticks that found the holder in user mode since its last decision
 * @tick_idle: ticks the holder slept while its processor was idle
 * @irq_work: wakes the token holder, frees, queues @worker
 * @worker: sends notices
 * @releaser: frees the group
 * @timer: watchdog tick
 * @mover: brings it to the processor of the token holder
 * @record: what happened
 * @accesses: what was read and written; not under @plock
 * @memories: what processes share; not under @plock
 * @empty: somebody waits for @ntasks to become zero
 */
struct chess_group {
	struct kref ref;
	struct list_head entry;
	u32 id;
	u32 portid;
	struct net *net;
	struct sock *sock;
	const struct cred *cred;
	struct pid *owner;
	kuid_t owner_uid;
	struct chess_quota *quota;
	bool privileged;
	unsigned int cpu;
	cpumask_var_t limits;
	bool uprooted;
	u32 quantum_us;

	struct mutex lock;	/* protects configuration between runs */
	bool dead;
	bool pinned;
	struct list_head images;
	u32 nprobes;
	u32 runs;
	u32 generation;
	u32 flags;
	struct mutex leaving;	/* serializes changes of traps, and tasks that leave */
	struct delayed_work drainer;
	unsigned long drain_pause;

	raw_spinlock_t plock;	/* protects all that follows */
	u32 state;
	bool kill;
	struct pid *adopted;
	bool follow;
	bool gathering;
	bool held;
	bool latching;
	struct chess_guard guard;
	u32 let_go;
	struct list_head tasks;
	struct list_head killed;
	u32 ntasks;
	u32 next_id;
	u32 *pids;
	struct chess_task **by_id;
	u32 nwoken;
	u32 nunsettled;
	struct chess_set enabled;
	struct chess_set timed;
	struct chess_set spurious;
	struct chess_set ending;
	struct chess_set guarding;
	u32 admitted;
	struct chess_fair fair;
	struct chess_set allowed;
	u64 now;
	u64 random;
	u64 sent;
	struct chess_timer *timers;
	u32 narmed;
	bool firing;
	int firing_cpu;
	struct chess_task *token;
	bool deferred;
	struct chess_event deferred_event;
	u32 deferred_ticks;
	u32 passing;
	u32 places;
	struct {
		u32 waker;
		u32 target;
	} round;
	struct chess_prefix prefix;
	struct chess_policy policy;
	u32 decisions;
	u32 latches;
	u32 nlatched;
	u32 outside_task;
	pid_t outside_pid;
	char outside_comm[TASK_COMM_LEN];
	bool yield_spent;
	u32 streak_task;
	u32 streak;
	u32 since_latch;
	struct chess_object_name *inodes;
	u32 ninodes;
	u32 missed;
	u32 lost;
	u32 stalls;
	unsigned long notices;
	u32 notice_seq;
	struct chess_task *dead_tasks;
	u32 tick_decisions;
	u32 tick_user;
	u32 tick_idle;
	struct irq_work irq_work;
	struct work_struct worker;
	struct work_struct releaser;
	struct hrtimer timer;
	call_single_data_t mover;
	struct chess_record record;
	struct chess_accesses accesses;
	struct chess_memories memories;
	wait_queue_head_t empty;
};

#endif /* _CHESS_H */
