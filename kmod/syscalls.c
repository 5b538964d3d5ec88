// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls of tasks under control: which are points (calls.c), and are made again when
 * the decision went to another; which are answered here; what they returned.
 */
#include <linux/errno.h>
#include <linux/mman.h>
#include <linux/personality.h>
#include <linux/sched/signal.h>
#include <asm/unistd.h>
#include <uapi/linux/futex.h>

#include "affinity.h"
#include "arch_x86.h"
#include "args.h"
#include "buffers.h"
#include "call_structs.h"
#include "calls.h"
#include "chess.h"
#include "compat.h"
#include "file_access.h"
#include "freeze.h"
#include "gate.h"
#include "handler.h"
#include "memory.h"
#include "object.h"
#include "point.h"
#include "queue.h"
#include "random.h"
#include "record_push.h"
#include "remote.h"
#include "request_access.h"
#include "run.h"
#include "sched_shown.h"
#include "syscalls.h"
#include "take.h"
#include "task.h"
#include "time/batch.h"
#include "time/child_wait.h"
#include "time/clock.h"
#include "time/cputime.h"
#include "time/deadline.h"
#include "time/timer.h"
#include "traps/access.h"
#include "traps/rest.h"
#include "traps/trap.h"
#include "unseen.h"
#include "uring.h"
#include "witness.h"

/* A special call: does another function's point stand for it already? */
static bool is_inner(struct chess_task *t, const struct chess_call *s, const struct pt_regs *regs,
		     long nr)
{
	if (s->op == CHESS_OP_EXIT)
		return t->exit_point;
	return s->op != CHESS_OP_FORK &&
	       chess_trap_inside(t, regs->sp, nr,
				 chess_memory_address(t, chess_arch_syscall_arg(regs, 0)));
}

static void park_at(struct chess_task *t, struct pt_regs *regs, long nr)
{
	chess_arch_syscall_skip(regs, nr);
	chess_gate_arm(t);
}

static bool has_token(const struct chess_task *t)
{
	const struct chess_group *g = t->group;

	return READ_ONCE(g->token) == t || READ_ONCE(g->state) != CHESS_GROUP_STATE_RUNNING;
}

static bool creates_task(const struct chess_call *s)
{
	return s->op == CHESS_OP_CREATE || s->op == CHESS_OP_FORK;
}

/*
 * A task that cannot be followed has the traps in its address space and would die
 * of the first one. The program gets the error that it gets at a limit of processes.
 */
static bool refuse_creation(struct chess_task *t, struct pt_regs *regs, long nr)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool refuse;

	raw_spin_lock_irqsave(&g->plock, flags);
	refuse = g->state == CHESS_GROUP_STATE_RUNNING &&
		 (!t->spare || chess_task_free_id_locked(g) == CHESS_TASK_NONE);
	if (refuse && !g->adoption.process)
		g->lost++;
	/* A service must not notice: it makes the call when it has been let go. */
	if (g->adoption.process) {
		if (refuse)
			chess_run_let_go_locked(g, CHESS_LET_GO_REASON_TASKS);
		refuse = g->state != CHESS_GROUP_STATE_RUNNING;
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!refuse)
		return false;
	t->pass.set = false;
	if (g->adoption.process) {
		chess_work_queue(&t->leave, current, TWA_RESUME);
		park_at(t, regs, nr);
	} else {
		chess_arch_syscall_answer(regs, -EAGAIN);
	}
	return true;
}

/* The group stays on its processor; the program need not know. */
static void answer_affinity(struct chess_task *t, struct pt_regs *regs)
{
	int ret = chess_affinity_ask(t, chess_arch_syscall_arg(regs, 0),
				     chess_arch_syscall_arg(regs, 1),
				     (void __user *)chess_arch_syscall_arg(regs, 2));

	if (ret <= 0)
		chess_arch_syscall_answer(regs, ret);
}

static void answer(struct chess_task *t, struct pt_regs *regs, long nr)
{
	u32 flags = READ_ONCE(t->group->flags);

	if (READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING || chess_arch_foreign_abi())
		return;
	if (nr == __NR_sched_setaffinity) {
		answer_affinity(t, regs);
		return;
	}
	if ((flags & CHESS_RUN_FLAGS_FIXED_RANDOM) && chess_random_answer(t, regs, nr))
		return;
	if ((flags & CHESS_RUN_FLAGS_VIRTUAL_TIME) && !chess_clock_answer(t, regs, nr) &&
	    !chess_timer_answer(t, regs, nr)) {
		if (nr == __NR_recvmmsg)
			chess_batch_enter(t, regs);
		chess_deadline_enter(t, regs, nr);
	}
}

