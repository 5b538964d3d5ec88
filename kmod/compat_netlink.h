/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generic netlink before 6.2, which has no split operations: one entry for a command that is
 * both done and dumped, and one function for all that comes first. netlink-gen.c is made for
 * what came later; this is included in front of it.
 */
#ifndef _CHESS_COMPAT_NETLINK_H
#define _CHESS_COMPAT_NETLINK_H

#include <linux/version.h>
#include <net/genetlink.h>
#include <net/netlink.h>

struct nlattr **chess_compat_dump_attrs(struct netlink_callback *cb);

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)

/* As in 6.2, without what is not used here. */
struct genl_split_ops {
	int (*pre_doit)(const struct genl_split_ops *ops, struct sk_buff *skb,
			struct genl_info *info);
	int (*doit)(struct sk_buff *skb, struct genl_info *info);
	int (*start)(struct netlink_callback *cb);
	int (*dumpit)(struct sk_buff *skb, struct netlink_callback *cb);
	const struct nla_policy *policy;
	unsigned int maxattr;
	u8 cmd;
	u8 flags;
};

/**
 * struct chess_compat_family - a family of 6.2, of which one of the kernel's is made
 * @split_ops: sorted by command, as 6.2 wants them; what is done before what is dumped
 */
struct chess_compat_family {
	const char *name;
	unsigned int version;
	bool netnsok;
	bool parallel_ops;
	struct module *module;
	const struct genl_split_ops *split_ops;
	unsigned int n_split_ops;
};

int chess_compat_register_family(const struct chess_compat_family *family);
void chess_compat_unregister_family(void);
void *chess_compat_put(struct sk_buff *skb, u32 portid, u32 seq, int flags, u8 cmd);
char *chess_compat_text(void);

#define genl_family	chess_compat_family
#define genl_register_family(family)	chess_compat_register_family(family)
#define genl_unregister_family(family)	chess_compat_unregister_family()
#define genlmsg_put(skb, portid, seq, family, flags, cmd) \
	chess_compat_put(skb, portid, seq, flags, cmd)
#define genlmsg_iput(skb, info) \
	chess_compat_put(skb, (info)->snd_portid, (info)->snd_seq, 0, (info)->genlhdr->cmd)

#define CHESS_COMPAT_TEXT	80	/* of a sentence with numbers in it, as later */

#define NL_SET_ERR_MSG_FMT(extack, fmt, args...) do {			\
	struct netlink_ext_ack *__extack = (extack);			\
	char *__text = chess_compat_text();				\
									\
	if (__extack) {							\
		snprintf(__text, CHESS_COMPAT_TEXT, fmt, ##args);	\
		__extack->_msg = __text;				\
	}								\
} while (0)

/* Ranges were not const, though nobody changed them. */
#undef NLA_POLICY_FULL_RANGE
#define NLA_POLICY_FULL_RANGE(tp, _range) {				\
	.type = NLA_ENSURE_UINT_OR_BINARY_TYPE(tp),			\
	.validation_type = NLA_VALIDATE_RANGE_PTR,			\
	.range = (struct netlink_range_validation *)(_range),		\
}

#endif

#endif /* _CHESS_COMPAT_NETLINK_H */
