// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where tasks wait for the token.
 *
 * The user gate: a task work that runs when the task returns to user mode. Armed
 * by points (the op is executed again after it) and by the backstop after
 * get_signal(). The wake-up gate: a task that really blocked and was woken parks
 * where it is scheduled in, before it executes any kernel code; else two readers
 * of one pipe race in the kernel, which was seen to give 105 different records
 * in 200 runs (design, section 4).
 *
 *    running --point--> arm --return to user--> user gate --+
 *    blocked --wake--> sched_in --> wake-up gate -----------+--> park --token--> go on
 *    created ----------> sched_in --> wake-up gate ---------+
 *    adopted --------arm: chess_gate_adopt() --> user gate -+
 *
 * A task that is frozen, with its control group or the machine, is frozen where it parks,
 * or where it sleeps in the kernel: see freeze.c.
 *
 * A parked task sleeps on a queue of its own. It must never be woken with
 * wake_up_process(): a late wake-up would hit its next real wait.
 *
 * Signals do not let a parked task go, except where waiting would hang somebody
 * (invariant I4): a fatal signal, a debugger. Not so a stop: the task does not run
 * as it is, and stops once it has the token; else the enabled set would show when
 * the scheduler got to it. Nor a debugger that is in the group itself: it waits for
 * the stop as for anything else, and the task gets the token for it. After such a leave
 * the task has no token; whatever it does next brings it back here: a syscall or trap
 * without the token, the wake-up gate after a debugger's stop, or the backstop, a return
 * probe on get_signal().
 * The work is never re-armed from within itself while a signal is pending:
 * get_signal() runs task works in a loop and would not end.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/sched/jobctl.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>

#include "adopt.h"
#include "arch_x86.h"
#include "chess.h"
#include "freeze.h"
#include "gate.h"
#include "point.h"
#include "probe.h"
#include "task.h"
#include "time/deadline.h"

/* How often a parked task with a pending signal looks whether a debugger wants it:
 * such a task sleeps where only fatal signals wake it.
 */
#define CHESS_GATE_POLL	(HZ / 50)

/*
 * Is the debugger of current under control in the same run? One that attaches to a task that
 * was stopped before waits in ptrace() itself, with the token, until that is traced.
 */
static bool is_traced_inside(const struct chess_task *t)
{
	const struct chess_task *tracer;
	bool inside;

	if (!current->ptrace || (READ_ONCE(current->jobctl) & JOBCTL_TRAPPING) ||
	    READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING)
		return false;
	rcu_read_lock();
	tracer = chess_task_find(rcu_dereference(current->parent));
	inside = tracer && tracer->group == t->group && !READ_ONCE(tracer->out);
	rcu_read_unlock();
	return inside;
}

/**
 * chess_gate_must_leave() - must current leave the gate without the token?
 * @t: its task
 *
 * A child born under a debugger has its stop pending before schedule_tail() sets the flag, and
 * may park before that. While a uprobe's instruction is stepped the kernel hides signals, fatal
 * ones too, by taking their flag away (uprobe_deny_signal(), 6.12); so the signal itself is
 * looked for.
 *
 * Context: any, in the task itself.
 */
bool chess_gate_must_leave(const struct chess_task *t)
{
	if (__fatal_signal_pending(current))
		return true;
	if (is_traced_inside(t))
		return false;
	if (READ_ONCE(current->jobctl) & JOBCTL_TRAP_MASK)
		return true;
	return current->ptrace &&
	       (signal_pending(current) ||
		(READ_ONCE(current->jobctl) & JOBCTL_STOP_PENDING) ||
		sigismember(&current->pending.signal, SIGSTOP));
}

/*
 * gdb has a new process make one step before it lets go of it (13.1, follow_fork() in
 * linux-nat.c), with all others stopped, the holder of the token among them, and waits for
 * that step. It is the instruction after fork() or clone(), nothing was recorded of the
 * task before, and its debugger's stop brings it back here.
 */
