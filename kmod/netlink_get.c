// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family, reading side: groups, tasks, and the record of a
 * run. netlink.c has the requests that change something.
 */
#include <linux/cred.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <net/genetlink.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "chess.h"
#include "compat_netlink.h"
#include "group.h"
#include "netlink-gen.h"
#include "netlink.h"
#include "record_push.h"
#include "rights.h"
#include "task.h"

/* The largest part of a record in one message: 32 KB of maps, and headers. */
#define PART_BYTES	(SZ_32K + SZ_4K)

/*
 * What a dump remembers in netlink_callback.args, beside where it is. The socket is decided when
 * it begins: whoever reads the rest of it may be a program that was given the socket.
 */
enum { ARG_GENERATION = 3, ARG_ADMIN, ARG_UID };

int chess_nl_start(struct netlink_callback *cb)
{
	bool is_admin = chess_rights_is_admin(cb->skb);
	int ret = chess_netlink_enter(cb->skb, is_admin, cb->extack);

	if (ret)
		return ret;
	cb->args[ARG_ADMIN] = is_admin;
	cb->args[ARG_UID] = __kuid_val(chess_rights_opener(cb->skb)->uid);
	return 0;
}

/* A user sees what it created, but for what it created with more rights. */
static bool may_see(const struct chess_group *g, bool is_admin, kuid_t uid)
{
	return is_admin || (!g->owner.privileged && uid_eq(g->owner.uid, uid));
}

static bool may_dump(const struct chess_group *g, const struct netlink_callback *cb)
{
	return may_see(g, cb->args[ARG_ADMIN], KUIDT_INIT(cb->args[ARG_UID]));
}

/* As the reader knows it. */
static u32 pid_for_reader(pid_t global)
{
	u32 pid;

	rcu_read_lock();
	pid = pid_vnr(find_pid_ns(global, &init_pid_ns));
	rcu_read_unlock();
	return pid;
}

static int put_outside(struct sk_buff *msg, u32 task, pid_t pid, const char *comm)
{
	if (task == CHESS_TASK_NONE)
		return 0;
	if (nla_put_u32(msg, CHESS_A_GROUP_OUTSIDE_TASK, task) ||
	    nla_put_u32(msg, CHESS_A_GROUP_OUTSIDE_PID, pid ? pid_for_reader(pid) : 0) ||
	    nla_put_string(msg, CHESS_A_GROUP_OUTSIDE_COMM, comm))
		return -EMSGSIZE;
	return 0;
}

static int put_group(struct sk_buff *msg, struct chess_group *g)
{
	unsigned long flags;
	char comm[TASK_COMM_LEN];
	pid_t outside_pid, adopted;
	u32 outside_task, let_go;
	u32 state, tasks, events, decisions, lost, stalls, token = CHESS_TASK_NONE;

	raw_spin_lock_irqsave(&g->plock, flags);
	state = g->state;
	tasks = g->ntasks;
	events = g->record.length;
	decisions = g->decisions;
	lost = g->lost;
	stalls = g->stalls;
	if (g->token)
		token = g->token->id;
	let_go = g->adoption.let_go;
	adopted = pid_nr(g->adoption.process);
	outside_task = g->latches.task;
	outside_pid = g->latches.pid;
	strscpy(comm, g->latches.comm, sizeof(comm));
	raw_spin_unlock_irqrestore(&g->plock, flags);

	if (nla_put_u32(msg, CHESS_A_GROUP_ID, g->id) ||
	    nla_put_u32(msg, CHESS_A_GROUP_QUANTUM_US, g->watchdog.quantum_us) ||
	    nla_put_u32(msg, CHESS_A_GROUP_MAX_EVENTS, g->record.capacity) ||
	    nla_put_u32(msg, CHESS_A_GROUP_STATE, state) ||
	    nla_put_u32(msg, CHESS_A_GROUP_CPU, g->place.cpu) ||
	    nla_put_u32(msg, CHESS_A_GROUP_OWNER_PORTID, g->owner.portid) ||
	    nla_put_u32(msg, CHESS_A_GROUP_OWNER_PID, pid_vnr(g->owner.pid)) ||
	    nla_put_u32(msg, CHESS_A_GROUP_TASKS, tasks) ||
	    nla_put_u32(msg, CHESS_A_GROUP_EVENTS, events) ||
	    nla_put_u32(msg, CHESS_A_GROUP_DECISIONS, decisions) ||
	    nla_put_u32(msg, CHESS_A_GROUP_RUNS, READ_ONCE(g->runs)) ||
	    nla_put_u32(msg, CHESS_A_GROUP_LOST, lost) ||
	    nla_put_u32(msg, CHESS_A_GROUP_STALLS, stalls) ||
	    nla_put_u32(msg, CHESS_A_GROUP_PROBES, READ_ONCE(g->images.nprobes)))
		return -EMSGSIZE;
	if (token != CHESS_TASK_NONE && nla_put_u32(msg, CHESS_A_GROUP_TOKEN, token))
		return -EMSGSIZE;
	if (let_go && nla_put_u32(msg, CHESS_A_GROUP_LET_GO, let_go))
		return -EMSGSIZE;
	if (adopted && nla_put_u32(msg, CHESS_A_GROUP_ADOPTED, pid_for_reader(adopted)))
		return -EMSGSIZE;
	return put_outside(msg, outside_task, outside_pid, comm);
}

