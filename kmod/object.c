// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of what system calls work on. Numbers that the kernel gives are other ones in each
 * run: so pids are named by task, inodes and System V objects by first use.
 */
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <linux/pid.h>
#include <uapi/linux/wait.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "memory.h"
#include "object.h"
#include "path.h"
#include "record.h"
#include "task.h"

/* Name a pid of the program by task id: pids differ from run to run. */
static void name_pid(struct chess_group *g, struct chess_object *n, int nr)
{
	struct pid *pid;
	unsigned long flags;
	u32 id, global = 0;

	n->kind = CHESS_OBJECT_PID;
	n->object = nr <= 0 ? nr : 0;
	if (nr <= 0)
		return;
	rcu_read_lock();
	pid = find_vpid(nr);
	if (pid)
		global = pid_nr(pid);
	rcu_read_unlock();
	raw_spin_lock_irqsave(&g->plock, flags);
	/* From the end: numbers may have been used twice in a long run; of those alive, if any. */
	for (id = g->next_id; global && id--; )
		if (g->pids[id] == global && (n->kind != CHESS_OBJECT_TASK || g->by_id[id])) {
			n->kind = CHESS_OBJECT_TASK;
			n->object = id;
			if (g->by_id[id])
				break;
		}
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/* Return: whether there is such a descriptor. */
static bool name_fd(struct chess_group *g, struct chess_object *n, unsigned int fd)
{
	struct file *file = fget_raw(fd);
	unsigned long magic = file ? file_inode(file)->i_sb->s_magic : 0;
	unsigned long flags;
	u32 number = 0;

	/* All anonymous inodes (eventfd, epoll, ...) are one. */
	if (file && magic != ANON_INODE_FS_MAGIC) {
		raw_spin_lock_irqsave(&g->plock, flags);
		number = chess_record_inode_locked(g, file_inode(file));
		raw_spin_unlock_irqrestore(&g->plock, flags);
	}
	n->kind = !number ? CHESS_OBJECT_FD :
		  magic == PROC_SUPER_MAGIC || magic == SYSFS_MAGIC ?
		  CHESS_OBJECT_SYSTEM : CHESS_OBJECT_INODE;
	n->object = number ?: fd;
	if (file)
		fput(file);
	return file;
}

/* Each sort has numbers of its own. */
static u32 id_kind(u32 nr)
{
	switch (nr) {
	case __NR_semctl:
	case __NR_semop:
	case __NR_semtimedop:
		return __NR_semget;
	case __NR_msgsnd:
	case __NR_msgrcv:
	case __NR_msgctl:
		return __NR_msgget;
	default:
		return __NR_shmget;
	}
}

static void name_id(struct chess_group *g, struct chess_object *n, u32 nr, int id)
{
	unsigned long flags;

	n->kind = CHESS_OBJECT_KEY;
	raw_spin_lock_irqsave(&g->plock, flags);
	n->object = chess_record_id_locked(g, id_kind(nr), id);
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

static void name_futex(struct chess_object *n, const struct pt_regs *regs)
{
	n->arg = chess_arch_syscall_arg(regs, 1);
	switch (n->arg & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_UNLOCK_PI:
		n->op = CHESS_OP_FUTEX_WAKE;
		n->flags = CHESS_OPF_WRITE | CHESS_OPF_RELEASE;
	}
}

/* Does a wait for a child take it, and ask how it ended? */
static u64 asks_how(const struct pt_regs *regs, long nr)
{
	unsigned long options = chess_arch_syscall_arg(regs, 3);

	if (nr == __NR_wait4)
		return chess_arch_syscall_arg(regs, 1) ? CHESS_WAIT_CHECKS : 0;
	if (nr == __NR_waitid && (options & WEXITED) && !(options & WNOWAIT))
		return chess_arch_syscall_arg(regs, 2) ? CHESS_WAIT_CHECKS : 0;
	return 0;
}

/* What dup2() and dup3() close. */
static u32 closed_by(struct chess_group *g, const struct pt_regs *regs)
{
	unsigned int fd = chess_arch_syscall_arg(regs, 1);
	struct chess_object closed = {};

	if (fd == (unsigned int)chess_arch_syscall_arg(regs, 0) || !name_fd(g, &closed, fd))
		return 0;
	return closed.kind == CHESS_OBJECT_INODE ? closed.object : CHESS_ARG_OTHER;
}

/* A call whose path is empty is about its descriptor if it asks for that. */
static u32 arg_of_empty(struct chess_group *g, const struct pt_regs *regs, long nr)
{
	unsigned long flags = nr == __NR_newfstatat ? chess_arch_syscall_arg(regs, 3) :
			      nr == __NR_statx ? chess_arch_syscall_arg(regs, 2) : 0;
	int fd = chess_arch_syscall_arg(regs, 0);
	struct chess_object n = {};

	if (!(flags & AT_EMPTY_PATH))
		return 0;
	if (fd < 0 || !name_fd(g, &n, fd) || n.kind != CHESS_OBJECT_INODE)
		return CHESS_ARG_OTHER;
	return CHESS_ARG_EMPTY_PATH | n.object;
}

static u32 arg_of_path(struct chess_group *g, const struct chess_call *s,
		       const struct pt_regs *regs, long nr)
{
	/* The directory and the flags of open() stand beside the path. */
	int dir = s->arg ? (int)chess_arch_syscall_arg(regs, s->arg - 1) : AT_FDCWD;
	u32 flags = s->op == CHESS_OP_OPEN ? chess_arch_syscall_arg(regs, s->arg + 1) : 0;

	flags &= CHESS_ARG_OPEN_FLAGS;
	switch (chess_path_leads(chess_arch_syscall_arg(regs, s->arg), dir)) {
	case CHESS_PATH_LEADS_TO_SYSTEM:
		return flags | CHESS_ARG_OTHER;
	case CHESS_PATH_LEADS_TO_NOTHING:
		return flags | arg_of_empty(g, regs, nr);
	default:
		return flags;
	}
}

/**
 * chess_object_of() - what a call works on
 * @g: the group
 * @s: the row of the call
 * @regs: user registers of current at sys_enter
 * @nr: number of the call
 *
 * Context: probe (sys_enter), in current, which has the token.
 * Return: op and flags by its arguments, and the object.
 */
struct chess_object chess_object_of(struct chess_group *g, const struct chess_call *s,
				    const struct pt_regs *regs, long nr)
{
	unsigned long value = chess_arch_syscall_arg(regs, s->arg);
	struct chess_object n = { .op = s->op, .flags = s->flags };

	switch (s->source) {
	case CHESS_OBJECT_FROM_ADDRESS:
		n.kind = CHESS_OBJECT_ADDRESS;
		n.object = chess_memory_address(chess_task_find(current), value);
		break;
	case CHESS_OBJECT_FROM_KEY:
		n.kind = CHESS_OBJECT_KEY;
		n.object = value;
		break;
	case CHESS_OBJECT_FROM_ID:
		name_id(g, &n, nr, value);
		break;
	case CHESS_OBJECT_FROM_FD:
		name_fd(g, &n, value);
		if (s->op == CHESS_OP_FLOCK)
			n.arg = chess_arch_syscall_arg(regs, 1);
		if (nr == __NR_dup2 || nr == __NR_dup3)
			n.arg = closed_by(g, regs);
		break;
	case CHESS_OBJECT_FROM_PATH:
		n.arg = arg_of_path(g, s, regs, nr);
		break;
	case CHESS_OBJECT_FROM_PID:
		name_pid(g, &n, value);
		n.arg = asks_how(regs, nr);
		break;
	}
	if (s->op == CHESS_OP_FUTEX_WAIT && s->special)
		name_futex(&n, regs);
	return n;
}