static bool is_let_step(const struct chess_task *t)
{
	return !READ_ONCE(t->seq) && !READ_ONCE(t->group->record.dropped) &&
	       chess_arch_is_stepped();
}

static bool may_go(const struct chess_task *t)
{
	const struct chess_group *g = t->group;

	return READ_ONCE(g->token) == t || READ_ONCE(g->state) != CHESS_GROUP_STATE_RUNNING ||
	       READ_ONCE(t->out);
}

/* Context: task work, or the preempt notifier with preemption on again. */
static void park(struct chess_task *t)
{
	DECLARE_SWAITQUEUE(wait);

	WRITE_ONCE(t->gate.since, jiffies);
	WRITE_ONCE(t->gate.is_parked, true);
	while (!may_go(t) && !chess_gate_must_leave(t) && !is_let_step(t)) {
		bool pending = signal_pending(current);

		chess_point_arrived(t);
		if (chess_freeze_is_due(t)) {
			chess_freeze_stay(t);
			continue;
		}
		prepare_to_swait_exclusive(&t->gate.wait, &wait,
					   (pending ? TASK_KILLABLE | TASK_NOLOAD :
						      TASK_INTERRUPTIBLE) | TASK_FREEZABLE);
		if (may_go(t))
			break;
		if (pending)
			schedule_timeout(CHESS_GATE_POLL);
		else
			schedule();
	}
	finish_swait(&t->gate.wait, &wait);
	WRITE_ONCE(t->gate.is_parked, false);
}

/*
 * The task was parked at a trap and has the token: it continues after the trap,
 * in the slot. With a signal pending it stays at the trap, so that the handler
 * runs before the op as it does for syscalls; chess_task.pass lets it through
 * when it comes back, if the handler had no point.
 */
static void leave_trap(struct chess_task *t)
{
	struct pt_regs *regs = task_pt_regs(current);
	bool here = t->pass.set && t->pass.nr == -1 && regs->ip == t->pass.ip &&
		    regs->sp == t->pass.sp;

	if (!may_go(t))
		return;
	if (signal_pending(current)) {
		if (here && !t->pass.again) {
			t->pass.seq = t->seq;
			t->pass.again = true;
		}
		return;
	}
	if (!t->traps.slot)
		return;
	if (here)
		regs->ip = t->traps.slot;
	/* What a handler is parked at is another one, and stays. */
	if (t->pass.nr == -1)
		t->pass.set = false;
	t->traps.slot = 0;
}

/*
 * The switches of park() ask for resume_user_mode_work() once more, for rseq. Where that
 * is what runs this work, it took the flag away before and comes to rseq after the works:
 * the second turn would find nothing to do, at a thirtieth of the price of a switch. Where
 * get_signal() runs the work the flag is still there, and rseq is still to come.
 */
static void park_once(struct chess_task *t)
{
	bool resuming = !test_thread_flag(TIF_NOTIFY_RESUME);

	park(t);
	if (resuming) {
		clear_thread_flag(TIF_NOTIFY_RESUME);
		smp_mb__after_atomic();		/* before the works are looked at again */
	}
}

/**
 * chess_gate_interrupted() - a call of current was interrupted, and that is seen to
 * @t: its task
 *
 * Context: any, in the task itself.
 */
void chess_gate_interrupted(struct chess_task *t)
{
	t->gate.freezes = chess_probe_freezes();
}

/*
 * The task left what it waits in only to be frozen, and is about to make the call again: it
 * is back in its place once it waits there. Parked here, it would seem to have been woken.
 * Returns whether that is so.
 */
static bool is_going_back(struct chess_task *t)
{
	if (!t->pass.set || !t->pass.again || t->pass.sp != task_pt_regs(current)->sp ||
	    !READ_ONCE(t->away) || may_go(t) || chess_gate_must_leave(t) || !chess_freeze_is_all(t))
		return false;
	chess_freeze_go_back(t);
	return READ_ONCE(t->away) && chess_freeze_is_all(t);
}

