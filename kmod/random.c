// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random numbers of a run: getrandom(), reads of /dev/random and /dev/urandom, and
 * the bytes the kernel leaves for the loader (AT_RANDOM) come from one generator,
 * in the order of the token, and it begins the same in every run. They are no
 * secrets: a program under control must not make keys that are kept.
 */
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/random.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "random.h"
#include "task.h"

#define MEM_MAJOR_RANDOM	8
#define MEM_MAJOR_URANDOM	9
/* As the kernel limits one call. */
#define RANDOM_MOST		((1UL << 25) - 1)
/* Largest request that is answered without a task work. */
#define RANDOM_SMALL		64

/* SplitMix64 (Steele, Lea and Flood, OOPSLA'14): one word of state. */
static u64 next_word(struct chess_group *g)
{
	unsigned long flags;
	u64 z;

	raw_spin_lock_irqsave(&g->plock, flags);
	g->random += 0x9e3779b97f4a7c15ULL;
	z = g->random;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static void fill(struct chess_group *g, void *to, size_t len)
{
	u64 word;

	for (; len; len -= min(len, sizeof(word)), to += sizeof(word)) {
		word = next_word(g);
		memcpy(to, &word, min(len, sizeof(word)));
	}
}

/* The task goes on to user mode with the answer; until then it may sleep. */
static void write_random(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, random.work.head);
	struct pt_regs *regs = task_pt_regs(current);
	size_t done = 0, part;
	u8 bytes[256];

	clear_bit(0, &t->random.work.queued);
	while (done < t->random.len && !fatal_signal_pending(current)) {
		part = min(t->random.len - done, sizeof(bytes));
		fill(t->group, bytes, part);
		if (copy_to_user((void __user *)(t->random.to + done), bytes, part))
			break;
		done += part;
		cond_resched();
	}
	regs->ax = done || !t->random.len ? done : -EFAULT;
}

/**
 * chess_random_init() - prepare a new task
 * @t: the task
 *
 * Context: any.
 */
void chess_random_init(struct chess_task *t)
{
	init_task_work(&t->random.work.head, write_random);
}

static void answer(struct chess_task *t, struct pt_regs *regs, unsigned long to, size_t len)
{
	u8 bytes[RANDOM_SMALL];

	len = min(len, RANDOM_MOST);
	chess_arch_syscall_answer(regs, len);
	/* Nothing may be drawn before it is known to arrive: draw where it fits. */
	if (len <= sizeof(bytes) && access_ok((void __user *)to, len)) {
		u64 before = t->group->random;

		fill(t->group, bytes, len);
		if (!copy_to_user_nofault((void __user *)to, bytes, len))
			return;
		t->group->random = before;
	}
	t->random.to = to;
	t->random.len = len;
	chess_work_queue(&t->random.work, current, TWA_RESUME);
}

static bool is_random_file(unsigned int fd)
{
	struct file *file = fget_raw(fd);
	bool yes = false;

	if (file) {
		struct inode *inode = file_inode(file);

		yes = S_ISCHR(inode->i_mode) && MAJOR(inode->i_rdev) == 1 &&
		      (MINOR(inode->i_rdev) == MEM_MAJOR_RANDOM ||
		       MINOR(inode->i_rdev) == MEM_MAJOR_URANDOM) && (file->f_mode & FMODE_READ);
		fput(file);
	}
	return yes;
}

/**
 * chess_random_answer() - answer a request for random bytes
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter), seeded random numbers.
 * Return: whether the call was one, and is answered.
 */
bool chess_random_answer(struct chess_task *t, struct pt_regs *regs, long nr)
{
	if (nr == __NR_getrandom) {
		if (chess_arch_syscall_arg(regs, 2) &
		    ~(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE))
			return false;
		answer(t, regs, chess_arch_syscall_arg(regs, 0), chess_arch_syscall_arg(regs, 1));
		return true;
	}
	if (nr == __NR_read && is_random_file(chess_arch_syscall_arg(regs, 0))) {
		answer(t, regs, chess_arch_syscall_arg(regs, 1), chess_arch_syscall_arg(regs, 2));
		return true;
	}
	return false;
}

/**
 * chess_random_seed_loader() - replace the bytes the kernel left for the loader
 * @t: the task, which is current
 * @to: user address of the 16 bytes
 *
 * They become stack guards and the like.
 *
 * Context: task work, before the program's first instruction.
 */
void chess_random_seed_loader(struct chess_task *t, unsigned long to)
{
	u8 bytes[16];

	if (!(READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_FIXED_RANDOM))
		return;
	fill(t->group, bytes, sizeof(bytes));
	/* No memory for the page: the kernel's own stay. */
	if (copy_to_user((void __user *)to, bytes, sizeof(bytes)))
		t->group->lost++;
}
