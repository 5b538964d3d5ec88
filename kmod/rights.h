/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may do what: at the door of the netlink family, and over which tasks.
 */
#ifndef _CHESS_RIGHTS_H
#define _CHESS_RIGHTS_H

#include <linux/uidgid.h>

struct chess_group;
struct cred;
struct linux_binprm;
struct net;
struct netlink_ext_ack;
struct pid;
struct sk_buff;
struct sock;
struct task_struct;

/**
 * struct chess_owner - who may give orders to a group
 * @portid: netlink port
 * @net: its network namespace
 * @sock: the socket, which may be closed; a reference is held
 * @cred: the credentials it was opened with; a reference is held
 * @pid: of who opened it
 * @uid: who that was
 * @privileged: socket and owner had CAP_SYS_ADMIN, not in a user namespace alone
 *
 * Fixed while the group lives.
 */
struct chess_owner {
	u32 portid;
	struct net *net;
	struct sock *sock;
	const struct cred *cred;
	struct pid *pid;
	kuid_t uid;
	bool privileged;
};

const struct cred *chess_rights_opener(const struct sk_buff *skb);
bool chess_rights_is_admin(const struct sk_buff *skb);
int chess_rights_enter(const struct sk_buff *skb, bool is_admin, struct netlink_ext_ack *extack);
bool chess_rights_over(const struct chess_group *g, struct task_struct *task);
bool chess_rights_bar_exec(struct task_struct *task);
void chess_rights_allow_exec(struct task_struct *task);
bool chess_rights_kept(const struct chess_group *g, const struct linux_binprm *bprm);

#endif /* _CHESS_RIGHTS_H */
