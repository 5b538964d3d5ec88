/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of functions that have returned, to which other tasks may still have pointers.
 */
#ifndef CHESSCTL_FRAMES_H
#define CHESSCTL_FRAMES_H

#include "chessctl/chessctl.h"

/* In place of a site: what a task does to its own stack, which is not recorded. */
#define CHESS_SITE_STACK	UINT32_MAX

/**
 * chess_frames_find() - what other tasks do in a task's frames, and where those end
 * @run: with record and accesses
 * @kind: what is asked for the kind of an access; READ and WRITE may be missing
 * @arg: for @kind
 * @out: accesses of tasks to what has been a frame of another one, what orders tasks, and each
 *	end of frames as if their memory was taken away, with CHESS_SITE_STACK. NULL where no task
 *	accesses another one's. free() it
 * @n: how many
 *
 * Where a task overwrites its own stack is not recorded, since that cannot race but here.
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_frames_find(const struct chess_run_result *run,
		      uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
		      struct chess_access **out, size_t *n);

#endif /* CHESSCTL_FRAMES_H */
