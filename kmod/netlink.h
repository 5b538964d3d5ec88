/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic netlink family. netlink.c APIs; netlink_*.c have handlers only.
 */
#ifndef _CHESS_NETLINK_H
#define _CHESS_NETLINK_H

#include <linux/jiffies.h>
#include <linux/types.h>

struct chess_group;
struct genl_info;
struct netlink_ext_ack;
struct sk_buff;

/*
 * While a call's requests are looked at a lock of generic netlink is held, for which families
 * that come and go wait, and then everybody. So no request waits longer than this for
 * something that takes its time, and all of a call begin within it, in jiffies.
 */
#define CHESS_NETLINK_WAIT	(HZ / 20)

/**
 * struct chess_notices - what is to be reported to the owner of a group
 * @due: bit N: notice N is; under plock
 * @seq: event number for a notice of divergence; under plock
 */
struct chess_notices {
	unsigned long due;
	u32 seq;
};

int chess_netlink_init(void);
void chess_netlink_exit(void);
int chess_netlink_enter(struct sk_buff *skb, bool is_admin, struct netlink_ext_ack *extack);
bool chess_netlink_is_admin(const struct genl_info *info);
bool chess_netlink_owns(const struct chess_group *g, const struct genl_info *info);
u32 chess_netlink_u32(const struct genl_info *info, int attr);
struct sk_buff *chess_netlink_reply(struct genl_info *info, void **hdr);
struct chess_group *chess_netlink_lock(struct genl_info *info, u32 attr);
void chess_netlink_unlock(struct chess_group *g);
int chess_netlink_refuse_run(struct chess_group *g, struct genl_info *info, bool armed_too);
void chess_netlink_notify(struct chess_group *g, unsigned long notices, u32 seq);

#endif /* _CHESS_NETLINK_H */
