/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks under control: the table that finds them, their birth and their end.
 */
#ifndef _CHESS_TASK_H
#define _CHESS_TASK_H

#include <linux/list.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include <uapi/linux/chess_record.h>

#include "affinity.h"
#include "gate.h"
#include "handler.h"
#include "queue.h"
#include "random.h"
#include "sched_shown.h"
#include "spurious.h"
#include "time/batch.h"
#include "time/cputime.h"
#include "time/deadline.h"
#include "time/timer.h"
#include "traps/copy.h"
#include "traps/split.h"
#include "traps/trap.h"
#include "uring.h"
#include "user.h"
#include "witness.h"

struct chess_fair_row;
struct chess_group;
struct chess_mm;
struct linux_binprm;

/**
 * struct chess_task - a kernel task under control
 * @notifier: tells when the task is scheduled in; first, so that chess_task_current() has
 *	one comparison less
 * @task: the kernel's task; a reference is held
 * @group: its group; a reference is held
 * @node: in the task table, RCU; written under chess_tasks_lock
 * @entry: in group->tasks, or once dead in group->killed; under plock
 * @gate: where it parks
 * @leave: task work that ends control of this task
 * @chore: task work that arms traps and refills @spare
 * @rcu: for freeing
 * @dead_next: in group->dead_tasks; under plock
 * @spare: memory for the next child, so that fork need not allocate; only the task itself
 * @mm: traps of its address space, or NULL; written by the task itself, or while it sleeps
 * @spare_mm: memory for @mm, should the task be the first of its address space; the same
 * @fair: what the fair scheduler knows of it once it yielded; under plock
 * @binding: where it was put
 * @shown: what it shows of its scheduling policy
 * @id: number in the run, in creation order; fixed once it is found by it
 * @pending: registered, has not executed yet; under plock
 * @apart: takes no part: adopted and not arrived, or a child that is let go; it becomes
 *	false in the task itself, or while it sleeps, see adopt.c; under plock
 * @out: it executed a program that stays out of control: until its leave work has run, no
 *	other work holds it or changes its memory; written by the task itself
 * @brief: a process that shares its creator's memory (vfork) and is let go when it
 *	executes a program; written before it runs
 * @alive: is in group->tasks; under plock
 * @enabled: mirrors the group's bitmap; under plock
 * @away: was woken to be frozen, and is not back in its place; under plock
 * @blocked: a real block happened and the wake-up gate has not seen it yet; only the task
 *	itself, or adopt.c while it sleeps
 * @block_state: the state it blocked in; under plock
 * @kept: sleeps in the kernel's own business and keeps the token; under plock
 * @woken: became enabled, event still due; under plock
 * @waker: id of the task that woke it then, or CHESS_TASK_NONE; under plock
 * @latched: woken from outside, not admitted to the enabled set; under plock
 * @latch: order of arrival among latched tasks; under plock
 * @rearm: traps of the new program must be armed; only the task itself
 * @executed: the new program has not run yet; only the task itself
 * @exit_point: the point of the task's end was taken; only the task itself
 * @has_threads: it created a thread; only the task itself
 * @exit_code: valid once dead; under plock
 * @cputime: the processor time it used; locks stand there
 * @seq: seq of its last event; under plock
 * @call: seq of the point of the syscall it executes, zero, or CHESS_CALL_UNTOLD; only the
 *	task itself
 * @quiet: digest of results of syscalls that are not points; only the task itself
 * @pass: the point that was decided and not executed; only the task itself
 * @traps: those it hit; only the task itself
 * @wait_for: the timed call it is in; locks stand there
 * @spurious: may that call end without a wake-up; locks stand there
 * @line: where it waits with others; locks stand there
 * @expire: task work that ends that call, or its wait in line; does nothing
 * @late: results to be written; only the task itself
 * @fetch: an argument that is read late; only the task itself
 * @split: the update without a lock that it is in; only the task itself
 * @copy: the copy that it is in; only the task itself
 * @noticed: what it mapped and masked last; only the task itself
 * @handlers: signal handlers it is in; only the task itself
 * @random: the random numbers it asked for; only the task itself
 * @ring: its io_uring; only the task itself
 * @timer_call: the timer it is about to have; only the task itself
 * @batch: the recvmmsg() it is in; only the task itself
 */
