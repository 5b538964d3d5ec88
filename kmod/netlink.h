/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic netlink family.
 */
#ifndef _CHESS_NETLINK_H
#define _CHESS_NETLINK_H

#include "chess.h"

int chess_netlink_init(void);
void chess_netlink_exit(void);
void chess_netlink_notify(struct chess_group *g, unsigned long notices, u32 seq);

#endif /* _CHESS_NETLINK_H */
