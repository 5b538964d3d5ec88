// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that shares nothing with others has all of its memory, its descriptors and its actions
 * of signals to itself: what it does to them concerns no other process. That is so after fork(),
 * unless the creator has memory mapped that both can write. It is nearly so after vfork(): its
 * creator does nothing until the memory is the child's no more.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include <uapi/linux/chess_record.h>

#include "arch_x86.h"
#include "kinship.h"

/* Flags of the call that current is in. */
static u64 clone_flags(void)
{
	struct pt_regs *regs = task_pt_regs(current);
	u64 flags;

	switch (syscall_get_nr(current, regs)) {
	case __NR_vfork:
		return CLONE_VM | CLONE_VFORK;
	case __NR_clone:
		return chess_arch_syscall_arg(regs, 0);
	case __NR_clone3:
		return copy_from_user_nofault(&flags,
					      (void __user *)chess_arch_syscall_arg(regs, 0),
					      sizeof(flags)) ? 0 : flags;
	default:
		return 0;
	}
}

/*
 * Has current memory that a process with a copy of its mappings writes, too? Mappings go by RCU,
 * and tasks that could change them are parked. The kernel may hold the lock of the address space at
 * any time, to make large pages of small ones; what is recorded must not depend on that.
 */
static bool has_shared_memory(void)
{
	VMA_ITERATOR(vmi, current->mm, 0);
	const struct vm_area_struct *vma;
	bool yes = false;

	rcu_read_lock();
	for_each_vma(vmi, vma)
		yes |= vma->vm_flags & VM_SHARED;
	rcu_read_unlock();
	return yes;
}

/**
 * chess_kinship_of() - what a new process shares with its creator
 * @child: a new task of another process, which does not run yet
 *
 * Context: probe (sched_process_fork), in its creator, which has the token.
 * Return: CHESS_SPAWN_APART, CHESS_SPAWN_BORROWS, or zero: some of it, or that is not known.
 */
u64 chess_kinship_of(const struct task_struct *child)
{
	/* Its end is somebody else's to know. */
	if (rcu_access_pointer(child->real_parent) != current)
		return 0;
	if (!child->mm || child->files == current->files || child->fs == current->fs ||
	    rcu_access_pointer(child->sighand) == rcu_access_pointer(current->sighand))
		return 0;
	if (child->mm == current->mm)
		return clone_flags() & CLONE_VFORK ? CHESS_SPAWN_BORROWS : 0;
	return has_shared_memory() ? 0 : CHESS_SPAWN_APART;
}
