// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family: the requests that change something, which are
 * parsed, checked and passed on. Every refusal carries a sentence. The YAML spec
 * is the reference; netlink_get.c has the requests that only read.
 *
 * The family runs with parallel_ops: no lock of netlink's protects us. docs/security.md has
 * the lock of each handler.
 */
#include <linux/netlink.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "chess.h"
#include "compat_netlink.h"
#include "group.h"
#include "netlink-gen.h"
#include "netlink.h"
#include "plan.h"
#include "point.h"
#include "record.h"
#include "rights.h"
#include "run.h"
#include "traps/access.h"

/* What the door notes in genl_info.user_ptr for the handlers; not NULL: CAP_SYS_ADMIN. */
enum { INFO_ADMIN, INFO_SOCK };

/**
 * chess_netlink_enter() - may a request be looked at now
 * @skb: the call it is part of
 * @is_admin: what chess_rights_is_admin() said
 * @extack: where to say what is wrong
 *
 * A call may hold thousands of requests. After one that is refused for its call's length
 * nothing is read, as refusals take time, too. Nobody else uses the time stamp of a
 * request, which is 0 when it comes; it is kept in jiffies, as waits for CHESS_NETLINK_WAIT are
 * counted in them: where ticks come late, a whole wait may take less time than that.
 *
 * Context: netlink, in the context of the sender.
 * Return: 0, -EAGAIN or -EPERM.
 */
int chess_netlink_enter(struct sk_buff *skb, bool is_admin, struct netlink_ext_ack *extack)
{
	u32 length = nlmsg_hdr(skb)->nlmsg_len;
	u64 now = get_jiffies_64();

	if (!skb->tstamp) {
		skb->tstamp = now;
	} else if (now - skb->tstamp >= CHESS_NETLINK_WAIT) {
		skb_trim(skb, length);
		NL_SET_ERR_MSG(extack,
			       "the requests of this call take too long; send this one and those after it again");
		return -EAGAIN;
	}
	return chess_rights_enter(skb, is_admin, extack);
}

int chess_nl_pre_doit(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	bool is_admin = chess_rights_is_admin(skb);

	info->user_ptr[INFO_ADMIN] = is_admin ? info : NULL;
	info->user_ptr[INFO_SOCK] = NETLINK_CB(skb).sk;
	return chess_netlink_enter(skb, is_admin, info->extack);
}

/**
 * chess_netlink_is_admin() - may a request do everything
 * @info: the request
 *
 * Context: netlink.
 * Return: whether its socket and its sender have CAP_SYS_ADMIN.
 */
bool chess_netlink_is_admin(const struct genl_info *info)
{
	return info->user_ptr[INFO_ADMIN];
}

/**
 * chess_netlink_owns() - does this request come from the socket that owns the group
 * @g: the group
 * @info: the request
 *
 * Not by its port: somebody else may have that as soon as the socket is closed.
 *
 * Context: netlink.
 * Return: whether it does.
 */
bool chess_netlink_owns(const struct chess_group *g, const struct genl_info *info)
{
	return g->owner.sock == info->user_ptr[INFO_SOCK];
}

/**
 * chess_netlink_lock() - the group an owner's request names
 * @info: the request
 * @attr: attribute with the number of the group
 *
 * Context: netlink.
 * Return: the group with a reference and its lock held, or ERR_PTR with a sentence.
 */
struct chess_group *chess_netlink_lock(struct genl_info *info, u32 attr)
{
	struct chess_group *g;

	if (GENL_REQ_ATTR_CHECK(info, attr)) {
		NL_SET_ERR_MSG(info->extack, "the number of the group is missing");
		return ERR_PTR(-EINVAL);
	}
	g = chess_group_lookup(nla_get_u32(info->attrs[attr]));
	if (!g) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr], "there is no such group");
		return ERR_PTR(-ENOENT);
	}
	if (!chess_netlink_owns(g, info)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr],
				    "the group belongs to another socket");
		chess_group_put(g);
		return ERR_PTR(-EPERM);
	}
	if (g->owner.privileged && !chess_netlink_is_admin(info)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr],
				    "the group was created with CAP_SYS_ADMIN, which this process has not");
		chess_group_put(g);
		return ERR_PTR(-EPERM);
	}
	WRITE_ONCE(g->watchdog.guard.heard, jiffies);
	mutex_lock(&g->lock);
	if (g->dead) {
		mutex_unlock(&g->lock);
		chess_group_put(g);
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr], "the group was deleted");
		return ERR_PTR(-ENOENT);
	}
	return g;
}