int chess_nl_group_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_group *g;
	struct sk_buff *msg;
	void *hdr;
	int ret;

	if (GENL_REQ_ATTR_CHECK(info, CHESS_A_GROUP_ID)) {
		NL_SET_ERR_MSG(info->extack, "the number of the group is missing");
		return -EINVAL;
	}
	g = chess_group_lookup(nla_get_u32(info->attrs[CHESS_A_GROUP_ID]));
	if (!g) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[CHESS_A_GROUP_ID],
				    "there is no such group");
		return -ENOENT;
	}
	ret = -EPERM;
	if (!may_see(g, chess_netlink_is_admin(info), chess_rights_opener(skb)->uid)) {
		NL_SET_ERR_MSG(info->extack, "the group belongs to another user");
		goto out;
	}
	if (chess_netlink_owns(g, info))
		WRITE_ONCE(g->watchdog.guard.heard, jiffies);
	ret = -ENOMEM;
	msg = chess_netlink_reply(info, &hdr);
	if (!msg)
		goto out;
	ret = put_group(msg, g);
	if (ret) {
		nlmsg_free(msg);
		goto out;
	}
	genlmsg_end(msg, hdr);
	ret = genlmsg_reply(msg, info);
out:
	chess_group_put(g);
	return ret;
}

int chess_nl_group_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct chess_group *g;

	/* The generated table has no policy for a dump without attributes. */
	if (nlmsg_attrlen(cb->nlh, GENL_HDRLEN)) {
		NL_SET_ERR_MSG(cb->extack, "a list of all groups takes no attributes");
		return -EINVAL;
	}
	while ((g = chess_group_next(cb->args[0]))) {
		void *hdr;

		if (may_dump(g, cb)) {
			hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
					  &chess_nl_family, NLM_F_MULTI, CHESS_CMD_GROUP_GET);
			if (!hdr || put_group(skb, g)) {
				if (hdr)
					genlmsg_cancel(skb, hdr);
				chess_group_put(g);
				return skb->len;
			}
			genlmsg_end(skb, hdr);
		}
		cb->args[0] = g->id;
		chess_group_put(g);
	}
	return skb->len;
}

/*
 * Woken, but it has not run since. What a signal wakes becomes enabled only where it acts on the
 * signal, since most waits are restarted.
 */
static bool is_about_to_run(const struct chess_task *t)
{
	unsigned int state = READ_ONCE(t->task->__state);

	return state == TASK_RUNNING || state == TASK_WAKING;
}

static u32 task_state(const struct chess_task *t)
{
	const struct chess_group *g = t->group;

	if (t->pending)
		return CHESS_TASK_STATE_PENDING;
	if (t->apart)
		return CHESS_TASK_STATE_APART;
	if (g->token == t)
		return CHESS_TASK_STATE_RUNNING;
	if (chess_task_dying(t))
		return CHESS_TASK_STATE_DYING;
	if (t->enabled || t->latched || is_about_to_run(t))
		return CHESS_TASK_STATE_PARKED;
	return CHESS_TASK_STATE_BLOCKED;
}

/* The first task with an id above @after; @after starts at -1. */
static bool find_above(struct chess_group *g, long after, u32 *id, u32 *state, u32 *seq,
		       struct pid **pid)
{
	struct chess_task *t;
	unsigned long flags;
	bool found = false;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(t, &g->tasks, entry) {
		if ((long)t->id <= after)
			continue;
		*id = t->id;
		*state = task_state(t);
		*seq = t->seq;
		*pid = get_pid(READ_ONCE(t->task->thread_pid));
		found = true;
		break;
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return found;
}

static struct chess_group *dump_group(struct netlink_callback *cb, u32 attr, bool owner_only)
{
	struct nlattr **attrs = chess_compat_dump_attrs(cb);
	struct chess_group *g;

