// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups. netlink.c creates and configures them; the owner's socket keeps them
 * alive. Their runs are in run.c.
 *
 * How a group goes away, always in this order (chess_group_end() and, when the
 * last reference is gone, release_worker()):
 *  1. refuse new work: @dead, out of the list;
 *  2. the run is stopped: state DRAINING, so that no gate closes any more;
 *  3. every task gets its leave work and is woken: it takes its traps out,
 *     unregisters its notifier and drops its reference, in its own context. A
 *     task that cannot run the work is past exit_task_work() and drops its
 *     reference when it is dead. Adopted tasks that sleep are not woken for that:
 *     drain.c does it for them;
 *  4. the last task is gone: the module reference is put, see unpin();
 *  5. tasks are freed after a grace period, each with its group reference;
 *  6. the last reference: timer and irq work are cancelled, the probes have one user
 *     less, memory is freed.
 * The module cannot go before 4. 5 and 6 always come to an end, and the exit
 * function waits for them and detaches probes that are still attached; so whoever ends a
 * group may unload the module next.
 */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "chess.h"
#include "compat.h"
#include "drain.h"
#include "gate.h"
#include "group.h"
#include "netlink.h"
#include "probe.h"
#include "quota.h"
#include "record.h"
#include "rights.h"
#include "run.h"
#include "settle.h"
#include "task.h"
#include "time/cputime.h"
#include "time/timer.h"
#include "traps/access.h"
#include "traps/image.h"
#include "watchdog.h"

#define CHESS_QUANTUM_US	500000
#define CHESS_EVENTS		131072

static DEFINE_MUTEX(chess_groups_lock);	/* protects chess_groups and last_id */
static LIST_HEAD(chess_groups);
static u32 last_id;

/* Groups that are not freed, and the task that waits until all are. */
static atomic_t groups_alive = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(groups_gone);

struct workqueue_struct *chess_wq;

