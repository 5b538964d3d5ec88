/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * partial.c: tasks that wait for each other's locks for ever while others go on. The
 * record alone says so; nobody has to look while it happens.
 */
#ifndef CHESSCTL_PARTIAL_H
#define CHESSCTL_PARTIAL_H

#include "chessctl/chessctl.h"

/**
 * struct chess_partial - a cycle of locks
 * @at: the event, a BLOCK, that closed it; 0: there is none
 * @waits: of the tasks in the cycle; chess_waits_free()
 * @n: how many
 */
struct chess_partial {
	uint32_t at;
	struct chess_wait *waits;
	size_t n;
};

/*
 * The first cycle in @r. @only_sync: system calls were not points, so a task may block
 * after its last point. Return: 0, or -errno with chess_error().
 */
int chess_partial_find(const struct chess_record *r, bool only_sync, struct chess_partial *out);

#endif /* CHESSCTL_PARTIAL_H */
