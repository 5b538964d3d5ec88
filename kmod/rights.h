/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may do what: at the door of the netlink family, and over which tasks.
 */
#ifndef _CHESS_RIGHTS_H
#define _CHESS_RIGHTS_H

#include "chess.h"

struct cred;
struct linux_binprm;
struct netlink_ext_ack;
struct sk_buff;

const struct cred *chess_rights_opener(const struct sk_buff *skb);
bool chess_rights_is_admin(const struct sk_buff *skb);
int chess_rights_enter(const struct sk_buff *skb, bool is_admin, struct netlink_ext_ack *extack);
bool chess_rights_over(const struct chess_group *g, struct task_struct *task);
bool chess_rights_hold(struct task_struct *task);
void chess_rights_let_go(struct task_struct *task);
bool chess_rights_kept(const struct chess_group *g, const struct linux_binprm *bprm);

#endif /* _CHESS_RIGHTS_H */
