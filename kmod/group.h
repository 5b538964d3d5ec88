/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups: life, ownership, start and stop of runs.
 */
#ifndef _CHESS_GROUP_H
#define _CHESS_GROUP_H

#include "chess.h"

struct netlink_ext_ack;

extern struct workqueue_struct *chess_wq;

int chess_group_init(void);
void chess_group_exit(void);

struct chess_group *chess_group_create(struct net *net, u32 portid, u32 quantum_us,
				       u32 max_events, struct netlink_ext_ack *extack);
struct chess_group *chess_group_lookup(u32 id);
struct chess_group *chess_group_next(u32 id);
void chess_group_get(struct chess_group *g);
void chess_group_put(struct chess_group *g);

int chess_group_start(struct chess_group *g, u32 flags, u32 fair, const u32 *seqs, u32 nseqs,
		      struct netlink_ext_ack *extack);
int chess_group_stop(struct chess_group *g, bool kill);
void chess_group_let_go_locked(struct chess_group *g, u32 reason);
void chess_group_end(struct chess_group *g);
void chess_group_end_owner(struct net *net, u32 portid);

#endif /* _CHESS_GROUP_H */
