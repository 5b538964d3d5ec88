/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processor time of tasks and processes, on the group's clock.
 */
#ifndef _CHESS_CPUTIME_H
#define _CHESS_CPUTIME_H

#include <linux/list.h>
#include <linux/types.h>

struct chess_account;
struct pid;
struct chess_group;
struct chess_task;
struct pt_regs;

/**
 * struct chess_accounts - processor time of the processes of a group
 * @accounts: a struct chess_account for each; under plock
 * @n: how many; under plock
 * @purge_at: with how many those are looked for that nobody needs; under plock
 */
struct chess_accounts {
	struct list_head accounts;
	u32 n;
	u32 purge_at;
};

/**
 * struct chess_cputime - the processor time that a task used
 * @account: that of its process, or NULL: time is the machine's; under plock
 * @spare: memory for @account, should the task be the first of its process; written before
 *	it is found
 * @user: in user mode, nanoseconds; under plock
 * @system: and in the kernel; under plock
 */
struct chess_cputime {
	struct chess_account *account;
	struct chess_account *spare;
	u64 user;
	u64 system;
};

/**
 * enum chess_cpu_kind - what a clock or timer of processor time counts
 * @CHESS_CPU_NONE: it is none
 * @CHESS_CPU_PROCESS: what a process used
 * @CHESS_CPU_PROCESS_USER: of that, what it used in user mode
 * @CHESS_CPU_TASK: what a task used
 * @CHESS_CPU_TASK_USER: of that, what it used in user mode
 */
enum chess_cpu_kind {
	CHESS_CPU_NONE,
	CHESS_CPU_PROCESS,
	CHESS_CPU_PROCESS_USER,
	CHESS_CPU_TASK,
	CHESS_CPU_TASK_USER,
};

/**
 * struct chess_cpu_clock - a clock of processor time
 * @kind: what it counts
 * @task: of this one, or of its process
 */
struct chess_cpu_clock {
	enum chess_cpu_kind kind;
	struct chess_task *task;
};

struct chess_account *chess_cputime_create(void);
void chess_cputime_free(struct chess_account *account);
void chess_cputime_join_locked(struct chess_task *t, struct chess_account *account);
void chess_cputime_leave_locked(struct chess_task *t);
const struct pid *chess_cputime_ending_locked(const struct chess_task *t);
void chess_cputime_purge(struct chess_group *g);
void chess_cputime_clear(struct chess_group *g);
void chess_cputime_charge_locked(struct chess_task *t, u64 user, u64 system);
u64 chess_cputime_read_locked(const struct chess_task *t, enum chess_cpu_kind kind);
bool chess_cputime_clock(struct chess_task *t, int clock, struct chess_cpu_clock *of);
void chess_cputime_call(struct chess_task *t);
bool chess_cputime_answer(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_cputime_exit(struct chess_task *t, const struct pt_regs *regs, long nr, long ret);

#endif /* _CHESS_CPUTIME_H */
