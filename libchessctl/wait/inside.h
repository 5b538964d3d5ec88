/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel's own structures, read with BPF (look.c), say of blocked tasks.
 *
 *     inside.c   asks, and puts both into the waits
 *     kobject.c  the object a task waits on: what is in it, which tasks have its other end
 *     kstack.c   the functions of the kernel it sleeps in
 */
#ifndef CHESSCTL_INSIDE_H
#define CHESSCTL_INSIDE_H

#include "chessctl/chessctl.h"
#include "wait/look.h"

/* Both: malloc'ed text to *@text, NULL where nothing is known. 0 or -errno. */

/* "pipe_read,vfs_read,ksys_read": innermost first. */
int chess_kstack_text(struct chess_look *l, const struct chess_look_task *t, char **text);

/* "pipe, 0 of 16 slots full; written through fd 4 of T0's process"; @tasks are those of the group. */
int chess_kobject_text(const struct chess_snapshot *s, const struct chess_look_task *t,
		       const struct chess_task_info *tasks, size_t n_tasks, char **text);

/* Does that text need more than the tasks of a snapshot: chess_look_take()? */
bool chess_kobject_needs_files(const struct chess_look_task *t);

#endif /* CHESSCTL_INSIDE_H */
