/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * isolate.c: what a program sees of the rest of the system is the same in every
 * run. runner.c makes one for all its runs, and calls begin, spawn, enter (in the
 * child) and end for each of them.
 */
#ifndef CHESSCTL_ISOLATE_H
#define CHESSCTL_ISOLATE_H

#include <sys/types.h>

#include "chessctl/chessctl.h"

struct chess_isolate;

/* NULL, errno and a sentence when something that was asked for cannot be had. */
struct chess_isolate *chess_isolate_new(const struct chess_runner_opts *o);
void chess_isolate_free(struct chess_isolate *iso);

/* One sentence: what differs from run to run because of a right we lack, or NULL. */
const char *chess_isolate_missing(const struct chess_isolate *iso);

/* Before each run; @cwd is the program's working directory, NULL: ours. */
int chess_isolate_begin(struct chess_isolate *iso, const char *cwd);

/* Like vfork(), but the child runs @fn on a stack of its own. Return: its pid as we
 * see it, or -1 and errno.
 */
pid_t chess_isolate_spawn(struct chess_isolate *iso, int (*fn)(void *arg), void *arg);

/* In the child, with the rights we started with. Return: NULL, or the name of the
 * call that failed, and errno.
 */
const char *chess_isolate_enter(const struct chess_isolate *iso);

/* What getppid() says in the child as long as we live. */
pid_t chess_isolate_parent(const struct chess_isolate *iso);

/* The root task has been reaped. @left: tasks may live that left control. */
void chess_isolate_end(struct chess_isolate *iso, bool left);

#endif /* CHESSCTL_ISOLATE_H */
