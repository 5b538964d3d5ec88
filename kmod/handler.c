// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signal handlers, as races need to know of them: a handler runs between any two
 * instructions of its task, so what is inside must be kept apart from what it interrupts. Where one
 * begins and ends, who sent the signal, and from where to where the task lets it in stands
 * among the accesses (enum chess_told), not among the events: a run that records no accesses
 * is the same without.
 *
 * A handler that does not return, but jumps out, is left when the stack pointer is above
 * where it was when the handler began, or on another stack.
 */
#include <linux/sched/signal.h>
#include <linux/signal_types.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "handler.h"
#include "task.h"
#include "traps/access.h"
#include "witness.h"

#define BIT_OF(sig)	BIT_ULL((sig) - 1)

static bool is_on_alternate_stack(unsigned long sp)
{
	return sas_ss_flags(sp) == SS_ONSTACK;
}

static bool is_left(const struct chess_handler *h, unsigned long sp)
{
	if (h->alternate && !is_on_alternate_stack(sp))
		return true;
	return h->same_stack && sp >= h->sp;
}

/**
 * chess_handler_prune() - is the task still in the handlers that it was in
 * @t: the task, which is current
 * @sp: its stack pointer
 *
 * Context: probe, in current.
 */
void chess_handler_prune(struct chess_task *t, unsigned long sp)
{
	struct chess_handlers *h = &t->handlers;

	while (h->depth && is_left(&h->at[h->depth - 1], sp)) {
		h->depth--;
		chess_copy_abandon(&t->copy, 1 + h->beyond);
		h->beyond = 0;
		chess_access_tell(t, CHESS_TOLD_JUMPED, 0, 0, 0);
	}
}

/* The signal is what an instruction did, and no other task, nor time. */
static bool is_fault(int sig, const struct kernel_siginfo *info)
{
	switch (sig) {
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGTRAP:
	case SIGSYS:
		return info->si_code > 0;
	default:
		return false;
	}
}

static bool is_of_timer(int sig, int code)
{
	return code == SI_TIMER ||
	       (code == SI_KERNEL && (sig == SIGALRM || sig == SIGVTALRM || sig == SIGPROF));
}

/* On its alternative stack, of which another thread has at least a part for its own? */
static bool is_stack_shared(void)
{
	unsigned long start = current->sas_ss_sp, end = start + current->sas_ss_size;
	const struct task_struct *other;
	bool shared = false;

	/* None of them runs, so none sets another one now. */
	rcu_read_lock();
	for_each_thread(current, other)
		shared |= other != current && other->sas_ss_size && other->sas_ss_sp < end &&
			  start < other->sas_ss_sp + other->sas_ss_size;
	rcu_read_unlock();
	return shared;
}

/* Is a call over by this, as its caller is going to see? */
static bool ends_call(const struct pt_regs *regs, unsigned long flags)
{
	if (syscall_get_nr(current, (struct pt_regs *)regs) == -1)
		return false;
	switch ((long)regs->ax) {
	case -EINTR:
	case -ERESTARTNOHAND:
	case -ERESTART_RESTARTBLOCK:
		return true;
	case -ERESTARTSYS:
		return !(flags & SA_RESTART);
	default:
		return false;
	}
}

/* The mask is open for the time of a call only, as that of sigsuspend(). */
static bool is_let_in_for_a_wait(int sig)
{
	return test_restore_sigmask() && sigismember(&current->saved_sigmask, sig);
}

static u64 how_it_came(const struct chess_task *t, int sig, const struct kernel_siginfo *info,
		       const struct k_sigaction *ka, const struct pt_regs *regs)
{
	u64 how = 0;

	if (is_fault(sig, info) || (t->handlers.sent & BIT_OF(sig)))
		how |= CHESS_HANDLER_OWN;
	if (is_let_in_for_a_wait(sig))
		how |= CHESS_HANDLER_WAITED;
	if (ends_call(regs, ka->sa.sa_flags))
		how |= CHESS_HANDLER_INTERRUPTS;
	if (is_of_timer(sig, info->si_code))
		how |= CHESS_HANDLER_TIMER;
	return how;
}

/**
 * chess_handler_begin() - a handler is about to run
 * @t: the task, which is current
 * @sig: the signal
 * @info: of the signal
 * @ka: what the program asked for
 * @regs: user registers, of the code that is interrupted
 *
 * Context: probe (signal_deliver), siglock held.
 */