	if (!attrs || !attrs[attr]) {
		NL_SET_ERR_MSG(cb->extack, "the number of the group is missing");
		return ERR_PTR(-EINVAL);
	}
	g = chess_group_lookup(nla_get_u32(attrs[attr]));
	if (!g) {
		NL_SET_ERR_MSG(cb->extack, "there is no such group");
		return ERR_PTR(-ENOENT);
	}
	if (owner_only && g->owner.sock != NETLINK_CB(cb->skb).sk) {
		NL_SET_ERR_MSG(cb->extack, "the group belongs to another socket");
		goto err_put;
	}
	if (!may_dump(g, cb)) {
		NL_SET_ERR_MSG(cb->extack, "the group belongs to another user");
		goto err_put;
	}
	return g;

err_put:
	chess_group_put(g);
	return ERR_PTR(-EPERM);
}

int chess_nl_task_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct chess_group *g = dump_group(cb, CHESS_A_TASK_GROUP, false);
	u32 id, state, seq;
	struct pid *pid;

	if (IS_ERR(g))
		return PTR_ERR(g);
	/* args[0] is the next id, so that its initial zero is right. */
	while (find_above(g, cb->args[0] - 1, &id, &state, &seq, &pid)) {
		u32 nr = pid_vnr(pid);
		void *hdr;

		put_pid(pid);
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				  &chess_nl_family, NLM_F_MULTI, CHESS_CMD_TASK_GET);
		if (!hdr)
			break;
		if (nla_put_u32(skb, CHESS_A_TASK_GROUP, g->id) ||
		    nla_put_u32(skb, CHESS_A_TASK_PID, nr) ||
		    nla_put_u32(skb, CHESS_A_TASK_ID, id) ||
		    nla_put_u32(skb, CHESS_A_TASK_STATE, state) ||
		    nla_put_u32(skb, CHESS_A_TASK_SEQ, seq)) {
			genlmsg_cancel(skb, hdr);
			break;
		}
		genlmsg_end(skb, hdr);
		cb->args[0] = id + 1;
	}
	chess_group_put(g);
	return skb->len;
}

/* Put a part of the record into a message of its own; false when it is full. */
static bool put_part(struct sk_buff *skb, struct netlink_callback *cb, int cmd, int attr,
		     const void *data, size_t len)
{
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				&chess_nl_family, NLM_F_MULTI, cmd);

	if (!hdr)
		return false;
	if (nla_put(skb, attr, len, data)) {
		genlmsg_cancel(skb, hdr);
		return false;
	}
	genlmsg_end(skb, hdr);
	return true;
}

static u32 events_that_fit(const struct sk_buff *skb)
{
	int room = skb_tailroom(skb) - (int)(NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN);

	return room <= 0 ? 0 : room / sizeof(struct chess_event);
}

/* Text that grows while it is read is terminated where it ended. */
static bool put_mapped(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct chess_mapped *m)
{
	/* Pairs with smp_store_release() in append() of mapped.c. */
	u32 length = smp_load_acquire(&m->length);
	struct nlattr *nla;
	void *hdr;

	if (!length)
		return true;
	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &chess_nl_family, NLM_F_MULTI, CHESS_CMD_RECORD_GET);
	nla = hdr ? nla_reserve(skb, CHESS_A_RECORD_MAPPED, length + 1) : NULL;
	if (!nla) {
		if (hdr)
			genlmsg_cancel(skb, hdr);
		return false;
	}
	memcpy(nla_data(nla), m->text, length);
	((char *)nla_data(nla))[length] = '\0';
	genlmsg_end(skb, hdr);
	return true;
}

/*
 * The parts in order, numbered from 0: each event, then each stack, then the
 * maps, then what inodes stand for, then files without traps. cb->args[0] is the next part,
 * cb->args[1] one more than the events there were at the first message: a run may go on
 * meanwhile. Returns whether all of it is put.
 */