/* Timers go off without plock; then the decision that waited for it is taken. */
static void fire_timers(struct chess_group *g)
{
	unsigned long flags;
	bool more;

	WRITE_ONCE(g->timers.cpu, smp_processor_id());
	more = chess_timer_fire(g);
	WRITE_ONCE(g->timers.cpu, -1);
	if (more) {
		irq_work_queue(&g->irq_work);
		return;
	}
	raw_spin_lock_irqsave(&g->plock, flags);
	g->timers.firing = false;
	chess_settle_locked(g);
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

static void irq_work_fn(struct irq_work *work)
{
	struct chess_group *g = container_of(work, struct chess_group, irq_work);
	struct chess_task *dead;
	unsigned long flags;
	bool notices;

	if (READ_ONCE(g->timers.firing))
		fire_timers(g);
	raw_spin_lock_irqsave(&g->plock, flags);
	dead = g->dead_tasks;
	g->dead_tasks = NULL;
	notices = g->notices.due;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_gate_wake(g);
	if (notices) {
		chess_group_get(g);
		if (!queue_work(chess_wq, &g->worker))
			chess_group_put(g);
	}
	chess_task_free_dead(dead);
}

/*
 * The group is at its end and without tasks: the module may go. Called where one
 * of the two may have become true just now.
 */
static void unpin(struct chess_group *g)
{
	unsigned long flags;
	bool put;

	raw_spin_lock_irqsave(&g->plock, flags);
	put = g->pinned && READ_ONCE(g->dead) && g->state == CHESS_GROUP_STATE_IDLE &&
	      list_empty(&g->tasks);
	if (put)
		g->pinned = false;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (put)
		module_put(THIS_MODULE);
}

/* Under the lock, or a run that begins meanwhile would be stopped. */
static void finish_letting_go(struct chess_group *g)
{
	mutex_lock(&g->lock);
	if (READ_ONCE(g->state) == CHESS_GROUP_STATE_DRAINING)
		chess_run_stop(g, false);
	mutex_unlock(&g->lock);
}

static void worker_fn(struct work_struct *work)
{
	struct chess_group *g = container_of(work, struct chess_group, worker);
	unsigned long flags, notices;
	u32 seq;

	if (READ_ONCE(g->notices.due) & BIT(CHESS_NOTICE_LET_GO))
		finish_letting_go(g);
	raw_spin_lock_irqsave(&g->plock, flags);
	notices = g->notices.due;
	g->notices.due = 0;
	seq = g->notices.seq;
	if (notices & BIT(CHESS_NOTICE_END))
		g->lost += chess_probe_missed() - g->missed;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (notices & BIT(CHESS_NOTICE_END)) {
		wake_up_all(&g->empty);
		unpin(g);
	}
	chess_netlink_notify(g, notices, seq);
	chess_group_put(g);
}

/* One of @may; any, where those are all offline. */
static unsigned int pick_cpu_locked(const struct cpumask *may)
{
	unsigned int cpu, best = cpumask_any(cpu_online_mask), fewest = UINT_MAX;
	const struct chess_group *g;

	lockdep_assert_held(&chess_groups_lock);
	/* The last one of the least used: controllers tend to sit on the first. */
	for_each_cpu_and(cpu, may, cpu_online_mask) {
		unsigned int count = 0;

		list_for_each_entry(g, &chess_groups, entry)
			count += READ_ONCE(g->place.cpu) == cpu;
		if (count <= fewest) {
			fewest = count;
			best = cpu;
		}
	}
	return best;
}

/**
 * chess_group_place() - the group's processor is one that its first task may use
 * @g: a group whose run begins
 * @task: that task; a container may have few
 *
 * Context: process, may sleep.
 */
void chess_group_place(struct chess_group *g, struct task_struct *task)
{
	if (!chess_compat_cpuset(task, g->place.limits))
		cpumask_copy(g->place.limits, cpu_possible_mask);
	if (cpumask_test_cpu(g->place.cpu, task->cpus_ptr) && cpu_online(g->place.cpu))
		return;
	mutex_lock(&chess_groups_lock);
	WRITE_ONCE(g->place.cpu, pick_cpu_locked(task->cpus_ptr));
	mutex_unlock(&chess_groups_lock);
}

static void free_group(struct chess_group *g)
{
	chess_record_free(&g->record);
	chess_access_free(g);
	chess_image_free_all(g);
	chess_timer_free_group(g);
	chess_cputime_clear(g);
	chess_quota_free(g->prefix.segments);
	chess_quota_free(g->policy.tasks);
	kvfree(g->pids);
	kvfree(g->by_id);
	kvfree(g->inodes.names);
	free_cpumask_var(g->place.limits);
	put_pid(g->owner.pid);
	put_pid(g->adoption.process);
	if (g->owner.net)
		put_net(g->owner.net);
	if (g->owner.sock)
		sock_put(g->owner.sock);
	put_cred(g->owner.cred);
	chess_quota_put(g->quota);
	kfree(g);
}

static void release_worker(struct work_struct *work)
{
	struct chess_group *g = container_of(work, struct chess_group, releaser);

	chess_watchdog_stop(g);
	irq_work_sync(&g->irq_work);
	/* While the end of a ring's timer is still seen: it is not used after that. */
	chess_timer_clear(g);
	chess_probe_put();
	free_group(g);
	if (atomic_dec_and_test(&groups_alive))
		wake_up_all(&groups_gone);
}

static void release(struct kref *ref)
{
	struct chess_group *g = container_of(ref, struct chess_group, ref);

	queue_work(chess_wq, &g->releaser);
}

/**
 * chess_group_get() - take a reference
 * @g: the group
 *
 * Context: any.
 */
void chess_group_get(struct chess_group *g)
{
	kref_get(&g->ref);
}

/**
 * chess_group_put() - drop a reference
 * @g: the group
 *
 * Context: any.
 */
void chess_group_put(struct chess_group *g)
{
	kref_put(&g->ref, release);
}

/* @quota: goes with the group, or is put. */
static struct chess_group *alloc_group(struct chess_quota *quota, u32 max_events)
{
	struct chess_group *g = kzalloc(sizeof(*g), GFP_KERNEL_ACCOUNT);

	if (!g) {
		chess_quota_put(quota);
		return NULL;
	}
	g->quota = quota;
	kref_init(&g->ref);
	mutex_init(&g->lock);
	raw_spin_lock_init(&g->plock);
	INIT_LIST_HEAD(&g->images.list);
	INIT_LIST_HEAD(&g->tasks);
	INIT_LIST_HEAD(&g->killed);
	INIT_LIST_HEAD(&g->cputime.accounts);
	init_waitqueue_head(&g->empty);
	g->irq_work = IRQ_WORK_INIT_HARD(irq_work_fn);
	INIT_WORK(&g->worker, worker_fn);
	INIT_WORK(&g->releaser, release_worker);
	mutex_init(&g->leaving);
	chess_drain_init(g);
	chess_watchdog_init(g);
	g->state = CHESS_GROUP_STATE_IDLE;
	g->pids = kvcalloc(CHESS_MAX_TASKS, sizeof(*g->pids), GFP_KERNEL_ACCOUNT);
	g->by_id = kvcalloc(CHESS_MAX_TASKS, sizeof(*g->by_id), GFP_KERNEL_ACCOUNT);
	g->inodes.names = kvcalloc(CHESS_MAX_INODES, sizeof(*g->inodes.names), GFP_KERNEL_ACCOUNT);
	g->timers.cpu = -1;
	g->latches.task = CHESS_TASK_NONE;
	g->keep.at = CHESS_KEEP_NONE;
	if (!g->pids || !g->by_id || !g->inodes.names ||
	    !zalloc_cpumask_var(&g->place.limits, GFP_KERNEL_ACCOUNT) ||
	    chess_timer_init_group(g) ||
	    chess_record_init(&g->record, quota, max_events)) {
		free_group(g);
		return NULL;
	}
	return g;
}

/**
 * chess_group_create() - create a group owned by a socket
 * @skb: the request
 * @info: the request; the door was passed
 * @quantum_us: see the ABI; 0 for the default
 * @max_events: capacity of the record; 0 for the default
 *
 * Context: netlink.
 * Return: the group with a reference for the caller, or ERR_PTR.
 */
struct chess_group *chess_group_create(struct sk_buff *skb, struct genl_info *info,
				       u32 quantum_us, u32 max_events)
{
	struct netlink_ext_ack *extack = info->extack;
	struct chess_quota *quota = NULL;
	struct chess_group *g;
	int ret;

	if (!chess_netlink_is_admin(info))
		quota = chess_quota_get(chess_rights_opener(skb)->uid);
	if (IS_ERR(quota)) {
		NL_SET_ERR_MSG(extack,
			       "this user has as many groups as it may have; one that was ended counts until its tasks, stopped ones too, are gone");
		return ERR_CAST(quota);
	}
	g = alloc_group(quota, max_events ?: CHESS_EVENTS);
	if (!g) {
		NL_SET_ERR_MSG(extack,
			       "no memory for a group with a record of this size, or not within what one user may have");
		return ERR_PTR(-ENOMEM);
	}
	g->owner.portid = info->snd_portid;
	g->owner.net = get_net(genl_info_net(info));
	g->owner.sock = NETLINK_CB(skb).sk;
	sock_hold(g->owner.sock);
	g->owner.cred = get_cred(chess_rights_opener(skb));
	g->owner.pid = get_task_pid(current, PIDTYPE_TGID);
	g->owner.uid = g->owner.cred->uid;
	g->owner.privileged = chess_netlink_is_admin(info);
	g->watchdog.quantum_us = quantum_us ?: CHESS_QUANTUM_US;
	g->streak.limit = CHESS_FAIR_PARTS;

	if (!try_module_get(THIS_MODULE)) {
		NL_SET_ERR_MSG(extack, "the module is being unloaded");
		ret = -EBUSY;
		goto err_free;
	}
	/* Not under the lock below, which requests about other groups need. */
	ret = chess_probe_get();
	if (ret) {
		NL_SET_ERR_MSG(extack, "the kernel's tracepoints cannot be attached to");
		goto err_module;
	}
	g->pinned = true;
	atomic_inc(&groups_alive);
	/* Who knows what its number will be may end it as soon as it is in the list. */
	chess_group_get(g);
	mutex_lock(&chess_groups_lock);
	g->place.cpu = pick_cpu_locked(current->cpus_ptr);
	g->id = ++last_id;
	list_add_tail(&g->entry, &chess_groups);
	mutex_unlock(&chess_groups_lock);
	return g;

err_module:
	module_put(THIS_MODULE);
err_free:
	free_group(g);
	return ERR_PTR(ret);
}

/**
 * chess_group_lookup() - find a group by number
 * @id: its number
 *
 * Context: netlink.
 * Return: the group with a reference, or NULL.
 */
struct chess_group *chess_group_lookup(u32 id)
{
	struct chess_group *g;

	mutex_lock(&chess_groups_lock);
	list_for_each_entry(g, &chess_groups, entry)
		if (g->id == id) {
			chess_group_get(g);
			mutex_unlock(&chess_groups_lock);
			return g;
		}
	mutex_unlock(&chess_groups_lock);
	return NULL;
}

/**
 * chess_group_next() - the first group with a number above another
 * @id: the number
 *
 * Context: netlink.
 * Return: the group with a reference, or NULL.
 */
struct chess_group *chess_group_next(u32 id)
{
	struct chess_group *g;

	mutex_lock(&chess_groups_lock);
	list_for_each_entry(g, &chess_groups, entry)
		if (g->id > id) {
			chess_group_get(g);
			mutex_unlock(&chess_groups_lock);
			return g;
		}
	mutex_unlock(&chess_groups_lock);
	return NULL;
}

/**
 * chess_group_end() - the owner wants no more of it, or is gone
 * @g: the group
 * @wait: how long to wait for the tasks, in jiffies
 *
 * Context: process, may sleep. Waits a little for the tasks, so that whoever
 * looks next does not see leftovers; the group goes away in any case.
 */
void chess_group_end(struct chess_group *g, unsigned long wait)
{
	bool first;

	mutex_lock(&chess_groups_lock);
	first = !list_empty(&g->entry);
	list_del_init(&g->entry);
	mutex_unlock(&chess_groups_lock);
	mutex_lock(&g->lock);
	g->dead = true;
	chess_kept_drop(g);
	mutex_unlock(&g->lock);
	if (!chess_run_stop(g, false))
		wait_event_timeout(g->empty, READ_ONCE(g->state) == CHESS_GROUP_STATE_IDLE, wait);
	unpin(g);
	if (first)
		chess_group_put(g);
}

/**
 * chess_group_end_owner() - a socket was closed: end its groups
 * @net: its network namespace
 * @portid: its port
 *
 * Context: process, may sleep.
 */
void chess_group_end_owner(struct net *net, u32 portid)
{
	struct chess_group *g;
	u32 id = 0;

	while ((g = chess_group_next(id))) {
		id = g->id;
		/* The port may be another socket's already, with groups of its own. */
		if (g->owner.portid == portid && net_eq(g->owner.net, net) &&
		    sock_flag(g->owner.sock, SOCK_DEAD))
			chess_group_end(g, HZ);
		chess_group_put(g);
	}
}

/**
 * chess_group_init() - module init
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int chess_group_init(void)
{
	chess_wq = alloc_workqueue("chess", WQ_HIGHPRI | WQ_UNBOUND, 0);
	return chess_wq ? 0 : -ENOMEM;
}

/**
 * chess_group_exit() - module exit; no group has tasks, and none can be made
 *
 * Context: process, may sleep.
 */
void chess_group_exit(void)
{
	wait_event(groups_gone, !atomic_read(&groups_alive));
	chess_probe_exit();
	/* What frees address spaces and tasks is in flight still. */
	rcu_barrier();
	destroy_workqueue(chess_wq);
}
