// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests about tasks: task-add puts one that the sender is about to start into a group,
 * task-adopt takes a process that runs.
 */
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <net/genetlink.h>
#include <net/netlink.h>

#include "adopt.h"
#include "chess.h"
#include "compat_netlink.h"
#include "netlink-gen.h"
#include "netlink.h"
#include "rights.h"
#include "run.h"
#include "task.h"

static int bar_exec(struct task_struct *task, struct genl_info *info)
{
	unsigned long end = jiffies + CHESS_NETLINK_WAIT;

	while (!chess_rights_bar_exec(task)) {
		if (time_after(jiffies, end) || fatal_signal_pending(current)) {
			NL_SET_ERR_MSG(info->extack,
				       "the task executes another program just now, and takes long; try again");
			return -EAGAIN;
		}
		schedule_timeout_killable(1);
	}
	return 0;
}

/* Context: the task stays the program it is, where the owner's rights depend on it. */
static int register_task(struct chess_group *g, struct task_struct *task,
			 struct genl_info *info)
{
	int ret;

	if (task->flags & (PF_KTHREAD | PF_EXITING)) {
		NL_SET_ERR_MSG(info->extack, "the task is a kernel thread or is exiting");
		return -EINVAL;
	}
	if (!chess_rights_over(g, task)) {
		NL_SET_ERR_MSG(info->extack,
			       "this task needs ptrace rights over it, or CAP_SYS_ADMIN");
		return -EPERM;
	}
	ret = chess_task_register(g, task);
	if (ret == -EEXIST)
		NL_SET_ERR_MSG(info->extack, "the task is registered already");
	else if (ret == -EBUSY)
		NL_SET_ERR_MSG(info->extack, "the group has a task already; its children follow it");
	else if (ret == -ENOMEM)
		NL_SET_ERR_MSG(info->extack, "no memory for a task");
	return ret;
}

static struct task_struct *get_named_task(struct genl_info *info)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_vpid(nla_get_u32(info->attrs[CHESS_A_TASK_PID])), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[CHESS_A_TASK_PID],
				    "there is no task with this pid");
	return task;
}

int chess_nl_task_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct task_struct *task;
	struct chess_group *g;
	int ret;

	if (GENL_REQ_ATTR_CHECK(info, CHESS_A_TASK_PID)) {
		NL_SET_ERR_MSG(info->extack, "the pid of the task is missing");
		return -EINVAL;
	}
	g = chess_netlink_lock(info, CHESS_A_TASK_GROUP);
	if (IS_ERR(g))
		return PTR_ERR(g);
	ret = chess_netlink_refuse_run(g, info, true);
	if (ret)
		goto out;
	ret = -ESRCH;
	task = get_named_task(info);
	if (!task)
		goto out;
	ret = g->owner.privileged ? 0 : bar_exec(task, info);
	if (ret)
		goto out_task;
	ret = register_task(g, task, info);
	if (!g->owner.privileged)
		chess_rights_allow_exec(task);
out_task:
	put_task_struct(task);
out:
	chess_netlink_unlock(g);
	return ret;
}

static int adopt(struct chess_group *g, struct chess_adopt *a, struct genl_info *info)
{
	u32 flags = chess_netlink_u32(info, CHESS_A_TASK_ADOPT_FLAGS);
	u32 slowdown = chess_netlink_u32(info, CHESS_A_TASK_MAX_SLOWDOWN);
	int ret;

	if (READ_ONCE(g->state) != CHESS_GROUP_STATE_ARMED || !list_empty(&g->tasks)) {
		NL_SET_ERR_MSG(info->extack,
			       "the group must have a run that is armed, and no task");
		return -EBUSY;
	}
	a->leader = get_named_task(info);
	if (!a->leader)
		return -ESRCH;
	a->tree = flags & CHESS_ADOPT_FLAGS_TREE;
	a->follow = flags & CHESS_ADOPT_FLAGS_FOLLOW;
	a->hold = flags & CHESS_ADOPT_FLAGS_HOLD;
	a->latch = flags & CHESS_ADOPT_FLAGS_LATCH;
	a->guard.max_stall = msecs_to_jiffies(chess_netlink_u32(info, CHESS_A_TASK_MAX_STALL_MS));
	a->guard.heartbeat = msecs_to_jiffies(chess_netlink_u32(info, CHESS_A_TASK_HEARTBEAT_MS));
	a->guard.max_slowdown = slowdown;
	ret = chess_adopt(g, a, info->extack);
	/* Nothing is taken by halves. */
	if (ret && READ_ONCE(g->state) == CHESS_GROUP_STATE_RUNNING)
		chess_run_stop(g, false);
	put_task_struct(a->leader);
	return ret;
}

int chess_nl_task_adopt_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_adopt a = {};
	struct chess_group *g;
	struct sk_buff *msg;
	void *hdr;
	int ret;

	if (GENL_REQ_ATTR_CHECK(info, CHESS_A_TASK_PID)) {
		NL_SET_ERR_MSG(info->extack, "the pid of the process is missing");
		return -EINVAL;
	}
	g = chess_netlink_lock(info, CHESS_A_TASK_GROUP);
	if (IS_ERR(g))
		return PTR_ERR(g);
	ret = -ENOMEM;
	msg = chess_netlink_reply(info, &hdr);
	if (!msg)
		goto out;
	ret = adopt(g, &a, info);
	if (ret) {
		nlmsg_free(msg);
		goto out;
	}
	nla_put_u32(msg, CHESS_A_TASK_TAKEN, a.taken);
	nla_put_u32(msg, CHESS_A_TASK_LATE, a.late);
	genlmsg_end(msg, hdr);
	ret = genlmsg_reply(msg, info);
out:
	chess_netlink_unlock(g);
	return ret;
}
