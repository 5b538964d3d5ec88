/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every version check and every symbol the kernel does not export to modules.
 * docs/kernels.md lists them with the evidence.
 */
#ifndef _CHESS_COMPAT_H
#define _CHESS_COMPAT_H

#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

struct tracepoint *chess_compat_tracepoint(const char *name);
void chess_compat_send_signal(struct kernel_siginfo *info, struct task_struct *task,
			      enum pid_type type);
bool chess_compat_is_ring_timer(const struct hrtimer *timer);
bool chess_compat_timerfd_works(void);
void chess_compat_timerfd_expire(struct file *file);
bool chess_compat_works_can_be_cancelled(void);
bool chess_compat_work_cancel(struct task_struct *task, struct callback_head *work);
bool chess_compat_is_asleep(struct task_struct *task);
bool chess_compat_has_btf(void);
bool chess_compat_may_ptrace(struct task_struct *task);
int chess_compat_init(void);

#endif /* _CHESS_COMPAT_H */