/* What the call that is about to be made accesses. */
static void record_accesses(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	if (likely(!t->group->accesses.max) || chess_arch_foreign_abi() ||
	    !chess_access_is_running(t))
		return;
	chess_buffers_access(t, regs, nr);
	chess_call_structs_access(t, regs, nr);
	chess_file_access(t, regs, nr);
	chess_remote_access(t, regs, nr);
	chess_request_access(t, regs, nr);
	chess_unseen_call(t, regs, nr);
	if (nr == __NR_brk && current->mm)
		chess_memory_break(t, regs);
}

/* The call is about to be made, or answered in the kernel's place. */
static void execute(struct chess_task *t, struct pt_regs *regs, long nr,
		    const struct chess_call *s)
{
	t->fetch.n = 0;
	record_accesses(t, regs, nr);
	chess_handler_call(t, regs, nr);
	if (unlikely(READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_WAKE_ANY))
		chess_queue_enter(t, regs, nr);
	/* The end of a handler is no end of the loop that it interrupted. */
	if (unlikely(t->group->timers.ncpu) && nr != __NR_rt_sigreturn)
		chess_cputime_call(t);
	if (s->is_answered)
		answer(t, regs, nr);
	else
		t->wait_for.kept = false;
}

/*
 * The point was decided before. The last event of the task need not be it: then the event
 * has what the call returned when a signal interrupted it, and that stays.
 */
static s32 seq_of_pass(const struct chess_task *t, long nr)
{
	const struct chess_event *e = t->seq ? &t->group->record.events[t->seq - 1] : NULL;

	return e && e->nr == nr && e->type == CHESS_EVENT_POINT ? t->seq : CHESS_CALL_UNTOLD;
}

static __always_inline enum chess_take decide(struct chess_task *t, const struct pt_regs *regs,
					      long nr, struct chess_object n)
{
	struct chess_group *g = t->group;
	enum chess_take take;
	struct chess_event *e;
	u32 seq = 0;

	if (unlikely(g->accesses.max))
		chess_access_see_stack(t, regs->sp);
	/* sys_enter runs with them on; cheaper than saving flags. */
	local_irq_disable();
	raw_spin_lock(&g->plock);
	if (chess_take_begin_locked(t, &take)) {
		e = chess_record_slot_locked(g);
		/* All fields, one by one: else the compiler clears all of it first, with
		 * a string instruction that costs as much as the rest of the point.
		 */
		e->type = CHESS_EVENT_POINT;
		e->op = n.op;
		e->flags = n.flags;
		e->object_kind = n.kind;
		e->task = t->id;
		e->nr = nr;
		e->object = n.object;
		e->ip = regs->ip;
		e->caller = 0;
		e->arg = n.arg;
		take = chess_take_end_locked(t, e, &seq);
	}
	raw_spin_unlock(&g->plock);
	t->call = seq;
	chess_take_stack(g, seq, regs);
	local_irq_enable();
	return take;
}

/* Apart, so that where nothing is named nothing is kept in memory for it. */
static noinline enum chess_take decide_named(struct chess_task *t, const struct pt_regs *regs,
					     long nr, const struct chess_call *s)
{
	return decide(t, regs, nr, chess_object_of(t->group, s, regs, nr));
}

/* The decision went to another, or there is no token: the call is made again later. */
static void park_undone(struct chess_task *t, struct pt_regs *regs, long nr, enum chess_take take)
{
	t->pass = (struct chess_pass) {
		.ip = regs->ip, .sp = regs->sp, .nr = nr, .set = take == CHESS_TAKE_WAIT,
	};
	park_at(t, regs, nr);
}

