/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every version check and every symbol the kernel does not export to modules.
 * docs/kernels.md lists them with the evidence.
 */
#ifndef _CHESS_COMPAT_H
#define _CHESS_COMPAT_H

#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal_types.h>
#include <linux/tracepoint.h>

struct cred;
struct hrtimer;

/**
 * chess_compat_siglock() - the lock of current's signals
 *
 * Its pointer is marked __rcu, for those who look at other tasks; it is fixed in the task
 * itself.
 *
 * Context: process, in current.
 * Return: the lock.
 */
static inline spinlock_t *chess_compat_siglock(void)
{
	return &rcu_dereference_protected(current->sighand, true)->siglock;
}

void *chess_compat_function(const char *name);
struct tracepoint *chess_compat_tracepoint(const char *name);
void chess_compat_send_signal(struct kernel_siginfo *info, struct task_struct *task,
			      enum pid_type type);

/**
 * struct chess_posix_timer - a timer of timer_create(), as the kernel keeps it
 * @clock: its clock
 * @notify: SIGEV_*
 * @signo: signal; valid unless @notify is SIGEV_NONE
 * @value: what comes with it
 * @pid: the process, or with SIGEV_THREAD_ID the thread, that gets it; a reference
 */
struct chess_posix_timer {
	int clock;
	int notify;
	int signo;
	sigval_t value;
	struct pid *pid;
};

bool chess_compat_posix_timer(int id, struct chess_posix_timer *out);
bool chess_compat_is_ring_timer(const struct hrtimer *timer);
bool chess_compat_is_timerfd(const struct file *file);
bool chess_compat_is_pidfd(const struct file *file);
bool chess_compat_is_in_epoll(const struct file *file);
void chess_compat_timerfd_expire(struct file *file, u64 times);
void chess_compat_timerfd_forget(struct file *file);
bool chess_compat_works_can_be_cancelled(void);
bool chess_compat_work_cancel(struct task_struct *task, struct callback_head *work);
bool chess_compat_is_asleep(struct task_struct *task);
bool chess_compat_cpuset(struct task_struct *task, struct cpumask *cpus);
long chess_compat_set_affinity(pid_t pid, const struct cpumask *cpus);
bool chess_compat_is_frozen(struct task_struct *task, unsigned int state);
bool chess_compat_is_freezing(struct task_struct *task);
void chess_compat_freeze_begin(void);
void chess_compat_freeze_end(void);
bool chess_compat_has_btf(void);
bool chess_compat_may_ptrace(const struct cred *cred, struct task_struct *task);
int chess_compat_init(void);
void chess_compat_timer_init(void);

#endif /* _CHESS_COMPAT_H */
