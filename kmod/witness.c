// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that only sometimes concern another task: what changes the signals a task lets in,
 * what changes mappings, and what reads or sets what others may set or read. They are
 * points where somebody is there who could notice, and what is asked is part of the state
 * that the decisions so far have led to: no clock, no address of the kernel, nothing that
 * tasks change which die beside the token holder.
 *
 * Signal masks. Whoever sends a signal notices whether it is let in: blocked it waits, open it
 * is taken, or is dropped where it is ignored, as SIGCHLD is by default. A program that
 * changes its mask says which signals it cares for, so the change is a point while
 * another task is there to send or to bring one, or a timer is armed. So is one of the stack
 * that handlers run on. The C library opens and closes its mask all
 * the time (it creates a thread, one begins, one ends) and also changes signals 32 and 33,
 * which it never lets a program change. Between its two changes no code of the program runs,
 * so only handlers can tell, or signals that were sent or are pending. And nobody can tell
 * where a new task does that first: it might as well not have begun.
 *
 * Rights. Each task has its own, but setuid() and the like change those of all threads of a
 * process: a C library sends signals to them. So one that asks twice may have two answers.
 *
 * Actions of signals. To read one is noticed by nobody; where threads share them, one that
 * another has set may be read. posix_spawn(3) reads all of them in its child.
 *
 * Memory. Others notice if they share the address space. What the C library does to memory
 * that nobody was given yet does not count; is_own_memory() says which that is. Another process
 * may look into that of this one (process_vm_readv(), /proc/PID/mem, ptrace()), and must be known
 * before what there is to see: what a program itself maps in a place it chose, or changes, counts
 * while another task is there. What its libraries do to memory of theirs does not. To map a file
 * uses its descriptor, which others may close, and rights to it, which they may change.
 */
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "calls.h"
#include "chess.h"
#include "task.h"
#include "traps/trap.h"
#include "user.h"
#include "witness.h"

#define BIT_OF(sig)	BIT_ULL((sig) - 1)
/* SIGCANCEL and SIGSETXID of glibc; musl keeps them to itself, too. */
#define LIBRARY_SIGNALS	(BIT_OF(32) | BIT_OF(33))
#define UNBLOCKABLE	(BIT_OF(SIGKILL) | BIT_OF(SIGSTOP))
/* glibc gives the end of a thread's stack back but for this much below the stack pointer. */
#define STACK_KEPT	SZ_64K

/* A task that is dying counts until its end is recorded: when it dies does not matter so. */
static bool has_others(const struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool yes;

	raw_spin_lock_irqsave(&g->plock, flags);
	yes = !list_is_singular(&g->tasks) || !list_empty(&g->killed);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return yes;
}

/* Tasks send signals, and so do timers. */
static bool may_be_sent_signals(const struct chess_task *t)
{
	return READ_ONCE(t->group->timers.narmed) || has_others(t);
}

static bool has_memory_of_current(const struct task_struct *task)
{
	return READ_ONCE(task->mm) == current->mm;
}

static bool has_actions_of_current(const struct task_struct *task)
{
	return READ_ONCE(task->sighand) == current->sighand;
}

/* Whoever dies does not look at anything any more. */
static bool some_other(const struct chess_task *t, bool (*is_so)(const struct task_struct *task))
{
	struct chess_group *g = t->group;
	const struct chess_task *other;
	unsigned long flags;
	bool yes = false;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(other, &g->tasks, entry)
		if (other != t && is_so(other->task) && !chess_task_dying(other)) {
			yes = true;
			break;
		}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return yes;
}

static bool shares_memory(const struct chess_task *t)
{
	return some_other(t, has_memory_of_current);
}

/* Those of a process do. */
static bool shares_actions(const struct chess_task *t)
{
	return some_other(t, has_actions_of_current);
}

/**
 * chess_witness_handlers() - signals of current's process that have handlers
 *
 * No task of the process changes them meanwhile, and their memory goes by RCU.
 *
 * Context: any, in a task that has the token.
 * Return: a mask, without those that the C library keeps to itself.
 */
u64 chess_witness_handlers(void)
{
	const struct sighand_struct *hand;
	u64 set = 0;
	int sig;

	rcu_read_lock();
	hand = rcu_dereference(current->sighand);
	for (sig = 1; hand && sig <= _NSIG; sig++) {
		__sighandler_t handler = READ_ONCE(hand->action[sig - 1].sa.sa_handler);

		if (handler != SIG_DFL && handler != SIG_IGN)
			set |= BIT_OF(sig);
	}
	rcu_read_unlock();
	return set & ~LIBRARY_SIGNALS;
}

static u64 changed_by(u64 blocked, unsigned long how, u64 set)
{
	switch (how) {
	case SIG_BLOCK:
		return set & ~blocked;
	case SIG_UNBLOCK:
		return set & blocked;
	case SIG_SETMASK:
		return set ^ blocked;
	default:
		return 0;
	}
}

static enum chess_witness of_mask(struct chess_task *t, const struct pt_regs *regs)
{
	unsigned long from = chess_arch_syscall_arg(regs, 1);
	u64 set, changed, noticed;

