// SPDX-License-Identifier: GPL-2.0-only
/*
 * What io_uring does outside system calls.
 *
 * Time-out requests (IORING_OP_TIMEOUT, IORING_OP_LINK_TIMEOUT). Their timers are
 * taken over when they are started, by going around hrtimer_start_range_ns(): they
 * go off on the group's clock, by a call of their own function (timer.c). A task that wants
 * to cancel one while that call is going on hears what the kernel says then.
 *
 *     hrtimer_start_range_ns() --> handle_start() --> chess_timer_add_ring()
 *     chess_timer_fire() --> chess_uring_expire()
 *     hrtimer_try_to_cancel() --> handle_cancel()
 *
 * The end of a ring. The last close leaves it to a kworker, which waits
 * for a grace period and then sends every task that used the ring a task work,
 * waking it as a signal does: a moment of the kernel's own, at which a wait may end
 * early. So the task that closed stays where it is, with the token, until its ring
 * is gone; the work that is for itself, as nearly always, it does on the way.
 *
 *     io_uring_release() --> handle_release() --> rings_end_fn() <-- handle_end()
 *
 * That is no stall (watchdog.c). A ring that has work for another task of the group cannot end
 * before that one has its turn, so it is not waited for; nor is any for longer than
 * RING_TICKS.
 */
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/sched.h>

#include "chess.h"
#include "compat.h"
#include "task.h"
#include "time/timer.h"
#include "uring.h"

#define MAX_ENDING	64
#define RING_TICKS	HZ
/* struct io_ring_ctx holds the work; what it holds else is the kernel's business. */
#define RING_BYTES	4096

struct ending {
	unsigned long ring;
	struct task_struct *closer;	/* only compared */
};

static struct ending ending[MAX_ENDING];
static DEFINE_RAW_SPINLOCK(ending_lock);
static bool attached;	/* written under probe_lock of probe.c */

/* A timer that was taken over; its memory is there as long as it stands here. */
struct timeout {
	struct hrtimer *timer;
	struct chess_group *group;
	bool firing;
};

static struct timeout timeouts[CHESS_MAX_TIMERS];
static DEFINE_RAW_SPINLOCK(timeouts_lock);
static struct task_struct *giver;	/* in chess_uring_give_back(); written under the lock */

/* Stands for a function that a probe goes around. */
static notrace noinline void nothing(void)
{
}

/* That there is one tells kprobes that the probe may go somewhere else. */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static void go_around(struct pt_regs *regs, long result)
{
	regs->ax = result;
	instruction_pointer_set(regs, (unsigned long)nothing);
}

static struct timeout *find_locked(const struct hrtimer *timer)
	__must_hold(&timeouts_lock)
{
	unsigned int i;

	lockdep_assert_held(&timeouts_lock);
	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (timeouts[i].timer == timer)
			return &timeouts[i];
	return NULL;
}

/* hrtimer_start_range_ns(timer, time, delta, mode) */
static int handle_start(struct kprobe *probe, struct pt_regs *regs)
{
	struct hrtimer *timer = (struct hrtimer *)regs_get_kernel_argument(regs, 0);
	bool absolute = !(regs_get_kernel_argument(regs, 3) & HRTIMER_MODE_REL), taken = false;
	struct chess_group *g;
	struct chess_task *t;
	struct timeout *slot;
	unsigned long flags;

	if (!chess_compat_is_ring_timer(timer) || READ_ONCE(giver) == current)
		return 0;
	rcu_read_lock();
	t = chess_task_find(current);
	g = t ? t->group : NULL;
	if (!g || READ_ONCE(g->state) != CHESS_GROUP_STATE_RUNNING ||
	    !(READ_ONCE(g->flags) & CHESS_RUN_FLAGS_VIRTUAL_TIME))
		goto out;
	raw_spin_lock_irqsave(&timeouts_lock, flags);
	slot = find_locked(timer);
	/* Started again without a cancel, perhaps while it goes off. */
	if (slot)
		chess_timer_drop_ring(slot->group, timer);
	else
		slot = find_locked(NULL);
	if (slot) {
		taken = chess_timer_add_ring(t, timer, regs_get_kernel_argument(regs, 1),
					     timer->base->clockid, absolute);
		*slot = (struct timeout) { .timer = taken ? timer : NULL, .group = g };
	}
	raw_spin_unlock_irqrestore(&timeouts_lock, flags);
out:
	rcu_read_unlock();
	if (taken)
		go_around(regs, 0);
	return taken;
}

