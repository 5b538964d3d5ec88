// SPDX-License-Identifier: GPL-2.0-only
/*
 * "n++" is often one instruction. Without a lock prefix it is a load and a store, and between
 * them another processor may store: that update is lost. Here one task runs at a time, and an
 * instruction is executed as a whole. So where such an instruction is a point, it is two: one
 * before the load, after which the value is read and kept, and one before the store. When that
 * was decided, the kept value is put back to where it was read, and the instruction is executed
 * at once: it computes from that value, and what others stored meanwhile is overwritten.
 *
 *	point: load --decided--> read the value --point: store--decided--> put it back, execute
 *
 * A signal handler in between begins before the instruction and ends before it too, so
 * what was read is forgotten, and the instruction is executed as a whole after it.
 */
#include <linux/uaccess.h>

#include "arch_x86.h"
#include "chess.h"
#include "split.h"
#include "task.h"
#include "user.h"

static void __user *operand(const struct chess_split *s)
{
	return (void __user *)s->address;
}

/**
 * chess_split_wants() - is an instruction a load and a store
 * @t: the task, which is current
 * @hit: the trap at it
 *
 * Context: probe (trap of current).
 * Return: whether it is in this run.
 */
bool chess_split_wants(const struct chess_task *t, const struct chess_hit *hit)
{
	const struct chess_operand *op = hit->operands;
	const u8 both = CHESS_OPERAND_READ | CHESS_OPERAND_WRITE;

	return (t->group->flags & CHESS_RUN_FLAGS_SPLIT_UPDATES) && op &&
	       (op->flags & (both | CHESS_OPERAND_ATOMIC)) == both && !op[1].size &&
	       op->size && op->size <= sizeof(u64) && chess_arch_is_plain(op);
}

/**
 * chess_split_check() - the task is at a trap: forget what was begun at another one
 * @t: the task, which is current
 * @regs: its user registers
 *
 * Context: probe (trap of current).
 */
void chess_split_check(struct chess_task *t, const struct pt_regs *regs)
{
	struct chess_split *s = &t->split;

	if (s->ip != regs->ip || s->sp != regs->sp)
		s->step = CHESS_SPLIT_NONE;
}

/**
 * chess_split_taken() - a point of the instruction is in the record
 * @t: the task, which is current
 * @hit: the trap
 * @regs: its user registers
 *
 * Context: probe (trap of current).
 */
void chess_split_taken(struct chess_task *t, const struct chess_hit *hit,
		       const struct pt_regs *regs)
{
	if (t->split.step >= CHESS_SPLIT_LOADED) {
		t->split.step = CHESS_SPLIT_STORING;
		return;
	}
	t->split = (struct chess_split) {
		.step = CHESS_SPLIT_LOADING, .ip = regs->ip, .sp = regs->sp,
		.size = hit->operands->size,
		.address = chess_arch_plain_address(regs, hit->operands),
	};
}

/* Where the kernel cannot read it, the instruction faults, which is for it to do. */
static enum chess_split_step load(struct chess_task *t)
{
	struct chess_split *s = &t->split;

	s->value = 0;
	if (!copy_from_user_nofault(&s->value, operand(s), s->size))
		return CHESS_SPLIT_LOADED;
	if (s->brought)
		return CHESS_SPLIT_NONE;
	s->brought = true;
	chess_user_bring(t, s->address, s->size, false);
	return CHESS_SPLIT_LOADING;
}

/*
 * Can the value be put back? What is there is written to where it is: nothing changes, but the
 * page is there to be written to. At the second time it cannot be, and the instruction faults.
 */
static bool may_store(struct chess_task *t)
{
	struct chess_split *s = &t->split;
	u64 now = 0;

	if (copy_from_user_nofault(&now, operand(s), s->size) || now == s->value ||
	    !copy_to_user_nofault(operand(s), &now, s->size) || s->writable)
		return true;
	s->writable = true;
	chess_user_bring(t, s->address, s->size, true);
	return false;
}

/**
 * chess_split_go_on() - a point of the instruction was decided
 * @t: the task, which is current and has the token
 *
 * Context: probe (trap of current), IRQs off.
 * Return: CHESS_SPLIT_NONE: it can be executed, and chess_split_finish() comes first;
 *	CHESS_SPLIT_LOADED: the point of the store is next; else: not yet, a page is brought in on
 *	the way to user mode.
 */
enum chess_split_step chess_split_go_on(struct chess_task *t)
{
	struct chess_split *s = &t->split;

	if (READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING)
		s->step = CHESS_SPLIT_NONE;
	if (s->step == CHESS_SPLIT_LOADING)
		s->step = load(t);
	if (s->step == CHESS_SPLIT_STORING)
		return may_store(t) ? CHESS_SPLIT_NONE : CHESS_SPLIT_STORING;
	return s->step;
}

/**
 * chess_split_finish() - the instruction is executed now
 * @t: the task, which is current and has the token
 *
 * Context: probe (trap of current), IRQs off since chess_split_go_on().
 */
void chess_split_finish(struct chess_task *t)
{
	struct chess_split *s = &t->split;
	u64 now = 0;

	/* Where it fails, the instruction faults. */
	if (s->step == CHESS_SPLIT_STORING &&
	    !copy_from_user_nofault(&now, operand(s), s->size) && now != s->value)
		(void)!copy_to_user_nofault(operand(s), &s->value, s->size);
	s->step = CHESS_SPLIT_NONE;
}