/**
 * chess_netlink_unlock() - undo chess_netlink_lock()
 * @g: the group
 *
 * Context: netlink.
 */
void chess_netlink_unlock(struct chess_group *g)
{
	mutex_unlock(&g->lock);
	chess_group_put(g);
}

/**
 * chess_netlink_refuse_run() - refuse what may not be changed during a run
 * @g: the group
 * @info: the request
 * @armed_too: it may be while a run is armed
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -EBUSY with a sentence.
 */
int chess_netlink_refuse_run(struct chess_group *g, struct genl_info *info, bool armed_too)
{
	u32 state = READ_ONCE(g->state);

	if (state == CHESS_GROUP_STATE_IDLE || (armed_too && state == CHESS_GROUP_STATE_ARMED))
		return 0;
	NL_SET_ERR_MSG(info->extack, "a run is armed or going on; wait for its end or stop it");
	return -EBUSY;
}

/**
 * chess_netlink_u32() - a number that a request may leave out
 * @info: the request
 * @attr: the attribute
 *
 * Return: its value, or 0 where it is left out.
 */
u32 chess_netlink_u32(const struct genl_info *info, int attr)
{
	return info->attrs[attr] ? nla_get_u32(info->attrs[attr]) : 0;
}

/**
 * chess_netlink_reply() - begin the reply to a request
 * @info: the request
 * @hdr: set to its header, for genlmsg_end()
 *
 * Context: netlink.
 * Return: the message or NULL.
 */
struct sk_buff *chess_netlink_reply(struct genl_info *info, void **hdr)
{
	struct sk_buff *msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);

	if (!msg)
		return NULL;
	*hdr = genlmsg_iput(msg, info);
	if (*hdr)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

int chess_nl_group_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	u32 quantum = 0, events = 0;
	struct chess_group *g;
	struct sk_buff *msg;
	void *hdr;

	if (info->attrs[CHESS_A_GROUP_QUANTUM_US])
		quantum = nla_get_u32(info->attrs[CHESS_A_GROUP_QUANTUM_US]);
	if (info->attrs[CHESS_A_GROUP_MAX_EVENTS])
		events = nla_get_u32(info->attrs[CHESS_A_GROUP_MAX_EVENTS]);
	msg = chess_netlink_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	g = chess_group_create(skb, info, quantum, events);
	if (IS_ERR(g)) {
		nlmsg_free(msg);
		return PTR_ERR(g);
	}
	/* Two u32 always fit into a new message. */
	nla_put_u32(msg, CHESS_A_GROUP_ID, g->id);
	nla_put_u32(msg, CHESS_A_GROUP_CPU, g->place.cpu);
	chess_group_put(g);
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

int chess_nl_group_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_group *g = chess_netlink_lock(info, CHESS_A_GROUP_ID);

	if (IS_ERR(g))
		return PTR_ERR(g);
	mutex_unlock(&g->lock);
	chess_group_end(g, CHESS_NETLINK_WAIT);
	chess_group_put(g);
	return 0;
}

int chess_nl_schedule_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_group *g;
	int ret;

	if (GENL_REQ_ATTR_CHECK(info, CHESS_A_SCHEDULE_SEGMENTS)) {
		NL_SET_ERR_MSG(info->extack, "the segments of the prefix are missing");
		return -EINVAL;
	}
	g = chess_netlink_lock(info, CHESS_A_SCHEDULE_GROUP);
	if (IS_ERR(g))
		return PTR_ERR(g);
	/* Not while armed: the run may begin at any moment and read it. */
	ret = chess_netlink_refuse_run(g, info, false);
	if (!ret)
		ret = chess_plan_set(g, info);
	chess_netlink_unlock(g);
	return ret;
}

