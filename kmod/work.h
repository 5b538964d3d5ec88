/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work that a task does when it returns to user mode. task.c queues it.
 */
#ifndef _CHESS_WORK_H
#define _CHESS_WORK_H

#include <linux/task_work.h>

/**
 * struct chess_work - a task_work item that is queued at most once
 * @head: for task_work_add()
 * @queued: set while it is queued; a queued item cannot be taken back
 */
struct chess_work {
	struct callback_head head;
	unsigned long queued;
};

bool chess_work_queue(struct chess_work *work, struct task_struct *task,
		      enum task_work_notify_mode mode);

#endif /* _CHESS_WORK_H */