struct chess_task {
	struct preempt_notifier notifier;
	struct task_struct *task;
	struct chess_group *group;
	struct hlist_node node;
	struct list_head entry;
	struct chess_gate gate;
	struct chess_work leave;
	struct chess_work chore;
	struct rcu_head rcu;
	struct chess_task *dead_next;
	struct chess_task *spare;
	struct chess_mm *mm;
	struct chess_mm *spare_mm;
	struct chess_fair_row *fair;
	struct chess_binding binding;
	struct chess_shown shown;
	u32 id;
	bool pending;
	bool apart;
	bool out;
	bool brief;
	bool alive;
	bool enabled;
	bool away;
	bool blocked;
	unsigned int block_state;
	bool kept;
	bool woken;
	u32 waker;
	bool latched;
	u32 latch;
	bool rearm;
	bool executed;
	bool exit_point;
	bool has_threads;
	int exit_code;
	struct chess_cputime cputime;
	u32 seq;
	s32 call;
	u64 quiet;
	struct chess_pass pass;
	struct chess_traps traps;
	struct chess_wait wait_for;
	struct chess_spurious spurious;
	struct chess_line line;
	struct chess_work expire;
	struct chess_late late;
	struct chess_fetch fetch;
	struct chess_split split;
	struct chess_copy copy;
	struct chess_noticed noticed;
	struct chess_handlers handlers;
	struct chess_random random;
	struct chess_ring ring;
	struct chess_timer_call timer_call;
	struct chess_batch batch;
};

/**
 * chess_task_current() - the task of current, if it is executed under control
 *
 * Much faster than chess_task_find(), and other tasks are recognised at a glance.
 *
 * Context: any.
 * Return: the task or NULL.
 */
static inline struct chess_task *chess_task_current(void)
{
	struct preempt_notifier *notifier;

	/* Nobody else changes it. */
	hlist_for_each_entry(notifier, &current->preempt_notifiers, link)
		if (notifier->ops == &chess_gate_notifier)
			return container_of(notifier, struct chess_task, notifier);
	return NULL;
}

struct chess_task *chess_task_find(const struct task_struct *task);

/**
 * chess_task_of_pid() - the task that a call of another one names
 * @t: the other one, which is current
 * @pid: as the call has it; 0: itself
 *
 * Context: any, under RCU.
 * Return: the task; NULL: it is none of the group.
 */
static inline struct chess_task *chess_task_of_pid(struct chess_task *t, pid_t pid)
{
	struct task_struct *task = pid ? pid_task(find_vpid(pid), PIDTYPE_PID) : NULL;
	struct chess_task *of = task ? chess_task_find(task) : NULL;

	if (!pid)
		return t;
	return of && of->group == t->group ? of : NULL;
}

struct chess_task *chess_task_create_with_spare(struct chess_group *group);
void chess_task_free(struct chess_task *t);
void chess_task_free_dead(struct chess_task *list);
int chess_task_register(struct chess_group *group, struct task_struct *task);
u32 chess_task_free_id_locked(const struct chess_group *g);
void chess_task_add_locked(struct chess_task *t, struct task_struct *task);
bool chess_task_works_queued(const struct chess_task *t);
bool chess_task_shares(struct chess_group *g, const struct mm_struct *space);
struct chess_task *chess_task_next(struct chess_group *g, u32 id);
void chess_task_bury_locked(struct chess_task *t);
void chess_task_discard_locked(struct chess_task *t);
void chess_task_remove_locked(struct chess_task *t);
int chess_task_exit_code(const struct task_struct *task);

/* birth.c */
int chess_task_adopt(struct chess_group *g, struct task_struct *task);
void chess_task_arm_adopted(struct chess_group *g);
void chess_task_forked(struct chess_task *parent, struct task_struct *child);
void chess_task_executed(struct chess_task *t, struct linux_binprm *bprm);
void chess_task_leave(struct chess_task *t);

/**
 * chess_address_in() - an address in an address space, as records tell it
 * @mm: the address space, or NULL
 * @address: user address
 *
 * Context: any; it does not end meanwhile.
 * Return: see chess_task_address().
 */
static inline u64 chess_address_in(const struct mm_struct *mm, u64 address)
{
	if (address - CHESS_STACK_LOW >= TASK_SIZE_MAX - CHESS_STACK_LOW || !mm)
		return address;
	return address - mm->start_stack + CHESS_STACK_START;
}

/**
 * chess_task_address() - an address of current's program, as records tell it
 * @address: user address
 *
 * The kernel leaves more room than this between the first stack and the mappings
 * below it.
 *
 * Context: any, in current.
 * Return: the same; on the first stack: as if that began at CHESS_STACK_START.
 */
static inline u64 chess_task_address(u64 address)
{
	return chess_address_in(current->mm, address);
}

/**
 * chess_task_dying() - does this task go its way out without the token
 * @t: a task other than the one that takes a decision
 *
 * Fatal signals always win (invariant I4): such a task runs to its end at once.
 * Decisions wait for that end, see settle.c.
 *
 * Context: any.
 * Return: whether it does.
 */
static inline bool chess_task_dying(const struct chess_task *t)
{
	return (t->task->flags & PF_EXITING) ||
	       __fatal_signal_pending(t->task) ||
	       (READ_ONCE(t->task->signal->flags) & SIGNAL_GROUP_EXIT);
}

#endif /* _CHESS_TASK_H */