/* Its process is kept, or it begins with one that is. */
static int start_with_kept(struct chess_group *g, struct genl_info *info, bool from_kept,
			   u32 *pid)
{
	if (from_kept)
		return chess_kept_start(g, pid, info->extack);
	if (info->attrs[CHESS_A_RUN_KEEP_AT]) {
		chess_kept_drop(g);
		g->keep.at = nla_get_u32(info->attrs[CHESS_A_RUN_KEEP_AT]);
	}
	return 0;
}

static int start_run(struct chess_group *g, struct genl_info *info, u32 *pid)
{
	struct nlattr *attr = info->attrs[CHESS_A_RUN_STACK_SEQS];
	const u32 *seqs = attr ? nla_data(attr) : NULL;
	u32 i, nseqs = attr ? nla_len(attr) / sizeof(*seqs) : 0, flags = 0, fair = 0;
	u32 max_accesses = chess_netlink_u32(info, CHESS_A_RUN_MAX_ACCESSES);
	bool from_kept;
	int ret;

	if (attr && (nla_len(attr) % sizeof(*seqs) || nseqs > CHESS_MAX_STACKS)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "the numbers of stack snapshots are no array of u32, or too many");
		return -EINVAL;
	}
	for (i = 0; i < nseqs; i++)
		if (!seqs[i] || (i && seqs[i] <= seqs[i - 1])) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "the numbers of stack snapshots are not sorted, or one is zero");
			return -EINVAL;
		}
	if (info->attrs[CHESS_A_RUN_FLAGS])
		flags = nla_get_u32(info->attrs[CHESS_A_RUN_FLAGS]);
	if (info->attrs[CHESS_A_RUN_FAIR])
		fair = nla_get_u32(info->attrs[CHESS_A_RUN_FAIR]);
	g->late.early_max = (u64)chess_netlink_u32(info, CHESS_A_RUN_EARLY_MAX) * NSEC_PER_MSEC;
	g->late.programs[0] = '\0';
	if (info->attrs[CHESS_A_RUN_LATE_PROGRAMS])
		nla_strscpy(g->late.programs, info->attrs[CHESS_A_RUN_LATE_PROGRAMS],
			    sizeof(g->late.programs));
	from_kept = flags & CHESS_RUN_FLAGS_FROM_KEPT;
	flags &= ~CHESS_RUN_FLAGS_FROM_KEPT;
	ret = from_kept ? chess_kept_check(g, flags, fair, max_accesses, info->extack) : 0;
	if (ret)
		return ret;
	g->generation++;
	if (chess_access_start(g, max_accesses, flags & CHESS_RUN_FLAGS_VIRTUAL_TIME)) {
		NL_SET_ERR_MSG(info->extack,
			       "no memory for so many accesses, or for the traps at them");
		return -ENOMEM;
	}
	ret = chess_run_start(g, flags, fair, seqs, nseqs, info->extack);
	return ret ?: start_with_kept(g, info, from_kept, pid);
}

int chess_nl_run_start_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_group *g = chess_netlink_lock(info, CHESS_A_RUN_GROUP);
	struct sk_buff *msg;
	u32 pid = 0;
	void *hdr;
	int ret;

	if (IS_ERR(g))
		return PTR_ERR(g);
	ret = -ENOMEM;
	msg = chess_netlink_reply(info, &hdr);
	if (!msg)
		goto out;
	ret = chess_netlink_refuse_run(g, info, false);
	if (!ret)
		ret = start_run(g, info, &pid);
	if (ret && !pid) {
		nlmsg_free(msg);
		goto out;
	}
	nla_put_u32(msg, CHESS_A_RUN_RUN, g->runs);
	if (pid)
		nla_put_u32(msg, CHESS_A_RUN_PID, pid);
	genlmsg_end(msg, hdr);
	/* A child of the caller's that has failed comes before the error. */
	ret = genlmsg_reply(msg, info) ?: ret;
out:
	chess_netlink_unlock(g);
	return ret;
}

