/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * isolate.c: what a program sees of the rest of the system is the same in every
 * run. runner.c makes one for all its runs, and calls begin, spawn, enter (in the
 * child) and end for each of them. The rest of it is public, for debuggers.
 */
#ifndef CHESSCTL_ISOLATE_H
#define CHESSCTL_ISOLATE_H

#include <sys/types.h>

#include "chessctl/chessctl.h"

/* One sentence: what differs from run to run because of a right we lack, or NULL. */
const char *chess_isolate_missing(const struct chess_isolate *iso);

/* Has each run an empty /tmp, from the next one on? */
void chess_isolate_private_tmp(struct chess_isolate *iso, bool on);

/* Has the run that is over, and not ended here, left files where @iso has it find none? */
bool chess_isolate_has_files(const struct chess_isolate *iso);

/* Like vfork(), but the child runs @fn on a stack of its own. Return: its pid as we
 * see it, or -1 and errno.
 */
pid_t chess_isolate_spawn(struct chess_isolate *iso, int (*fn)(void *arg), void *arg);

/* Have the PID namespace of the runs within another one, for a process that is kept; all
 * processes in it end. Return: 0, or -errno where that cannot be, and nothing is changed.
 */
int chess_isolate_nest(struct chess_isolate *iso);

/* Like chess_isolate_spawn(), but in the outer namespace; @fn calls enter_kept(). */
pid_t chess_isolate_spawn_kept(struct chess_isolate *iso, int (*fn)(void *arg), void *arg);

/* In that child; what it forks later is in the namespace of the runs. */
const char *chess_isolate_enter_kept(const struct chess_isolate *iso);

/* What getppid() says in the child as long as we live. */
pid_t chess_isolate_parent(const struct chess_isolate *iso);

#endif /* CHESSCTL_ISOLATE_H */