static void take_point(struct chess_task *t, struct pt_regs *regs, long nr,
		       const struct chess_call *s)
{
	enum chess_take take;

	/* Before anything of it is noted: it is made again, by each fork of the process. */
	if (chess_kept_is_due(t->group)) {
		park_undone(t, regs, nr, CHESS_TAKE_AGAIN);
		return;
	}
	t->exit_point = false;
	if (s->op == CHESS_OP_SIGNAL && (s->flags & CHESS_OPF_RELEASE))
		chess_witness_sent(t->group, regs, nr);
	if (s->op == CHESS_OP_WAIT_CHILD &&
	    (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_LATE_WATCHDOGS) &&
	    chess_child_wait_blocks(regs, nr))
		chess_timer_guard(t);
	if (unlikely(READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_WAKE_ANY))
		chess_queue_wakes(t, regs, nr);
	if (s->source == CHESS_OBJECT_FROM_NOTHING)
		take = decide(t, regs, nr, (struct chess_object){ .op = s->op, .flags = s->flags });
	else
		take = decide_named(t, regs, nr, s);
	if (s->op == CHESS_OP_YIELD) {
		/* The decision was all there is to it: no second time, no call. */
		chess_arch_syscall_answer(regs, 0);
		if (take != CHESS_TAKE_GO)
			chess_gate_arm(t);
	} else if (take != CHESS_TAKE_GO) {
		park_undone(t, regs, nr, take);
	} else {
		execute(t, regs, nr, s);
	}
}

static enum chess_witness witness_of(struct chess_task *t, const struct chess_call *s,
				     const struct pt_regs *regs, long nr)
{
	if (s->op == CHESS_CALL_SELF || (s->special && is_inner(t, s, regs, nr)) ||
	    (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_NO_SYSCALL_POINTS))
		return CHESS_WITNESS_NONE;
	return s->when ? chess_witness_of(t, s, regs, nr) : CHESS_WITNESS_SOME;
}

/* A call that is not a point. */
static void make_quietly(struct chess_task *t, struct pt_regs *regs, long nr,
			 const struct chess_call *s)
{
	t->call = 0;
	/* The function's point was the decision, and all there is to it. */
	if (s->op == CHESS_OP_YIELD && chess_trap_yielded(t, regs->sp))
		chess_arch_syscall_answer(regs, 0);
	else
		execute(t, regs, nr, s);
}

/*
 * The point of a call that a signal came before, or interrupted, holds as long as the handler
 * had none: else others may have to come before the call is made, such as those who die of
 * what the handler sent.
 */
static bool is_passed(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	const struct chess_event *e = t->seq ? &t->group->record.events[t->seq - 1] : NULL;
	bool stale;

	if (!t->pass.set || t->pass.nr != nr || t->pass.ip != regs->ip || t->pass.sp != regs->sp)
		return false;
	if (t->pass.again)
		stale = t->pass.seq != t->seq;
	else
		stale = e && e->type == CHESS_EVENT_POINT && (e->nr != nr || e->ip != regs->ip);
	t->pass.set &= !stale;
	return !stale;
}

static void make_passed(struct chess_task *t, struct pt_regs *regs, long nr,
			const struct chess_call *s)
{
	t->pass.set = false;
	t->call = t->pass.quiet ? 0 : seq_of_pass(t, nr);
	execute(t, regs, nr, s);
}

/* Where chess_syscall_enter() does not know at a glance. Apart, see decide_named(). */
static noinline void enter_odd(struct chess_task *t, struct pt_regs *regs, long nr,
			       const struct chess_call *s)
{
	if (!has_token(t)) {
		/* It left the call only to be frozen, and goes back: see freeze.c. */
		if (READ_ONCE(t->away) && t->pass.again && is_passed(t, regs, nr))
			make_passed(t, regs, nr, s);
		else if (!fatal_signal_pending(current))
			park_at(t, regs, nr);
		return;
	}
	if (s->special && creates_task(s) && refuse_creation(t, regs, nr))
		return;
	if ((s->is_answered || s->op == CHESS_CALL_SELF ||
	     s->source == CHESS_OBJECT_FROM_PATH) && !chess_args_are_there(t, regs, nr)) {
		chess_arch_syscall_skip(regs, nr);
		return;
	}
	if (is_passed(t, regs, nr)) {
		make_passed(t, regs, nr, s);
		return;
	}
	switch (witness_of(t, s, regs, nr)) {
	case CHESS_WITNESS_NONE:
		make_quietly(t, regs, nr, s);
		break;
	case CHESS_WITNESS_SOME:
		take_point(t, regs, nr, s);
		break;
	case CHESS_WITNESS_LATER:
		chess_arch_syscall_skip(regs, nr);
		break;
	}
}

/**
 * chess_syscall_enter() - a task of a group enters a syscall
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter).
 */
