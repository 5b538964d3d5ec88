/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.c: a child of ours that makes a run, with every task of the program stopped at its
 * system calls (ptrace). calls.c and sources.c read there what the calls say.
 */
#ifndef CHESSCTL_FOLLOW_H
#define CHESSCTL_FOLLOW_H

#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/types.h>
/* Not with sys/ptrace.h's own struct of that name. */
#define ptrace_syscall_info kernel_syscall_info
#define ptrace_peeksiginfo_args kernel_peeksiginfo_args
#define ptrace_rseq_configuration kernel_rseq_configuration
#include <linux/ptrace.h>

/**
 * struct follow - what is done with the child and the tasks below it
 * @child: runs in the child, once it is traced; does not return
 * @call: task @pid is at the entry or the exit of a system call
 * @made: task @parent made task @pid; may be NULL
 * @arg: first argument of all three
 */
struct follow {
	void (*child)(void *arg);
	void (*call)(void *arg, pid_t pid);
	void (*made)(void *arg, pid_t parent, pid_t pid);
	void *arg;
};

/*
 * Waits for all children of the process that calls it. Return: how the child ended, as wait(2)
 * gives it, or a negative errno where it could not be traced.
 */
int follow_child(const struct follow *f);
/* Is the task the program's? Helpers of the runner, and its task until its execve, are chessctl. */
bool follow_is_program(const char *self, pid_t pid);

#endif /* CHESSCTL_FOLLOW_H */