int chess_nl_run_stop_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_group *g = chess_netlink_lock(info, CHESS_A_RUN_GROUP);
	u32 flags = 0;
	int ret;

	if (IS_ERR(g))
		return PTR_ERR(g);
	if (info->attrs[CHESS_A_RUN_STOP_FLAGS])
		flags = nla_get_u32(info->attrs[CHESS_A_RUN_STOP_FLAGS]);
	if (g->adoption.process && (flags & CHESS_STOP_FLAGS_KILL)) {
		NL_SET_ERR_MSG(info->extack, "adopted tasks are let go, not killed");
		chess_netlink_unlock(g);
		return -EINVAL;
	}
	ret = chess_run_stop(g, flags & CHESS_STOP_FLAGS_KILL);
	if (ret)
		NL_SET_ERR_MSG(info->extack, "no run is armed or going on");
	chess_netlink_unlock(g);
	return ret;
}

int chess_nl_run_release_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_group *g = chess_netlink_lock(info, CHESS_A_RUN_GROUP);
	int ret;

	if (IS_ERR(g))
		return PTR_ERR(g);
	ret = chess_point_release(g);
	if (ret)
		NL_SET_ERR_MSG(info->extack, "no run of this group is held");
	chess_netlink_unlock(g);
	return ret;
}

static void notify(struct chess_group *g, u32 notice, u32 seq)
{
	struct sk_buff *msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	void *hdr;

	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &chess_nl_family, 0, CHESS_CMD_EVENT_NTF);
	if (!hdr || nla_put_u32(msg, CHESS_A_RUN_GROUP, g->id) ||
	    nla_put_u32(msg, CHESS_A_RUN_NOTICE, notice) ||
	    nla_put_u32(msg, CHESS_A_RUN_SEQ, seq) ||
	    nla_put_u32(msg, CHESS_A_RUN_RUN, READ_ONCE(g->runs))) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
	/*
	 * The owner may be gone, and somebody else have its port; or its buffer is full: it
	 * can ask for the state.
	 */
	if (sock_flag(g->owner.sock, SOCK_DEAD))
		nlmsg_free(msg);
	else
		genlmsg_unicast(g->owner.net, msg, g->owner.portid);
}

/**
 * chess_netlink_notify() - tell the owner of a group what happened
 * @g: the group
 * @notices: bit N: notice N
 * @seq: event of a divergence
 *
 * The end of a run is reported last.
 *
 * Context: process, may sleep.
 */
void chess_netlink_notify(struct chess_group *g, unsigned long notices, u32 seq)
{
	u32 length = READ_ONCE(g->record.length);

	if (READ_ONCE(g->dead))
		return;
	if (notices & BIT(CHESS_NOTICE_DIVERGENCE))
		notify(g, CHESS_NOTICE_DIVERGENCE, seq);
	if (notices & BIT(CHESS_NOTICE_OVERFLOW))
		notify(g, CHESS_NOTICE_OVERFLOW, length);
	if ((notices & BIT(CHESS_NOTICE_IDLE)) && !(notices & BIT(CHESS_NOTICE_END)))
		notify(g, CHESS_NOTICE_IDLE, length);
	if (notices & BIT(CHESS_NOTICE_LET_GO))
		notify(g, CHESS_NOTICE_LET_GO, READ_ONCE(g->adoption.let_go));
	if (notices & BIT(CHESS_NOTICE_END))
		notify(g, CHESS_NOTICE_END, length);
}

static int handle_release(struct notifier_block *nb, unsigned long event, void *data)
{
	struct netlink_notify *n = data;

	if (event == NETLINK_URELEASE && n->protocol == NETLINK_GENERIC)
		chess_group_end_owner(n->net, n->portid);
	return NOTIFY_DONE;
}

static struct notifier_block release_notifier = {
	.notifier_call = handle_release,
};

/**
 * chess_netlink_init() - module init
 *
 * Context: process.
 * Return: 0 or negative errno.
 */
int chess_netlink_init(void)
{
	int ret = netlink_register_notifier(&release_notifier);

	if (ret)
		return ret;
	ret = genl_register_family(&chess_nl_family);
	if (ret)
		netlink_unregister_notifier(&release_notifier);
	return ret;
}

/**
 * chess_netlink_exit() - module exit
 *
 * Context: process.
 */
void chess_netlink_exit(void)
{
	genl_unregister_family(&chess_nl_family);
	netlink_unregister_notifier(&release_notifier);
}
