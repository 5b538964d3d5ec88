// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of another process, or of the own one by way of the kernel: process_vm_readv(),
 * process_vm_writev(), ptrace(), and reads and writes of /proc/PID/mem. What a call accesses there
 * is an access of the task that makes the call, to memory of a task that is named; as those of
 * buffers (buffers.c) it leads to points at accesses it is unordered with, and is not taken for a
 * race.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/magic.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "buffers.h"
#include "chess.h"
#include "memory.h"
#include "remote.h"
#include "task.h"
#include "traps/access.h"
#include "traps/space.h"

#define MOST_VECTORS	32

static u8 kind_of(bool write)
{
	return write ? CHESS_ACCESS_MAY_WRITE : CHESS_ACCESS_MAY_READ;
}

/* All who could change its mappings are parked, or current. */
static void access_bytes(struct chess_task *t, const struct chess_task *of, bool write, u64 at,
			 u64 bytes, u64 ip)
{
	bytes = min_t(u64, bytes, CHESS_BUFFER_BYTES);
	if (bytes)
		chess_access_of_task(t, of, kind_of(write), at, bytes, ip);
}

/*
 * The first task of the group with an address space: it is the same one in each run. Context: RCU.
 */
static const struct chess_task *task_of_space(const struct chess_task *t, const void *mm)
{
	const struct chess_task *other, *of = NULL;
	struct chess_group *g = t->group;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(other, &g->tasks, entry)
		if (mm && READ_ONCE(other->task->mm) == mm && (!of || other->id < of->id))
			of = other;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return of;
}

static void access_vectors(struct chess_task *t, const struct pt_regs *regs, bool write)
{
	pid_t pid = chess_arch_syscall_arg(regs, 0);
	const struct chess_task *of = pid ? chess_task_of_pid(t, pid) : NULL;
	u64 at = chess_arch_syscall_arg(regs, 3), count = chess_arch_syscall_arg(regs, 4), i;
	struct iovec v;

	if (!of || !of->mm)
		return;
	for (i = 0; i < count && i < MOST_VECTORS; i++) {
		if (copy_from_user_nofault(&v, (void __user *)(at + i * sizeof(v)), sizeof(v)))
			break;
		access_bytes(t, of, write, (__force u64)v.iov_base, v.iov_len, regs->ip);
	}
	if (i < count)
		chess_access_missed(t);
}

/* A word of a task that is stopped. */
static void access_traced(struct chess_task *t, const struct pt_regs *regs)
{
	const struct chess_task *of = chess_task_of_pid(t, chess_arch_syscall_arg(regs, 1));
	bool write;

	switch (chess_arch_syscall_arg(regs, 0)) {
	case PTRACE_PEEKTEXT:
	case PTRACE_PEEKDATA:
		write = false;
		break;
	case PTRACE_POKETEXT:
	case PTRACE_POKEDATA:
		write = true;
		break;
	default:
		return;
	}
	if (of && of->mm)
		access_bytes(t, of, write, chess_arch_syscall_arg(regs, 2), sizeof(long), regs->ip);
}

/* A file of that name and that file system has the address space for its private data. */
static bool is_memory(const struct file *file)
{
	return file_inode(file)->i_sb->s_magic == PROC_SUPER_MAGIC &&
	       !strcmp(file->f_path.dentry->d_name.name, "mem");
}

static void access_file(struct chess_task *t, const struct pt_regs *regs, bool write, bool at_arg)
{
	struct file *file = fget(chess_arch_syscall_arg(regs, 0));
	const struct chess_task *of;

	if (!file)
		return;
	of = is_memory(file) ? task_of_space(t, file->private_data) : NULL;
	if (of && of->mm)
		access_bytes(t, of, write,
			     at_arg ? chess_arch_syscall_arg(regs, 3) : file->f_pos,
			     chess_arch_syscall_arg(regs, 2), regs->ip);
	fput(file);
}

/**
 * chess_remote_access() - a call is about to be made: what it accesses of another's memory
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Vectors that are not present, or too many, count as an access that is missing.
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_remote_access(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	/* The other task may be killed meanwhile, and freed. */
	rcu_read_lock();
	switch (nr) {
	case __NR_process_vm_readv:
	case __NR_process_vm_writev:
		access_vectors(t, regs, nr == __NR_process_vm_writev);
		break;
	case __NR_ptrace:
		access_traced(t, regs);
		break;
	case __NR_read:
	case __NR_write:
		access_file(t, regs, nr == __NR_write, false);
		break;
	case __NR_pread64:
	case __NR_pwrite64:
		access_file(t, regs, nr == __NR_pwrite64, true);
		break;
	}
	rcu_read_unlock();
}
