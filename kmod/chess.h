/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A group: what all files share of it, and what each noun keeps there, whose struct stands
 * in the noun's own header; such headers do not include this one. A task is in task.h. And
 * the one table of the module's locks.
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

#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <uapi/linux/chess.h>
#include <uapi/linux/chess_record.h>

#include "adopt.h"
#include "affinity.h"
#include "decide.h"
#include "drain.h"
#include "fair.h"
#include "hot.h"
#include "kept.h"
#include "memory.h"
#include "netlink.h"
#include "policy.h"
#include "queue.h"
#include "record.h"
#include "rights.h"
#include "settle.h"
#include "spurious.h"
#include "task.h"
#include "time/clock.h"
#include "time/cputime.h"
#include "time/deadline.h"
#include "time/late.h"
#include "time/timer.h"
#include "traps/access.h"
#include "traps/image.h"
#include "watchdog.h"

/**
 * struct chess_group - the set of tasks under control of one owner
 * @ref: references: the list, every task, queued work
 * @entry: in the list of groups; under chess_groups_lock
 * @id: number, never reused while the module is loaded; fixed
 * @owner: whose it is; fixed
 * @quota: what the owner may have; NULL: it has CAP_SYS_ADMIN; fixed
 * @place: the processor of its tasks; locks stand there
 * @lock: configuration between runs
 * @dead: the owner is gone; no new run; under @lock
 * @pinned: a reference of the module is held for it; under @plock
 * @images: files with traps; locks stand there
 * @runs: runs started; under @lock
 * @generation: changes before what a run left does; under @lock
 * @flags: run flags; under @lock
 * @leaving: one task at a time changes traps, or leaves
 * @drainer: lets sleeping tasks of an adopted group go
 * @plock: what says so, here and in the structs that stand below
 * @state: enum chess_group_state; under @plock
 * @kill: tasks that leave are killed; under @plock
 * @kill_sent: each task that there was when @kill was set has had its signal
 * @adoption: the process that was taken while it ran; under @plock
 * @tasks: tasks alive, in order of id; under @plock
 * @killed: died without the token, KILLED events still due, in order of id; under @plock
 * @ntasks: tasks alive, without pending ones; under @plock
 * @next_id: id of the next task, until they are used up; then how many there are; under @plock
 * @last_id: of the last task that was made; under @plock
 * @pids: global pid numbers by id, for naming pids in the record; under @plock
 * @by_id: tasks alive by id; under @plock
 * @nwoken: tasks with @woken set; under @plock
 * @naway: tasks with @away set; under @plock
 * @enabled: enabled set; under @plock
 * @timed: tasks that are blocked with a deadline; under @plock
 * @deadlines: those that do not pass early; under @plock
 * @late: which the owner keeps from that
 * @spurious: tasks that are blocked without a deadline, in a wait that may end without a wake-up
 * @fair: tasks that have to let others go first; under @plock
 * @clock: the time that its tasks see; under @plock
 * @cputime: and the processor time; under @plock
 * @random: state of the generator of random numbers; under @plock
 * @sent: signals that its tasks sent, as a mask; written by the token holder alone
 * @timers: of the program; under @plock
 * @token: who may run, or NULL; a task that is alive, and only while @state is running;
 *	under @plock
 * @deferral: the decision that waits; under @plock
 * @queue: lines in which tasks wait; under @plock
 * @prefix: forced decisions; under @plock
 * @policy: what decides after it; not used with the default; under @plock
 * @decisions: decisions taken; under @plock
 * @latches: tasks woken from outside; under @plock
 * @streak: points in a row; under @plock
 * @inodes: their numbers; locks stand there
 * @missed: chess_probe_missed() when the run began; under @plock
 * @lost: tasks, traps and events lost; under @plock
 * @stalls: tokens taken by the watchdog; under @plock
 * @notices: what is to be reported to the owner; under @plock
 * @dead_tasks: dead tasks waiting to be freed; under @plock
 * @watchdog: its slow timer; locks stand there
 * @irq_work: wakes the token holder, frees, queues @worker
 * @worker: sends notices
 * @releaser: frees the group
 * @record: what happened; locks stand there
 * @accesses: what was read and written; written by the token holder alone
 * @memories: what processes share; used by the token holder alone
 * @keep: the process that is kept; locks stand there
 * @empty: somebody waits for @ntasks to become zero
 */
struct chess_group {
	struct kref ref;
	struct list_head entry;
	u32 id;
	struct chess_owner owner;
	struct chess_quota *quota;
	struct chess_place place;

	struct mutex lock;	/* protects configuration between runs */
	bool dead;
	bool pinned;
	struct chess_images images;
	u32 runs;
	u32 generation;
	u32 flags;
	struct mutex leaving;	/* serializes changes of traps, and tasks that leave */
	struct chess_drainer drainer;

	raw_spinlock_t plock;	/* protects what says so above and below */
	u32 state;
	bool kill;
	bool kill_sent;
	struct chess_adoption adoption;
	struct list_head tasks;
	struct list_head killed;
	u32 ntasks;
	u32 next_id;
	u32 last_id;
	u32 *pids;
	struct chess_task **by_id;
	u32 nwoken;
	u32 naway;
	struct chess_set enabled;
	struct chess_set timed;
	struct chess_deadlines deadlines;
	struct chess_late_rules late;
	struct chess_spurious_waits spurious;
	struct chess_fair fair;
	struct chess_clock clock;
	struct chess_accounts cputime;
	u64 random;
	u64 sent;
	struct chess_timers timers;
	struct chess_task *token;
	struct chess_deferral deferral;
	struct chess_queue queue;
	struct chess_prefix prefix;
	struct chess_policy policy;
	u32 decisions;
	struct chess_latches latches;
	struct chess_streak streak;
	struct chess_inodes inodes;
	u32 missed;
	u32 lost;
	u32 stalls;
	struct chess_notices notices;
	struct chess_task *dead_tasks;
	struct chess_watchdog watchdog;
	struct irq_work irq_work;
	struct work_struct worker;
	struct work_struct releaser;
	struct chess_record record;
	struct chess_accesses accesses;
	struct chess_memories memories;
	struct chess_keep keep;
	wait_queue_head_t empty;
};

/**
 * chess_task_of_id_locked() - the task with this id
 * @g: the group
 * @id: any number
 *
 * Context: any, group->plock held.
 * Return: the task, or NULL if there is none.
 */
static inline struct chess_task *chess_task_of_id_locked(const struct chess_group *g,
							 unsigned int id)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (id >= CHESS_MAX_TASKS)
		return NULL;
	return g->by_id[array_index_nospec(id, CHESS_MAX_TASKS)];
}

/**
 * chess_kept_is_due() - is the next point the one at which the process is kept
 * @g: the group
 *
 * Context: any.
 * Return: whether it is.
 */
static inline bool chess_kept_is_due(const struct chess_group *g)
{
	return unlikely(READ_ONCE(g->keep.at) == READ_ONCE(g->decisions));
}

#endif /* _CHESS_H */