void chess_syscall_enter(struct chess_task *t, struct pt_regs *regs, long nr)
{
	const struct chess_call *s = chess_call_of(chess_arch_foreign_abi() ? CHESS_CALLS : nr);
	u32 no_points = READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_NO_SYSCALL_POINTS;
	enum chess_take take;

	if (unlikely(t->handlers.depth))
		chess_handler_prune(t, regs->sp);
	if (s->is_odd | t->pass.set | no_points) {
		enter_odd(t, regs, nr, s);
		return;
	}
	t->exit_point = false;
	take = decide(t, regs, nr, (struct chess_object){ .op = s->op, .flags = s->flags });
	if (take != CHESS_TAKE_GO) {
		park_undone(t, regs, nr, take);
		return;
	}
	record_accesses(t, regs, nr);
	if (unlikely(t->group->timers.ncpu))
		chess_cputime_call(t);
	t->wait_for.kept = false;
}

/*
 * Is there more to the end of a call than its result? After a signal a call may be executed
 * again.
 */
static bool exit_matters(long nr, long ret)
{
	return (unsigned long)ret - -ERESTART_RESTARTBLOCK <= ERESTART_RESTARTBLOCK - ERESTARTSYS ||
	       ret == -EINTR || chess_call_of(nr)->exit_matters;
}

/* Calls that a signal ends for good, or for a while, before they did anything. */
static bool may_be_repeated(const struct chess_task *t, long nr, long ret)
{
	if (ret == -ERESTART_RESTARTBLOCK)
		return READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_VIRTUAL_TIME;
	if (ret != -EINTR)
		return false;
	switch (nr) {
	case __NR_epoll_wait:
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
	case __NR_semop:
	case __NR_semtimedop:
	case __NR_msgsnd:
	case __NR_msgrcv:
	case __NR_rt_sigtimedwait:
	case __NR_io_getevents:
	case __NR_io_pgetevents:
	case __NR_io_uring_enter:
	case __NR_read:
	case __NR_recvfrom:
	case __NR_recvmsg:
	case __NR_accept:
	case __NR_accept4:
		return true;
	default:
		return false;
	}
}

/* Numbers that the system gives are other ones in each run; SPAWN events tell those of tasks. */
static void keep_result(struct chess_task *t, unsigned long nr, long ret)
{
	if (nr < CHESS_CALLS && (ret <= 0 || !chess_call_of(nr)->gives_id))
		chess_syscall_result(t, ret);
}

/* Is code of a file executable now that was not before? Anonymous memory has no traps. */
static bool is_text_mapped(const struct pt_regs *regs, long nr)
{
	unsigned long prot = chess_arch_syscall_arg(regs, 2);
	bool implied = (prot & PROT_READ) && (current->personality & READ_IMPLIES_EXEC);

	if (nr == __NR_mmap && (chess_arch_syscall_arg(regs, 3) & MAP_ANONYMOUS))
		return false;
	return (nr == __NR_mmap || nr == __NR_mprotect || nr == __NR_pkey_mprotect) &&
	       (prot & PROT_EXEC || implied);
}

/* Something is there for the task, which ended the call before it did anything. */
static bool is_interrupted(long nr, long ret)
{
	return ret == -EINTR || (nr != -1 && (unsigned long)ret - -ERESTART_RESTARTBLOCK <=
					     ERESTART_RESTARTBLOCK - ERESTARTSYS);
}

/*
 * The task went back to wait, without the token, and what it waits for was there already. It
 * missed the wake-up, which the program is not to notice either.
 */
static long end_missed_wait(struct chess_task *t, struct pt_regs *regs, long nr, long ret)
{
	unsigned long cmd = chess_arch_syscall_arg(regs, 1) & FUTEX_CMD_MASK;

	chess_gate_arm(t);
	if (nr == __NR_futex && (cmd == FUTEX_WAIT || cmd == FUTEX_WAIT_BITSET) && ret == -EAGAIN)
		regs->ax = 0;
	return regs->ax;
}

