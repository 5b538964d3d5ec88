/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs of a group: start, stop, and letting go of adopted tasks.
 */
#ifndef _CHESS_RUN_H
#define _CHESS_RUN_H

#include "chess.h"

struct netlink_ext_ack;

int chess_run_start(struct chess_group *g, u32 flags, u32 fair, const u32 *seqs, u32 nseqs,
		    struct netlink_ext_ack *extack);
int chess_run_stop(struct chess_group *g, bool kill);
void chess_run_kill(struct chess_group *g);
void chess_run_let_go_locked(struct chess_group *g, u32 reason);

#endif /* _CHESS_RUN_H */
