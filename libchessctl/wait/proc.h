/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* proc.c: what /proc says of one task, for wait.c and live.c. */
#ifndef CHESSCTL_PROC_H
#define CHESSCTL_PROC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* /proc/TID/NAME as text, cut at @size. Return: its length, 0 or -1. */
ssize_t chess_proc_read(pid_t tid, const char *name, char *text, size_t size);

/* The process of a task, and that one's parent; 0: it is gone. */
pid_t chess_proc_tgid(pid_t tid);
pid_t chess_proc_parent(pid_t tid);

/* What the task itself knows as its thread id or process id; @line is "\nNSpid:" or
 * "\nNStgid:", of which the last number is that of the task's own PID namespace.
 */
pid_t chess_proc_own_id(pid_t tid, const char *line);

/* R, S, D, T, t, Z, ...; 0: it is gone. */
char chess_proc_state(pid_t tid);

#endif /* CHESSCTL_PROC_H */
