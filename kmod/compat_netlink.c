// SPDX-License-Identifier: GPL-2.0-only
/*
 * See compat_netlink.h.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "compat_netlink.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)

#undef genl_family
#undef genl_register_family
#undef genl_unregister_family
#undef genlmsg_put

#define MAX_COMMANDS	32
/* Sentences that may be on their way to their senders at a time. */
#define TEXTS		64

static struct genl_ops ops[MAX_COMMANDS];
static const struct genl_split_ops *ops_of[MAX_COMMANDS];
static struct genl_family kernel_family;

static int enter(const struct genl_ops *op, struct sk_buff *skb, struct genl_info *info)
{
	const struct genl_split_ops *split = ops_of[op->cmd];

	return split ? split->pre_doit(split, skb, info) : 0;
}

/* A dump without a policy refuses attributes itself, where the command has one to be done. */
static void add(struct genl_ops *op, const struct genl_split_ops *split)
{
	op->cmd = split->cmd;
	if (split->doit) {
		op->doit = split->doit;
		ops_of[split->cmd] = split;
	}
	if (split->dumpit) {
		op->start = split->start;
		op->dumpit = split->dumpit;
	}
	if (split->policy) {
		op->policy = split->policy;
		op->maxattr = split->maxattr;
	}
}

/**
 * chess_compat_register_family() - as genl_register_family()
 * @family: the family; there is one
 *
 * Context: process.
 * Return: 0 or negative errno.
 */
int chess_compat_register_family(const struct chess_compat_family *family)
{
	unsigned int i, n = 0;

	for (i = 0; i < family->n_split_ops; i++) {
		const struct genl_split_ops *split = &family->split_ops[i];

		if (split->cmd >= MAX_COMMANDS)
			return -EINVAL;
		if (!n || ops[n - 1].cmd != split->cmd)
			n++;
		add(&ops[n - 1], split);
	}
	kernel_family.version = family->version;
	kernel_family.netnsok = family->netnsok;
	kernel_family.parallel_ops = family->parallel_ops;
	kernel_family.module = family->module;
	kernel_family.ops = ops;
	kernel_family.n_ops = n;
	kernel_family.pre_doit = enter;
	strscpy(kernel_family.name, family->name, sizeof(kernel_family.name));
	return genl_register_family(&kernel_family);
}

/**
 * chess_compat_unregister_family() - as genl_unregister_family()
 *
 * Context: process.
 */
void chess_compat_unregister_family(void)
{
	genl_unregister_family(&kernel_family);
}

/**
 * chess_compat_put() - as genlmsg_put(), for the family there is
 * @skb: the message
 * @portid: to whom
 * @seq: number of the request
 * @flags: NLM_F_*
 * @cmd: command
 *
 * Context: any.
 * Return: what follows the header, or NULL.
 */
void *chess_compat_put(struct sk_buff *skb, u32 portid, u32 seq, int flags, u8 cmd)
{
	return genlmsg_put(skb, portid, seq, &kernel_family, flags, cmd);
}

/**
 * chess_compat_text() - room for a sentence that goes with a refusal
 *
 * The kernel has none in netlink_ext_ack. It copies the sentence soon after; only where more
 * tasks than there are texts are refused meanwhile may one get the numbers of another.
 *
 * Context: any.
 * Return: CHESS_COMPAT_TEXT bytes.
 */
char *chess_compat_text(void)
{
	static char texts[TEXTS][CHESS_COMPAT_TEXT];
	static atomic_t next;

	return texts[(unsigned int)atomic_inc_return(&next) % TEXTS];
}

/**
 * chess_compat_dump_attrs() - the attributes of a request that is answered by a dump
 * @cb: the dump
 *
 * Context: netlink.
 * Return: them, by their numbers; NULL where it takes none.
 */
struct nlattr **chess_compat_dump_attrs(struct netlink_callback *cb)
{
	return genl_dumpit_info(cb)->attrs;
}

#else

struct nlattr **chess_compat_dump_attrs(struct netlink_callback *cb)
{
	return genl_info_dump(cb)->attrs;
}

#endif