static void gate_fn(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, gate.work.head);

	clear_bit(0, &t->gate.work.queued);
	if (t->traps.fast.granted)
		chess_fast_drain(t);
	if (chess_kept_is_due(t->group) && READ_ONCE(t->group->token) == t && chess_kept_stay(t))
		return;
	if (READ_ONCE(t->apart) && !chess_adopt_arrive(t))
		return;
	if (t->gate.thawed && READ_ONCE(t->group->token) == t)
		chess_freeze_let_others_back(t);
	if (is_going_back(t))
		return;
	if (!may_go(t)) {
		chess_gate_wake(t->group);
		park_once(t);
	}
	leave_trap(t);
}

static void quantum_fn(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, gate.quantum.head);

	clear_bit(0, &t->gate.quantum.queued);
	/* It came to points that nobody had seen yet. */
	if (t->traps.fast.granted && chess_fast_drain(t))
		return;
	chess_point_quantum(t, task_pt_regs(current));
	if (!may_go(t))
		park(t);
}

/*
 * What a BPF program noted is a point of the task like any other. It cannot be skipped
 * and executed again, as a system call can: the task waits here. Where it has no token
 * it first gets that, and then is at the point.
 */
static void take_custom(struct chess_task *t, const struct chess_custom *c)
{
	struct chess_event e = {
		.type = CHESS_EVENT_POINT,
		.op = c->op,
		.flags = c->flags | CHESS_OPF_PROBE,
		.object_kind = CHESS_OBJECT_ADDRESS,
		.task = t->id,
		.chosen = CHESS_TASK_NONE,
		.object = c->object,
		.ip = c->regs.ip,
	};
	enum chess_take take;

	do {
		local_irq_disable();
		take = chess_point_take(t, &e, &c->regs);
		local_irq_enable();
		if (take == CHESS_TAKE_GO)
			return;
		if (take == CHESS_TAKE_WAIT)
			chess_gate_wake(t->group);
		else if (chess_kept_is_due(t->group))
			chess_kept_give_up(t->group);
		park(t);
	} while (take == CHESS_TAKE_AGAIN && may_go(t));
}

static void custom_fn(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, gate.custom.work.head);

	clear_bit(0, &t->gate.custom.work.queued);
	if (t->traps.fast.granted)
		chess_fast_drain(t);
	if (!(current->flags & PF_EXITING) && !__fatal_signal_pending(current) && !t->out)
		take_custom(t, &t->gate.custom);
	clear_bit(0, &t->gate.custom.busy);
}

/* A task of a group is scheduled in; preemption is off. */
static void sched_in(struct preempt_notifier *notifier, int cpu)
{
	struct chess_task *t = container_of(notifier, struct chess_task, notifier);
	unsigned int state = t->block_state;

	if (READ_ONCE(t->kept))
		WRITE_ONCE(t->kept, false);
	if (!t->blocked)
		return;
	t->blocked = false;
	if ((current->flags & PF_EXITING) || fatal_signal_pending(current)) {
		chess_point_arrived(t);
		return;
	}
	if (READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING)
		return;
	if (chess_gate_must_leave(t)) {
		chess_gate_arm(t);
		return;
	}
	if (chess_freeze_woke(t, state)) {
		preempt_enable();
		do {
			chess_freeze_stay(t);
			chess_freeze_go_back(t);
		} while (chess_freeze_is_due(t));
		preempt_disable();
		/* It looks whether what it waits for is there, and sleeps again. */
		if (!READ_ONCE(t->enabled) && !__fatal_signal_pending(current)) {
			chess_gate_arm(t);
			return;
		}
	}
	chess_point_arrived(t);
	if (may_go(t))
		return;
	if (state & (TASK_INTERRUPTIBLE | __TASK_TRACED | __TASK_STOPPED)) {
		preempt_enable();
		park(t);
		preempt_disable();
	} else {
		/* It may hold kernel locks here: it parks on its way out. */
		chess_gate_arm(t);
	}
}

static void sched_out(struct preempt_notifier *notifier, struct task_struct *next)
{
}

