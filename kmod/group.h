/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups: life and ownership.
 */
#ifndef _CHESS_GROUP_H
#define _CHESS_GROUP_H

#include "chess.h"

struct genl_info;
struct sk_buff;

extern struct workqueue_struct *chess_wq;

int chess_group_init(void);
void chess_group_exit(void);

struct chess_group *chess_group_create(struct sk_buff *skb, struct genl_info *info,
				       u32 quantum_us, u32 max_events);
struct chess_group *chess_group_lookup(u32 id);
struct chess_group *chess_group_next(u32 id);
void chess_group_place(struct chess_group *g, struct task_struct *task);
void chess_group_get(struct chess_group *g);
void chess_group_put(struct chess_group *g);

void chess_group_end(struct chess_group *g, unsigned long wait);
void chess_group_end_owner(struct net *net, u32 portid);

#endif /* _CHESS_GROUP_H */
