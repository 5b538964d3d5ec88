// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does a call wait for a child to end? With a deadline it is a watchdog: the harness of a
 * test gives it some time, and kills it when that is over. deadline.c and timer.c have such
 * deadlines pass only when nobody else can go on.
 *
 * Nothing is changed here. What cannot be read is no such wait.
 */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/poll.h>
#include <linux/signal.h>
#include <linux/uaccess.h>
#include <uapi/linux/wait.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "child_wait.h"
#include "compat.h"

/* Descriptors that are looked at for those of processes. */
#define MOST_OPEN	1024

static bool is_pidfd(int fd)
{
	struct file *file = fd < 0 ? NULL : fget_raw(fd);
	bool yes;

	if (!file)
		return false;
	yes = chess_compat_is_pidfd(file);
	fput(file);
	return yes;
}

static bool polls_pidfd(unsigned long from, unsigned int n)
{
	struct pollfd p;
	unsigned int i;

	for (i = 0; i < min_t(unsigned long, n, CHESS_MOST_POLLED); i++) {
		if (copy_from_user_nofault(&p, (void __user *)(from + i * sizeof(p)), sizeof(p)))
			return false;
		if ((p.events & POLLIN) && is_pidfd(p.fd))
			return true;
	}
	return false;
}

/*
 * What is in an epoll set its files know, by something private. So any set will do: a
 * process that has one for its children hardly has others beside it.
 */
static bool is_pidfd_in_epoll(void)
{
	unsigned int fd, n;
	struct file *file;
	bool yes = false;

	rcu_read_lock();
	n = files_fdtable(current->files)->max_fds;
	rcu_read_unlock();
	for (fd = 0; fd < min(n, MOST_OPEN) && !yes; fd++) {
		file = fget_raw(fd);
		if (!file)
			continue;
		yes = chess_compat_is_pidfd(file) && chess_compat_is_in_epoll(file);
		fput(file);
	}
	return yes;
}

static bool has_sigchld(unsigned long from)
{
	u64 mask;

	return !copy_from_user_nofault(&mask, (void __user *)from, sizeof(mask)) &&
	       (mask & sigmask(SIGCHLD));
}

/**
 * chess_child_wait_is() - does a call with a time-out wait for a child to end
 * @regs: user registers of the task
 * @nr: number of the call
 *
 * A poll of its pidfd, an epoll set with one, SIGCHLD among the signals that are waited
 * for.
 *
 * Context: any, in current.
 * Return: whether it does.
 */
bool chess_child_wait_is(const struct pt_regs *regs, long nr)
{
	switch (nr) {
	case __NR_poll:
	case __NR_ppoll:
		return polls_pidfd(chess_arch_syscall_arg(regs, 0),
				   chess_arch_syscall_arg(regs, 1));
	case __NR_epoll_wait:
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
		return is_pidfd_in_epoll();
	case __NR_rt_sigtimedwait:
		return has_sigchld(chess_arch_syscall_arg(regs, 0));
	default:
		return false;
	}
}

/**
 * chess_child_wait_blocks() - does a call wait for a child until that ends
 * @regs: user registers of the task
 * @nr: number of the call
 *
 * What limits its time is then a timer of the program.
 *
 * Context: any, in current.
 * Return: whether it does.
 */
bool chess_child_wait_blocks(const struct pt_regs *regs, long nr)
{
	switch (nr) {
	case __NR_wait4:
		return !(chess_arch_syscall_arg(regs, 2) & WNOHANG);
	case __NR_waitid:
		return !(chess_arch_syscall_arg(regs, 3) & WNOHANG);
	default:
		return false;
	}
}