struct preempt_ops chess_gate_notifier = {
	.sched_in = sched_in,
	.sched_out = sched_out,
};

/**
 * chess_gate_init() - prepare the gates of a new task
 * @t: the task
 *
 * Context: process.
 */
void chess_gate_init(struct chess_task *t)
{
	t->gate.freezes = chess_probe_freezes();
	init_swait_queue_head(&t->gate.wait);
	init_task_work(&t->gate.work.head, gate_fn);
	init_task_work(&t->gate.quantum.head, quantum_fn);
	init_task_work(&t->gate.custom.work.head, custom_fn);
	preempt_notifier_init(&t->notifier, &chess_gate_notifier);
}

/**
 * chess_gate_arm() - have current park when it returns to user mode
 * @t: its task
 *
 * Context: any, in the task itself.
 */
void chess_gate_arm(struct chess_task *t)
{
	chess_work_queue(&t->gate.work, t->task, TWA_RESUME);
}

/**
 * chess_gate_adopt() - have a task join when it returns to user mode
 * @t: its task, apart
 *
 * Context: any.
 * Return: false when it is too far on its way out.
 */
bool chess_gate_adopt(struct chess_task *t)
{
	return chess_work_queue(&t->gate.work, t->task, TWA_RESUME);
}

/**
 * chess_gate_quantum() - have the token holder take a decision
 * @t: the holder
 *
 * Context: any.
 */
void chess_gate_quantum(struct chess_task *t)
{
	chess_work_queue(&t->gate.quantum, t->task, TWA_RESUME);
}

/**
 * chess_gate_custom() - have current take a point before it goes on in its program
 * @t: its task
 * @object: address the op works on
 * @op: enum chess_op_class
 * @flags: CHESS_OPF_*
 *
 * Context: any, in the task itself.
 * Return: 0; -EBUSY when the last one has not been decided yet; -ESRCH when the task is
 * too far on its way out.
 */
int chess_gate_custom(struct chess_task *t, u64 object, u32 op, u32 flags)
{
	struct chess_custom *c = &t->gate.custom;

	if (test_and_set_bit(0, &c->busy))
		return -EBUSY;
	c->object = chess_task_address(object);
	c->op = op;
	c->flags = flags;
	c->regs = *task_pt_regs(current);
	if (chess_work_queue(&c->work, current, TWA_RESUME))
		return 0;
	clear_bit(0, &c->busy);
	return -ESRCH;
}

/**
 * chess_gate_wake() - let the token holder go, if it is parked
 * @g: the group
 *
 * Context: irq work or task work; not under plock, the run-queue lock, p->pi_lock.
 */
void chess_gate_wake(struct chess_group *g)
{
	struct chess_task *t;

	/* Without plock: whoever moves the token next calls this again. */
	rcu_read_lock();
	t = READ_ONCE(g->token);
	if (t && (READ_ONCE(t->wait_for.passed) || READ_ONCE(t->line.again)) &&
	    !READ_ONCE(t->gate.is_parked))
		chess_deadline_expire(t);
	else if (t && t->task != current)
		swake_up_one(&t->gate.wait);
	rcu_read_unlock();
}

/**
 * chess_gate_open() - let every parked task go
 * @g: a group that is not running any more
 *
 * Others are interrupted in what they wait in, as a stop and its end would. Not those of
 * an adopted group: drain.c has them leave.
 *
 * Context: process.
 */
void chess_gate_open(struct chess_group *g)
{
	struct chess_task *t;
	u32 id = 0;

	/* RCU keeps the task while it is woken. */
	do {
		rcu_read_lock();
		t = chess_task_next(g, id);
		if (t) {
			id = t->id + 1;
			if (!g->adoption.process &&
			    !chess_work_queue(&t->leave, t->task, TWA_SIGNAL))
				pr_debug("task %u of group %u ends by itself\n", t->id, g->id);
			swake_up_one(&t->gate.wait);
		}
		rcu_read_unlock();
	} while (t);
}