	if (!from || chess_arch_syscall_arg(regs, 3) != sizeof(set) || !may_be_sent_signals(t))
		return CHESS_WITNESS_NONE;
	if (!chess_user_get(t, regs, from, &set))
		return CHESS_WITNESS_LATER;
	changed = changed_by(current->blocked.sig[0], chess_arch_syscall_arg(regs, 0), set);
	changed &= ~UNBLOCKABLE;
	if (!(changed & LIBRARY_SIGNALS))
		return changed ? CHESS_WITNESS_SOME : CHESS_WITNESS_NONE;
	/* It begins; or ends, with nothing in between, what was not a point either. */
	if (!t->seq || t->noticed.masked == t->seq + 1)
		return CHESS_WITNESS_NONE;
	noticed = chess_witness_handlers() | t->group->sent |
		  current->pending.signal.sig[0] | current->signal->shared_pending.signal.sig[0];
	return changed & noticed ? CHESS_WITNESS_SOME : CHESS_WITNESS_NONE;
}

/**
 * chess_witness_is_librarys() - is a call made by code of the library that its instruction is in
 * @regs: user registers of current, which has the token and is in that call
 *
 * Context: any, in current.
 * Return: false: it is made by the program, or by another library.
 */
bool chess_witness_is_librarys(const struct pt_regs *regs)
{
	const struct vm_area_struct *vma, *caller;
	unsigned long ret;
	bool yes;

	if (!chess_user_word(regs->sp, &ret))
		return false;
	/* Mappings go by RCU, and all who could change these are parked. */
	rcu_read_lock();
	vma = vma_lookup(current->mm, regs->ip - 1);
	caller = vma_lookup(current->mm, ret);
	yes = vma && vma == caller && vma->vm_file &&
	      vma->vm_file != rcu_dereference(current->mm->exe_file);
	rcu_read_unlock();
	return yes;
}

/**
 * chess_witness_is_loaders() - is a call made by code of the program's loader
 * @regs: user registers of current, which has the token and is in that call
 *
 * Context: any, in current.
 * Return: whether it is; of a program without one false.
 */
bool chess_witness_is_loaders(const struct pt_regs *regs)
{
	const unsigned long *auxv = current->mm->saved_auxv;
	const struct vm_area_struct *vma, *loader;
	unsigned long base = 0;
	unsigned int i;
	bool yes;

	for (i = 0; i + 1 < AT_VECTOR_SIZE && auxv[i] != AT_NULL; i += 2)
		if (auxv[i] == AT_BASE)
			base = auxv[i + 1];
	/* As in chess_witness_is_librarys(). */
	rcu_read_lock();
	vma = vma_lookup(current->mm, regs->ip - 1);
	loader = base ? vma_lookup(current->mm, base) : NULL;
	yes = vma && loader && vma->vm_file && vma->vm_file == loader->vm_file;
	rcu_read_unlock();
	return yes;
}

/* It may begin with the pages that guard the stack. */
static bool is_unused_stack(const struct pt_regs *regs, unsigned long start, unsigned long end)
{
	const struct vm_area_struct *stack, *vma;
	bool yes;

	if (end < start || end > regs->sp || regs->sp - end > STACK_KEPT)
		return false;
	rcu_read_lock();
	stack = vma_lookup(current->mm, regs->sp);
	vma = vma_lookup(current->mm, start);
	yes = stack && (vma == stack || (vma && vma->vm_end == stack->vm_start &&
					 !(vma->vm_flags & VM_ACCESS_FLAGS)));
	rcu_read_unlock();
	return yes;
}

/*
 * Memory that no other task knows of:
 * - the stack of a thread below the stack pointer, which it gives back at its end;
 * - what the C library makes accessible by itself: a stack or a heap that grows;
 * - what it mapped since the last point and gives back in part, to have the rest aligned.
 */
static bool is_own_memory(const struct chess_task *t, const struct pt_regs *regs, long nr)
{
	unsigned long start = chess_arch_syscall_arg(regs, 0);
	unsigned long bytes = chess_arch_syscall_arg(regs, 1);
	const struct chess_fresh *fresh = &t->noticed.fresh;

	if (nr == __NR_madvise)
		return is_unused_stack(regs, start, start + bytes);
	if (nr == __NR_mprotect)
		return chess_witness_is_librarys(regs);
	return nr == __NR_munmap && fresh->seq == t->seq && start >= fresh->start &&
	       bytes <= fresh->end - start && start < fresh->end &&
	       chess_witness_is_librarys(regs);
}

static bool is_only_advice(unsigned long advice)
{
	switch (advice) {
	case MADV_NORMAL:
	case MADV_RANDOM:
	case MADV_SEQUENTIAL:
	case MADV_WILLNEED:
	case MADV_MERGEABLE:
	case MADV_UNMERGEABLE:
	case MADV_HUGEPAGE:
	case MADV_NOHUGEPAGE:
	case MADV_DONTDUMP:
	case MADV_DODUMP:
	case MADV_COLD:
	case MADV_PAGEOUT:
	case MADV_COLLAPSE:
		return true;
	default:
		return false;
	}
}

