// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls from which something follows for other tasks that no access in the record stands
 * for. The record names them, so that a search which depends on it is not taken for whole.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "memory.h"
#include "task.h"
#include "traps/access.h"
#include "unseen.h"

#define COMMAND_ARG	1
#define FLAGS_ARG	1
#define NEW_LIMIT_ARG	2

/* Do processes have the file of this descriptor for memory? It may change as a whole. */
static bool is_memory(struct chess_task *t, unsigned int fd)
{
	struct file *file = fget(fd);
	u8 memory;
	u64 at;

	if (!file)
		return false;
	memory = chess_memory_of_file(t->group, file, &at);
	fput(file);
	return memory;
}

static bool clones_memory(struct chess_task *t, const struct pt_regs *regs)
{
	switch ((unsigned int)chess_arch_syscall_arg(regs, COMMAND_ARG)) {
	case FICLONE:
	case FICLONERANGE:
		return is_memory(t, chess_arch_syscall_arg(regs, 0));
	default:
		return false;
	}
}

static bool limits_another(const struct pt_regs *regs)
{
	pid_t pid = chess_arch_syscall_arg(regs, 0);

	return pid && pid != task_tgid_vnr(current) && chess_arch_syscall_arg(regs, NEW_LIMIT_ARG);
}

static bool is_unseen(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	switch (nr) {
	/* A pipe has the pages themselves: what is written to them later is read from it. */
	case __NR_vmsplice:
	/* Which bytes of a file stand where in memory is known from the mapping alone. */
	case __NR_remap_file_pages:
		return true;
	case __NR_ioctl:
		return clones_memory(t, regs);
	/* Calls of other threads fail from then on, also those that are not points. */
	case __NR_seccomp:
		return chess_arch_syscall_arg(regs, FLAGS_ARG) & SECCOMP_FILTER_FLAG_TSYNC;
	/* The memory that the other one allocates is not compared with this. */
	case __NR_prlimit64:
		return limits_another(regs);
	default:
		return false;
	}
}

/**
 * chess_unseen_call() - a call is about to be made: is what follows from it recorded?
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_unseen_call(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	if (is_unseen(t, regs, nr))
		chess_access_tell(t, CHESS_TOLD_UNSEEN, nr, 0, 0);
}
