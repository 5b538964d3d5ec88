/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps tasks that are not under control out of the tracepoints of system calls.
 */
#ifndef _CHESS_BYSTANDER_H
#define _CHESS_BYSTANDER_H

struct task_struct;

void chess_bystander_attach(void *enter, void *exit);
void chess_bystander_detach(void);
void chess_bystander_involve(struct task_struct *task);
void chess_bystander_excuse(void);

#endif /* _CHESS_BYSTANDER_H */