static bool put_record(struct sk_buff *skb, struct netlink_callback *cb, struct chess_group *g)
{
	const struct chess_record *r = &g->record;
	/* Pairs with smp_store_release() in chess_record_push_locked(). */
	u32 length = smp_load_acquire(&g->record.length);
	/* Pairs with smp_store_release() in number_of_locked(). */
	u32 ninodes = smp_load_acquire(&g->inodes.n);
	unsigned long part;

	if (!cb->args[1])
		cb->args[1] = (long)length + 1;
	length = cb->args[1] - 1;
	while (cb->args[0] < length) {
		u32 n = min_t(u32, length - cb->args[0], events_that_fit(skb));

		if (!n || !put_part(skb, cb, CHESS_CMD_RECORD_GET, CHESS_A_RECORD_EVENTS,
				    r->events + cb->args[0], n * sizeof(*r->events)))
			return false;
		cb->args[0] += n;
	}
	while ((part = cb->args[0] - length) < r->nseqs) {
		const struct chess_stack *stack = r->stacks + part * CHESS_STACK_SLOT;

		if (stack->seq && !put_part(skb, cb, CHESS_CMD_RECORD_GET, CHESS_A_RECORD_STACK,
					    stack, sizeof(*stack) + stack->size))
			return false;
		cb->args[0]++;
	}
	if (part == r->nseqs) {
		if (r->maps &&
		    !put_part(skb, cb, CHESS_CMD_RECORD_GET, CHESS_A_RECORD_MAPS, r->maps,
			      strlen(r->maps) + 1))
			return false;
		part++;
		cb->args[0]++;
	}
	if (part == r->nseqs + 1) {
		if (ninodes && !put_part(skb, cb, CHESS_CMD_RECORD_GET, CHESS_A_RECORD_OBJECTS,
					 g->inodes.names, ninodes * sizeof(*g->inodes.names)))
			return false;
		part++;
		cb->args[0]++;
	}
	if (part == r->nseqs + 2 && !put_mapped(skb, cb, &r->mapped))
		return false;
	cb->args[0] = (unsigned long)length + r->nseqs + 3;
	return true;
}

/*
 * Another run may have been started since the first part: what is there now is not the rest
 * of what was read, and was perhaps never written. Context: group->lock held.
 */
static int check_same_run(struct netlink_callback *cb, const struct chess_group *g)
{
	long generation = (long)g->generation + 1;

	if (!cb->args[ARG_GENERATION])
		cb->args[ARG_GENERATION] = generation;
	if (cb->args[ARG_GENERATION] == generation)
		return 0;
	NL_SET_ERR_MSG(cb->extack, "another run was started before all of this one was read");
	return -ESTALE;
}

/*
 * What is complete ends in the same buffer: a run's record mostly fits into one, and the reader
 * need not ask twice.
 */
static int dump_of_run(struct sk_buff *skb, struct netlink_callback *cb, int attr,
		       bool (*put)(struct sk_buff *skb, struct netlink_callback *cb,
				   struct chess_group *g))
{
	struct chess_group *g = dump_group(cb, attr, true);
	bool whole = false;
	int ret;

	if (IS_ERR(g))
		return PTR_ERR(g);
	/* Stacks, maps and accesses need more room than a dump has by default. */
	cb->min_dump_alloc = PART_BYTES;
	mutex_lock(&g->lock);
	ret = check_same_run(cb, g);
	if (!ret)
		whole = put(skb, cb, g);
	mutex_unlock(&g->lock);
	chess_group_put(g);
	if (ret || whole)
		return ret;
	return skb->len;
}

int chess_nl_record_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_of_run(skb, cb, CHESS_A_RECORD_GROUP, put_record);
}

static u32 accesses_that_fit(const struct sk_buff *skb)
{
	int room = skb_tailroom(skb) - (int)(NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN);

	return room <= 0 ? 0 : room / sizeof(struct chess_access);
}

static bool put_lost(struct sk_buff *skb, struct netlink_callback *cb, u64 lost)
{
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				&chess_nl_family, NLM_F_MULTI, CHESS_CMD_ACCESS_GET);

	if (!hdr)
		return false;
	if (nla_put(skb, CHESS_A_ACCESS_LOST, sizeof(lost), &lost)) {
		genlmsg_cancel(skb, hdr);
		return false;
	}
	genlmsg_end(skb, hdr);
	return true;
}

/* cb->args[0]: entries that were put; cb->args[1]: one more than there were at first, as in
 * put_record(). Returns whether all is said.
 */
static bool put_accesses(struct sk_buff *skb, struct netlink_callback *cb, struct chess_group *g)
{
	/* Pairs with smp_store_release() in push() of access.c. */
	u32 length = smp_load_acquire(&g->accesses.length), n;

	if (!cb->args[1])
		cb->args[1] = (long)length + 1;
	length = cb->args[1] - 1;
	while (cb->args[0] < length) {
		n = min_t(u32, length - cb->args[0], accesses_that_fit(skb));
		if (!n || !put_part(skb, cb, CHESS_CMD_ACCESS_GET, CHESS_A_ACCESS_ENTRIES,
				    g->accesses.entries + cb->args[0],
				    n * sizeof(*g->accesses.entries)))
			return false;
		cb->args[0] += n;
	}
	return put_lost(skb, cb, READ_ONCE(g->accesses.lost));
}

int chess_nl_access_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_of_run(skb, cb, CHESS_A_ACCESS_GROUP, put_accesses);
}