/* hrtimer_try_to_cancel(timer) */
static int handle_cancel(struct kprobe *probe, struct pt_regs *regs)
{
	struct hrtimer *timer = (struct hrtimer *)regs_get_kernel_argument(regs, 0);
	struct timeout *slot;
	unsigned long flags;
	bool firing = false;

	if (!chess_compat_is_ring_timer(timer))
		return 0;
	raw_spin_lock_irqsave(&timeouts_lock, flags);
	slot = find_locked(timer);
	if (slot) {
		firing = slot->firing;
		if (!firing) {
			chess_timer_drop_ring(slot->group, timer);
			*slot = (struct timeout) { .timer = NULL };
		}
	}
	raw_spin_unlock_irqrestore(&timeouts_lock, flags);
	if (firing)
		go_around(regs, -1);
	return firing;
}

/**
 * chess_uring_expire() - a time-out request expires
 * @g: the group
 * @timer: its timer
 *
 * Context: irq work.
 */
void chess_uring_expire(struct chess_group *g, struct hrtimer *timer)
{
	struct timeout *slot;
	unsigned long flags;

	raw_spin_lock_irqsave(&timeouts_lock, flags);
	slot = find_locked(timer);
	/* Cancelled, and in its place there is another group's by now. */
	if (slot && slot->group != g)
		slot = NULL;
	if (slot) {
		slot->firing = true;
		chess_timer_drop_ring(g, timer);
	}
	raw_spin_unlock_irqrestore(&timeouts_lock, flags);
	if (!slot)
		return;
	/* Not under the lock: it takes those its cancellers come with. */
	timer->function(timer);
	raw_spin_lock_irqsave(&timeouts_lock, flags);
	slot = find_locked(timer);
	if (slot && slot->firing)
		*slot = (struct timeout) { .timer = NULL };
	raw_spin_unlock_irqrestore(&timeouts_lock, flags);
}

/**
 * chess_uring_give_back() - a run is over: what is left goes by the machine's time
 * @g: the group
 *
 * Context: process; nothing of the group goes off any more.
 */
void chess_uring_give_back(struct chess_group *g)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&timeouts_lock, flags);
	WRITE_ONCE(giver, current);
	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		struct hrtimer *timer = timeouts[i].timer;

		if (timeouts[i].group != g)
			continue;
		timeouts[i] = (struct timeout) { .timer = NULL };
		if (timer)
			hrtimer_start(timer, ns_to_ktime(chess_timer_drop_ring(g, timer)),
				      HRTIMER_MODE_REL);
	}
	WRITE_ONCE(giver, NULL);
	raw_spin_unlock_irqrestore(&timeouts_lock, flags);
}

static bool is_ending(const struct task_struct *closer)
{
	unsigned int i;
	bool yes = false;

	raw_spin_lock_irq(&ending_lock);
	for (i = 0; i < MAX_ENDING; i++)
		yes |= ending[i].ring && ending[i].closer == closer;
	raw_spin_unlock_irq(&ending_lock);
	return yes;
}

static void forget(const struct task_struct *closer)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&ending_lock, flags);
	for (i = 0; i < MAX_ENDING; i++)
		if (ending[i].closer == closer)
			ending[i] = (struct ending) { .ring = 0 };
	raw_spin_unlock_irqrestore(&ending_lock, flags);
}

/* Does another task have a work to do as soon as it goes on, as the kworker asks for? */
static bool is_another_notified(struct chess_group *g)
{
	const struct chess_task *t;
	unsigned long flags;
	bool yes = false;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(t, &g->tasks, entry)
		yes |= t->task != current && test_tsk_thread_flag(t->task, TIF_NOTIFY_SIGNAL);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return yes;
}

static void stop_settling(struct chess_task *t)
{
	WRITE_ONCE(t->ring.ticks, 0);
	forget(current);
}

/*
 * A tick at a time, and then the other works, of which one may be what the kworker
 * waits for. The state says that the kernel is busy: chess_point_slept().
 */
static void rings_end_fn(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, ring.work.head);

	clear_bit(0, &t->ring.work.queued);
	if (!is_ending(current) || !t->ring.ticks || is_another_notified(t->group)) {
		stop_settling(t);
		return;
	}
	WRITE_ONCE(t->ring.ticks, t->ring.ticks - 1);
	/* A work came in between: it may be the one. */
	if (!task_work_pending(current))
		schedule_timeout_uninterruptible(1);
	if (!chess_work_queue(&t->ring.work, current, TWA_RESUME))
		stop_settling(t);
}