/* Which file a descriptor stands for, and what may be done with it, others may change. */
static bool maps_file(const struct pt_regs *regs)
{
	return !(chess_arch_syscall_arg(regs, 3) & MAP_ANONYMOUS) &&
	       !chess_witness_is_loaders(regs);
}

static bool changes_memory(const struct pt_regs *regs, long nr)
{
	unsigned long brk = chess_arch_syscall_arg(regs, 0);

	switch (nr) {
	case __NR_brk:
		/* One below its begin is refused. Only a heap has more of it for itself. */
		return brk >= current->mm->start_brk && brk != current->mm->brk &&
		       (brk < current->mm->brk || !chess_witness_is_librarys(regs));
	case __NR_mmap:
		return chess_arch_syscall_arg(regs, 3) & (MAP_FIXED | MAP_FIXED_NOREPLACE) ||
		       maps_file(regs);
	case __NR_madvise:
		return !is_only_advice(chess_arch_syscall_arg(regs, 2));
	default:
		return true;
	}
}

static bool is_inspected(const struct chess_task *t, const struct pt_regs *regs, long nr)
{
	switch (nr) {
	case __NR_mmap:
	case __NR_munmap:
	case __NR_mremap:
	case __NR_mprotect:
	case __NR_pkey_mprotect:
	case __NR_madvise:
		return has_others(t) && !chess_witness_is_librarys(regs);
	default:
		return false;
	}
}

static bool is_memory_noticed(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	if (!current->mm || !changes_memory(regs, nr))
		return false;
	/* The file loses it, and other processes may have that mapped. */
	if (nr == __NR_madvise && chess_arch_syscall_arg(regs, 2) == MADV_REMOVE)
		return has_others(t);
	if (nr == __NR_mmap && maps_file(regs) && has_others(t))
		return !chess_trap_inside(t, regs->sp, nr, 0);
	if (!shares_memory(t))
		return is_inspected(t, regs, nr);
	return !chess_trap_inside(t, regs->sp, nr, 0) &&
	       !is_own_memory(t, regs, nr);
}

/* What others do, or what is done to them, by it; the rest is about the caller alone. */
static bool is_prctl_noticed(unsigned long option)
{
	switch (option) {
	case PR_SET_PDEATHSIG:
	case PR_SET_CHILD_SUBREAPER:
	case PR_SET_NAME:
	case PR_GET_NAME:
	case PR_SET_DUMPABLE:
	case PR_GET_DUMPABLE:
	case PR_SET_PTRACER:
	case PR_SET_MM:
		return true;
	default:
		return false;
	}
}

/**
 * chess_witness_of() - is a call a point that is one for some of its arguments only
 * @t: the task, which is current and has the token
 * @s: the row of the call, with chess_call.when
 * @regs: user registers at sys_enter
 * @nr: number of the call
 *
 * Context: probe (sys_enter).
 * Return: enum chess_witness.
 */
enum chess_witness chess_witness_of(struct chess_task *t, const struct chess_call *s,
				    const struct pt_regs *regs, long nr)
{
	bool yes;

	switch (s->when) {
	case CHESS_WHEN_MASK:
		if (!chess_trap_inside(t, regs->sp, nr, 0))
			return of_mask(t, regs);
		t->noticed.masked = t->seq + 1;
		return CHESS_WITNESS_NONE;
	case CHESS_WHEN_STACK:
		yes = chess_arch_syscall_arg(regs, 0) && may_be_sent_signals(t);
		break;
	case CHESS_WHEN_MEMORY:
		yes = is_memory_noticed(t, regs, nr);
		break;
	case CHESS_WHEN_ACTION:
		yes = chess_arch_syscall_arg(regs, 1) || shares_actions(t);
		break;
	case CHESS_WHEN_USAGE:
		yes = (int)chess_arch_syscall_arg(regs, 0) == RUSAGE_CHILDREN && has_others(t);
		break;
	case CHESS_WHEN_THREADS:
		yes = shares_actions(t);
		break;
	case CHESS_WHEN_PROCESSORS:
		/* A thread that is being created has not begun. */
		yes = (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_MORE_CALLS) && has_others(t) &&
		      !chess_trap_inside(t, regs->sp, nr, 0);
		break;
	case CHESS_WHEN_PRCTL:
		yes = is_prctl_noticed(chess_arch_syscall_arg(regs, 0)) && has_others(t);
		break;
	default:
		yes = has_others(t);
	}
	return yes ? CHESS_WITNESS_SOME : CHESS_WITNESS_NONE;
}

/**
 * chess_witness_sent() - a call that may send a signal is made
 * @g: the group of current, which has the token
 * @regs: user registers at sys_enter
 * @nr: number of the call
 *
 * Context: probe (sys_enter).
 */
void chess_witness_sent(struct chess_group *g, const struct pt_regs *regs, long nr)
{
	unsigned int at = nr == __NR_tgkill || nr == __NR_rt_tgsigqueueinfo ? 2 : 1;
	unsigned long sig = chess_arch_syscall_arg(regs, at);

	if (sig - 1 < _NSIG)
		g->sent |= BIT_OF(sig) & ~LIBRARY_SIGNALS;
}