void chess_handler_begin(struct chess_task *t, int sig, const struct kernel_siginfo *info,
			 const struct k_sigaction *ka, const struct pt_regs *regs)
{
	bool was_alternate = is_on_alternate_stack(regs->sp);
	struct chess_handlers *h = &t->handlers;
	bool on_alternate = (ka->sa.sa_flags & SA_ONSTACK) &&
			    sas_ss_flags(regs->sp) != SS_DISABLE;
	u64 how, blocks = ka->sa.sa_mask.sig[0];

	t->split.step = CHESS_SPLIT_NONE;
	chess_handler_prune(t, regs->sp);
	chess_copy_interrupt(&t->copy);
	how = how_it_came(t, sig, info, ka, regs);
	if ((was_alternate || on_alternate) && is_stack_shared())
		how |= CHESS_HANDLER_SHARED;
	h->sent &= ~BIT_OF(sig);
	if (!(ka->sa.sa_flags & SA_NODEFER))
		blocks |= BIT_OF(sig);
	/* Those within too many others count as part of the last of these. */
	if (h->depth == CHESS_HANDLERS_DEPTH) {
		h->beyond++;
		return;
	}
	h->at[h->depth++] = (struct chess_handler) {
		.sp = regs->sp,
		.mask = test_restore_sigmask() ? current->saved_sigmask.sig[0] :
						 current->blocked.sig[0],
		.alternate = was_alternate || on_alternate,
		.same_stack = was_alternate || !on_alternate,
	};
	h->mask = current->blocked.sig[0] | blocks;
	blocks &= ~current->blocked.sig[0] & chess_witness_handlers();
	chess_access_tell(t, CHESS_TOLD_HANDLER, sig, blocks, how);
}

static void end(struct chess_task *t, const struct pt_regs *regs)
{
	struct chess_handlers *h = &t->handlers;

	chess_handler_prune(t, regs->sp);
	chess_copy_resume(&t->copy);
	if (h->beyond) {
		h->beyond--;
		return;
	}
	if (!h->depth)
		return;
	h->mask = h->at[--h->depth].mask;
	chess_access_tell(t, CHESS_TOLD_RETURNED, 0, 0, 0);
}

/**
 * chess_handler_call() - a call is about to be made
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter).
 */
void chess_handler_call(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	switch (nr) {
	case __NR_rt_sigreturn:
		end(t, regs);
		break;
	case __NR_rt_sigaction:
		if (chess_arch_syscall_arg(regs, 1))
			chess_access_tell(t, CHESS_TOLD_INSTALLED,
					  chess_arch_syscall_arg(regs, 0), 0, 0);
		break;
	case __NR_alarm:
	case __NR_setitimer:
	case __NR_timer_settime:
		chess_access_tell(t, CHESS_TOLD_ARMED, 0, 0, 0);
		break;
	}
}

/**
 * chess_handler_masked() - the task may have changed its mask
 * @t: the task, which is current
 *
 * Context: probe (sys_exit).
 */
void chess_handler_masked(struct chess_task *t)
{
	u64 is = current->blocked.sig[0], was = t->handlers.mask, told = chess_witness_handlers();

	t->handlers.mask = is;
	if (is & ~was & told)
		chess_access_tell(t, CHESS_TOLD_BLOCKED, 0, is & ~was & told, 0);
	if (was & ~is & told)
		chess_access_tell(t, CHESS_TOLD_OPENED, 0, was & ~is & told, 0);
}

/**
 * chess_handler_reset() - a task begins, or executes a program
 * @t: the task
 * @task: the kernel's
 *
 * Context: any; the task does not run, or is current.
 */
void chess_handler_reset(struct chess_task *t, const struct task_struct *task)
{
	t->handlers = (struct chess_handlers){ .mask = task->blocked.sig[0] };
	t->split.step = CHESS_SPLIT_NONE;
	t->copy.going = false;
	t->copy.within = 0;
}

/* A timer is sent in some task's time, and so are most of the kernel's own. */
static bool is_sent_by_current(const struct kernel_siginfo *info)
{
	if (!in_task() || info == SEND_SIG_PRIV)
		return false;
	return info == SEND_SIG_NOINFO || info->si_code != SI_TIMER;
}

/**
 * chess_handler_sent() - a signal is sent
 * @by: the task of a group that does, which is current
 * @sig: the signal
 * @info: of it, or one of the kernel's numbers for none
 * @task: to whom
 * @group: to its whole process
 *
 * Context: probe (signal_generate), siglock held.
 */
void chess_handler_sent(struct chess_task *by, int sig, const struct kernel_siginfo *info,
			struct task_struct *task, bool group)
{
	const struct chess_task *to = chess_task_find(task);

	if (!to || to->group != by->group || !is_sent_by_current(info))
		return;
	if (task == current || (group && same_thread_group(task, current)))
		by->handlers.sent |= BIT_OF(sig);
	chess_access_tell(by, CHESS_TOLD_SENT, sig, to->id, group);
}