/**
 * chess_uring_init() - prepare a new task
 * @t: the task
 *
 * Context: any.
 */
void chess_uring_init(struct chess_task *t)
{
	init_task_work(&t->ring.work.head, rings_end_fn);
}

static bool note(unsigned long ring)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&ending_lock, flags);
	for (i = 0; i < MAX_ENDING; i++)
		if (!ending[i].ring) {
			ending[i] = (struct ending) { .ring = ring, .closer = current };
			break;
		}
	raw_spin_unlock_irqrestore(&ending_lock, flags);
	return i < MAX_ENDING;
}

/* io_uring_release(inode, file): the last close, in a task work of the closer. */
static int handle_release(struct kprobe *probe, struct pt_regs *regs)
{
	struct file *file = (struct file *)regs_get_kernel_argument(regs, 1);
	struct chess_task *t;

	rcu_read_lock();
	t = chess_task_find(current);
	if (t && READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING &&
	    note((unsigned long)file->private_data)) {
		WRITE_ONCE(t->ring.ticks, RING_TICKS);
		if (!chess_work_queue(&t->ring.work, current, TWA_RESUME))
			stop_settling(t);
	}
	rcu_read_unlock();
	return 0;
}

/* io_ring_exit_work(work): the nearest ring that begins before its work is its ring. */
static int handle_exit_work(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	unsigned long work = regs_get_kernel_argument(regs, 0), *ring = (void *)ri->data;
	unsigned long flags;
	unsigned int i;

	*ring = 0;
	raw_spin_lock_irqsave(&ending_lock, flags);
	for (i = 0; i < MAX_ENDING; i++)
		if (ending[i].ring > *ring && ending[i].ring < work &&
		    work - ending[i].ring < RING_BYTES)
			*ring = ending[i].ring;
	raw_spin_unlock_irqrestore(&ending_lock, flags);
	return !*ring;
}

static int handle_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	unsigned long flags, *ring = (void *)ri->data;
	unsigned int i;

	raw_spin_lock_irqsave(&ending_lock, flags);
	for (i = 0; i < MAX_ENDING; i++)
		if (ending[i].ring == *ring)
			ending[i] = (struct ending) { .ring = 0 };
	raw_spin_unlock_irqrestore(&ending_lock, flags);
	return 0;
}

static struct kprobe release_probe, start_probe, cancel_probe;
static struct kprobe *const probes[] = { &release_probe, &cancel_probe, &start_probe };
static struct kretprobe exit_work_probe;

/**
 * chess_uring_attach() - watch rings and their timers, if that is not done yet
 *
 * Context: process, may sleep.
 */
void chess_uring_attach(void)
{
	if (attached)
		return;
	/* What an earlier registration left in them must not be seen by this one. */
	release_probe = (struct kprobe) {
		.symbol_name = "io_uring_release",
		.pre_handler = handle_release,
	};
	cancel_probe = (struct kprobe) {
		.symbol_name = "hrtimer_try_to_cancel",
		.pre_handler = handle_cancel,
		.post_handler = after,
	};
	start_probe = (struct kprobe) {
		.symbol_name = "hrtimer_start_range_ns",
		.pre_handler = handle_start,
		.post_handler = after,
	};
	exit_work_probe = (struct kretprobe) {
		.kp.symbol_name = "io_ring_exit_work",
		.entry_handler = handle_exit_work,
		.handler = handle_end,
		.data_size = sizeof(unsigned long),
		.maxactive = MAX_ENDING,
	};
	if (register_kretprobe(&exit_work_probe))
		return;
	if (register_kprobes((struct kprobe **)probes, ARRAY_SIZE(probes)))
		unregister_kretprobe(&exit_work_probe);
	else
		WRITE_ONCE(attached, true);
}

/**
 * chess_uring_is_attached() - are they watched
 *
 * Context: any.
 */
bool chess_uring_is_attached(void)
{
	return READ_ONCE(attached);
}

/**
 * chess_uring_detach() - end that
 *
 * Context: process, may sleep; no task is controlled any more.
 */
void chess_uring_detach(void)
{
	if (!attached)
		return;
	unregister_kprobes((struct kprobe **)probes, ARRAY_SIZE(probes));
	unregister_kretprobe(&exit_work_probe);
	WRITE_ONCE(attached, false);
}
