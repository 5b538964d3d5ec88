/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	docs/netlink/specs/chess.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_CHESS_GEN_H
#define _LINUX_CHESS_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/chess.h>

int chess_nl_pre_doit(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info);
int chess_nl_start(struct netlink_callback *cb);

int chess_nl_group_new_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_group_get_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_group_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int chess_nl_group_del_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_task_add_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_task_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int chess_nl_probe_add_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_schedule_set_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_run_start_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_run_stop_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_record_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int chess_nl_task_adopt_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_run_release_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_points_set_doit(struct sk_buff *skb, struct genl_info *info);
int chess_nl_access_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);

extern struct genl_family chess_nl_family;

#endif /* _LINUX_CHESS_GEN_H */
