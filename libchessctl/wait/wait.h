/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wait.c: what blocked tasks wait in, and whether anything outside the group can
 * end that. runner.c asks when the module says that no task is enabled.
 */
#ifndef CHESSCTL_WAIT_H
#define CHESSCTL_WAIT_H

#include "chessctl/chessctl.h"

/*
 * The waits of all blocked tasks of a group; @r is its record so far. *@stuck: no
 * task is enabled, at least one is blocked, and nothing outside can end any wait.
 * Return: 0 or -errno.
 */
int chess_waits_collect(struct chess_ctl *c, uint32_t group, const struct chess_record *r,
			bool real_time, struct chess_wait **out, size_t *n, bool *stuck);

#endif /* CHESSCTL_WAIT_H */