/* What the call, which is over, did to the memory of the program. */
static void note_memory(struct chess_task *t, const struct pt_regs *regs, long nr, long ret)
{
	if (nr == __NR_mmap && !IS_ERR_VALUE(ret) &&
	    !(chess_arch_syscall_arg(regs, 3) & (MAP_FIXED | MAP_FIXED_NOREPLACE)))
		t->noticed.fresh = (struct chess_fresh) {
			.start = ret, .end = ret + PAGE_ALIGN(chess_arch_syscall_arg(regs, 1)),
			.seq = t->seq,
		};
	if (nr == __NR_mmap || nr == __NR_munmap || nr == __NR_mremap || nr == __NR_shmat ||
	    nr == __NR_shmdt || nr == __NR_mprotect || nr == __NR_pkey_mprotect ||
	    nr == __NR_madvise)
		chess_memory_mapped(t, regs, nr, ret);
	if (nr == __NR_io_uring_setup && ret >= 0)
		chess_request_ring(t, regs, ret);
	if (chess_call_of(nr)->may_shorten)
		chess_file_ended(t, regs, nr, ret);
	if (is_text_mapped(regs, nr) && !IS_ERR_VALUE(ret)) {
		t->rearm = true;
		chess_work_queue(&t->chore, current, TWA_RESUME);
	}
}

/**
 * chess_syscall_exit() - a task of a group leaves a syscall
 * @t: the task, which is current
 * @regs: its user registers
 * @ret: result
 *
 * Context: probe (sys_exit).
 */
void chess_syscall_exit(struct chess_task *t, struct pt_regs *regs, long ret)
{
	bool quiet, unseen = false;
	long nr = regs->orig_ax;

	/* Sent round to wait again, it need not wait any more: it is woken by that. */
	if (unlikely(t->line.again) && !is_interrupted(nr, ret) && chess_queue_left(t))
		chess_gate_arm(t);
	if (unlikely(READ_ONCE(t->away)) && !is_interrupted(nr, ret))
		ret = end_missed_wait(t, regs, nr, ret);
	if (unlikely(chess_rest_is_due(t)))
		chess_work_queue(&t->chore, current, TWA_RESUME);
	if (!exit_matters(nr, ret)) {
		keep_result(t, nr, ret);
		return;
	}
	chess_deadline_exit(t, regs, ret);
	chess_batch_exit(t, regs);
	chess_sched_exit(t, regs, regs->ax);
	chess_affinity_exit(t, regs, regs->ax);
	nr = regs->orig_ax;
	ret = regs->ax;
	/* Not executed, but skipped or answered; or the end of a signal handler. */
	if (nr == -1)
		return;
	if (t->line.again || chess_freeze_is_all(t)) {
		/* The program is not told, nor the record. A handler still ends the call. */
		if (may_be_repeated(t, nr, ret)) {
			ret = -ERESTARTNOHAND;
			regs->ax = ret;
		}
		unseen = ret == -ERESTARTSYS || ret == -ERESTARTNOINTR || ret == -ERESTARTNOHAND;
	}
	if (is_interrupted(nr, ret))
		chess_gate_interrupted(t);
	quiet = unseen && !t->call;
	if (!unseen && READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING)
		keep_result(t, nr, ret);
	switch (ret) {
	case -ERESTARTSYS:
	case -ERESTARTNOINTR:
	case -ERESTARTNOHAND:
		/* Executed again after a signal: still the same op. ip is after
		 * the instruction now, and will be there again at sys_enter.
		 */
		t->pass = (struct chess_pass) {
			.ip = regs->ip, .sp = regs->sp, .nr = nr, .seq = t->seq, .set = true,
			.again = true, .quiet = quiet,
		};
		return;
	}
	if ((nr == __NR_timer_create || nr == __NR_timerfd_create) &&
	    (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_VIRTUAL_TIME))
		chess_timer_created(t, regs, nr, ret);
	if (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_VIRTUAL_TIME)
		chess_cputime_exit(t, regs, nr, ret);
	if (chess_call_of(nr)->may_close && READ_ONCE(t->group->timers.nfiles))
		chess_timer_drop_ended(t->group);
	if (nr == __NR_rt_sigprocmask)
		chess_handler_masked(t);
	if (nr == __NR_clone || nr == __NR_clone3)
		chess_trap_created(t);
	/* A ring that came from elsewhere shows when it is used. */
	if ((nr == __NR_io_uring_setup || nr == __NR_io_uring_enter) && ret >= 0 &&
	    !chess_uring_is_attached()) {
		t->ring.is_new = true;
		chess_work_queue(&t->chore, current, TWA_RESUME);
	}
	note_memory(t, regs, nr, ret);
}
