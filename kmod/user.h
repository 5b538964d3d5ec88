/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results a call leaves in a program's memory, where we answer for the kernel; arguments that
 * are there.
 */
#ifndef _CHESS_USER_H
#define _CHESS_USER_H

#include <linux/types.h>
#include <linux/uaccess.h>
#include "work.h"

struct chess_task;
struct pt_regs;

#define CHESS_PUT_BYTES	32
#define CHESS_PUTS	4
/* One call has no more arguments in memory that are read here. */
#define CHESS_FETCHES	4

/**
 * struct chess_put - a result that could not be written at once (user.c)
 * @to: user address
 * @len: how much
 * @clear: zeroes
 * @bytes: what else
 */
struct chess_put {
	unsigned long to;
	u32 len;
	bool clear;
	u8 bytes[CHESS_PUT_BYTES];
};

/**
 * struct chess_late - results that are still to be written
 * @work: task work that writes @puts
 * @puts: the results
 * @n: how many
 *
 * Only touched by the task itself.
 */
struct chess_late {
	struct chess_work work;
	struct chess_put puts[CHESS_PUTS];
	unsigned int n;
};

/**
 * struct chess_fetch - arguments of a call that were not in memory (user.c)
 * @work: task work that brings the last of them in
 * @from: their user addresses
 * @n: how many
 * @len: bytes of the last
 * @write: they are to be written to
 * @ip: user instruction pointer at sys_enter
 * @sp: user stack pointer there
 * @nr: number of the call
 *
 * Only touched by the task itself.
 */
struct chess_fetch {
	struct chess_work work;
	unsigned long from[CHESS_FETCHES];
	unsigned int n;
	u32 len;
	bool write;
	unsigned long ip;
	unsigned long sp;
	long nr;
};

/**
 * chess_user_word() - read a word of current's program
 * @from: user address
 * @word: set to it
 *
 * Context: any, in current.
 * Return: false: it is not in memory.
 */
static inline bool chess_user_word(unsigned long from, unsigned long *word)
{
	return !copy_from_user_nofault(word, (void __user *)from, sizeof(*word));
}

void chess_user_init(struct chess_task *t);
void chess_user_put(struct chess_task *t, unsigned long to, const void *from, u32 len);
bool chess_user_is_there(struct chess_task *t, const struct pt_regs *regs, unsigned long from,
			 u32 len);
bool chess_user_get(struct chess_task *t, const struct pt_regs *regs, unsigned long from,
		    u64 *value);
void chess_user_clear(struct chess_task *t, unsigned long to, u32 len);
void chess_user_bring(struct chess_task *t, unsigned long from, u32 len, bool write);

#endif /* _CHESS_USER_H */
