// SPDX-License-Identifier: GPL-2.0-only
/*
 * "rep movs" and a call of memcpy() copy any number of bytes. On another processor a task
 * may run in the middle of that, and finds one half copied, or writes to what is not read yet.
 * Here one task runs at a time, and both are executed as a whole. So where such an instruction is
 * a point, the copy is made here, piece by piece, and each piece has a point before it is read
 * and one before it is written. Then the program goes on after the instruction.
 *
 *	point: load --decided--> read a piece --point: store--decided--> write it, the next piece
 *
 * Pieces are words, as compilers and libraries copy no less at a time, and of a long copy the
 * first two words, the last one, and a few pieces in between: points cost runs, and what belongs
 * together often stands at the beginning. A large piece is not kept: it has one point, and
 * is read and written at once.
 *
 * Registers of "rep movs" say how far it is. Of a call this is known here alone: a signal
 * handler in between begins before the call, and when it has returned the copy goes on, in a
 * child that it forked as well. If it, or a debugger, has changed the registers, what they say now
 * is executed.
 */
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

#include "access.h"
#include "arch_x86.h"
#include "chess.h"
#include "copy.h"
#include "image.h"
#include "task.h"
#include "user.h"

#define WORD		sizeof(u64)
#define PIECES		8
/* What it takes to copy more is time with interrupts off. */
#define MOST_BYTES	SZ_1M
/* So that each piece of it is kept: it may come to an end in any. */
#define MOST_OF_STRING	256

static bool is_counted(const struct chess_operand *op)
{
	return op->form == CHESS_FORM_STRING ? op->flags & CHESS_OPERAND_REPEAT :
					       op->copy;
}

static bool is_string(const struct chess_operand *op)
{
	return (op->copy & CHESS_COPY_KIND) >= CHESS_COPY_STRING;
}

static bool may_be_split(const struct chess_operand *op)
{
	return is_counted(op) && op->size <= WORD && is_power_of_2(op->size) &&
	       !(op->flags & CHESS_OPERAND_ADDR32) &&
	       (is_string(op) || !(op->flags & CHESS_OPERAND_UPTO));
}

/* Where both are written to or both are read, as by cmps, it is no copy. */
static bool is_copy(const struct chess_operand *op)
{
	const u8 both = CHESS_OPERAND_READ | CHESS_OPERAND_WRITE;

	if (!may_be_split(op))
		return false;
	if (!op[1].size)
		return (op->flags & both) == CHESS_OPERAND_WRITE;
	return may_be_split(&op[1]) && ((op[0].flags ^ op[1].flags) & both) == both &&
	       (op->flags & both) != both;
}

static bool set_operand(struct chess_task *t, const struct chess_operand *op,
			const struct pt_regs *regs)
{
	struct chess_lane lanes[CHESS_LANES_MAX];
	struct chess_copy *c = &t->copy;

	if (chess_access_lanes(t->group, op, regs, lanes) < 1)
		return false;
	if (op->flags & CHESS_OPERAND_WRITE)
		c->to = lanes[0].address;
	else
		c->from = lanes[0].address;
	c->unit = op->size;
	c->total = lanes[0].size;
	return true;
}

/* Without its zero, if that is @most at most. Parts of it are in one page. */
static long string_length(unsigned long at, long most)
{
	u8 part[32];
	const u8 *zero;
	long n, bytes;

	for (n = 0; n <= most; n += bytes) {
		bytes = sizeof(part) - (at + n) % sizeof(part);
		if (copy_from_user_nofault(part, (void __user *)(at + n), bytes))
			return -EFAULT;
		zero = memchr(part, 0, bytes);
		if (zero)
			return n + (zero - part);
	}
	return -E2BIG;
}

/* As string_length(); where it is not in memory it is brought in, once, and read again. */
static long measure(struct chess_task *t, unsigned long at)
{
	struct chess_copy *c = &t->copy;
	long length = string_length(at, MOST_OF_STRING);

	if (length == -EFAULT && c->brought != at) {
		c->brought = at;
		c->missing = true;
		chess_user_bring(t, at, MOST_OF_STRING, false);
	}
	return length;
}

/* How much of it is copied, with the zero, and what is filled with zeroes after that. */
static bool set_string(struct chess_task *t, const struct chess_operand *op,
		       const struct pt_regs *regs)
{
	struct chess_copy *c = &t->copy;
	long length = measure(t, c->from), had = 0;
	u64 room;

	if (length < 0)
		return false;
	c->unit = 1;
	c->total = length + 1;
	c->most = U64_MAX;
	switch (op->copy & CHESS_COPY_KIND) {
	case CHESS_COPY_APPEND:
		had = measure(t, c->to);
		c->to += had;
		break;
	case CHESS_COPY_PADDED:
		room = chess_arch_function_arg(regs, 3);
		c->most = room;
		c->total = min(c->total, room);
		c->padding = room - c->total;
		break;
	}
	/* With a check of the room it is measured first. */
	c->ends = c->total > length && !(op->copy & CHESS_COPY_CHECKED);
	return had >= 0 && c->padding <= MOST_BYTES &&
	       chess_arch_may_copy(regs, op, had + c->total + c->padding);
}

static void set_bytes(struct chess_copy *c, u64 value)
{
	u32 i;

	for (i = 0; i < sizeof(c->bytes); i += c->unit)
		memcpy(c->bytes + i, &value, c->unit);
}

/**
 * chess_copy_wants() - is an instruction a copy that is made in pieces
 * @t: the task, which is current
 * @hit: the trap at it
 * @regs: its registers
 *
 * Context: probe (trap of current), which has the token.
 * Return: whether it is, and its next step is a point: chess_copy_step() says of what.
 */
bool chess_copy_wants(struct chess_task *t, const struct chess_hit *hit,
		      const struct pt_regs *regs)
{
	const struct chess_operand *op = hit->operands;
	struct chess_copy *c = &t->copy;

	if (c->going)
		return chess_copy_is_at(t, regs);
	c->missing = false;
	if (!(t->group->flags & CHESS_RUN_FLAGS_SPLIT_COPIES) || !is_copy(op))
		return false;
	*c = (struct chess_copy) {
		.fills = !op[1].size, .ip = regs->ip, .sp = regs->sp,
		.brought = c->ip == regs->ip && c->sp == regs->sp ? c->brought : 0,
	};
	if (!set_operand(t, op, regs) || (!c->fills && !set_operand(t, &op[1], regs)) ||
	    !(is_string(op) ? set_string(t, op, regs) : chess_arch_may_copy(regs, op, c->total)) ||
	    c->total <= WORD || c->total > MOST_BYTES)
		return false;
	/* What overlaps is copied as each function, and the instruction, has it. */
	if (!c->fills && c->to < c->from + c->total && c->from < c->to + c->total)
		return false;
	if (c->fills)
		set_bytes(c, chess_arch_filler(regs, op));
	c->left = chess_arch_copied(regs);
	c->going = true;
	return true;
}

static bool is_as_left(const struct chess_copy *c, const struct pt_regs *regs)
{
	struct chess_arch_copied now = chess_arch_copied(regs);

	return !memcmp(&now, &c->left, sizeof(now));
}

/**
 * chess_copy_is_at() - does a task go on with a copy
 * @t: the task, which is current
 * @regs: its registers
 *
 * Where it is at another instruction, or has other registers, and is in no handler, it does
 * not, and never will.
 *
 * Context: probe (trap of current).
 * Return: whether it does.
 */
bool chess_copy_is_at(struct chess_task *t, const struct pt_regs *regs)
{
	struct chess_copy *c = &t->copy;

	if (c->within)
		return false;
	c->going = c->going && c->ip == regs->ip && c->sp == regs->sp && is_as_left(c, regs);
	return c->going;
}

/* The last byte of the next piece is before this one. */
static u64 piece_end(const struct chess_copy *c)
{
	u64 last = round_down(c->total - 1, WORD), middle;

	if (c->total <= PIECES * WORD || c->done < 2 * WORD)
		return min(c->done + WORD, c->total);
	if (c->done >= last)
		return c->total;
	middle = DIV_ROUND_UP(last - 2 * WORD, PIECES - 3);
	return min(c->done + round_up(middle, WORD), last);
}

static bool is_kept(const struct chess_copy *c, u64 bytes)
{
	return !c->fills && bytes <= sizeof(c->bytes);
}

/**
 * chess_copy_step() - what the next step accesses
 * @t: a task in a copy
 * @start: set to the first byte
 * @end: set to after the last one
 *
 * Context: probe (trap of current).
 * Return: CHESS_OPERAND_READ, CHESS_OPERAND_WRITE, or both.
 */
u8 chess_copy_step(const struct chess_task *t, u64 *start, u64 *end)
{
	const struct chess_copy *c = &t->copy;
	u64 bytes = c->loaded ?: piece_end(c) - c->done;

	*start = c->to + c->done;
	*end = *start + bytes;
	if (c->fills || c->loaded)
		return CHESS_OPERAND_WRITE;
	if (is_kept(c, bytes)) {
		*start = c->from + c->done;
		*end = *start + bytes;
		return CHESS_OPERAND_READ;
	}
	*start = min(*start, c->from + c->done);
	*end = max(*end, c->from + c->done + bytes);
	return CHESS_OPERAND_READ | CHESS_OPERAND_WRITE;
}

static enum chess_copy_next bring(struct chess_task *t, u64 address, u64 bytes, bool write)
{
	struct chess_copy *c = &t->copy;
	/* Of a page that is read from and written to, one after the other. */
	unsigned long what = address | (unsigned long)write << 63;

	if (c->brought == what) {
		c->going = false;
		return CHESS_COPY_WHOLE;
	}
	c->brought = what;
	chess_user_bring(t, address, bytes, write);
	return CHESS_COPY_AGAIN;
}

/*
 * Of a large piece a part at a time. While a page is brought in others may run, which find the
 * first parts, and may write there: these are not made again.
 */
static enum chess_copy_next move(struct chess_task *t, u64 bytes)
{
	struct chess_copy *c = &t->copy;
	u64 at, part, to = c->to + c->done, from = c->from + c->done;

	for (at = c->moved; at < bytes; at += part) {
		part = min_t(u64, bytes - at, sizeof(c->bytes));
		if (!c->fills && !c->loaded &&
		    copy_from_user_nofault(c->bytes, (void __user *)(from + at), part))
			return bring(t, from + at, part, false);
		if (copy_to_user_nofault((void __user *)(to + at), c->bytes, part))
			return bring(t, to + at, part, true);
		c->moved = at + part;
	}
	return CHESS_COPY_DONE;
}

/* What was read of a string may have been changed since it was measured. */
static u64 measure_again(struct chess_copy *c, u64 bytes)
{
	const u8 *zero = memchr(c->bytes, 0, bytes);
	long more;

	if (zero) {
		bytes = zero + 1 - c->bytes;
		c->total = c->done + bytes;
	} else if (c->done + bytes == c->total) {
		more = string_length(c->from + c->total, MOST_OF_STRING);
		c->total += more < 0 ? 0 : more + 1;
		c->total = min(c->total, c->most);
	}
	if (c->most != U64_MAX)
		c->padding = c->most - c->total;
	return bytes;
}

static enum chess_copy_next load(struct chess_task *t, const struct chess_hit *hit, u64 bytes)
{
	struct chess_copy *c = &t->copy;
	u64 from = c->from + c->done;

	if (copy_from_user_nofault(c->bytes, (void __user *)from, bytes))
		return bring(t, from, bytes, false);
	if (c->ends)
		bytes = measure_again(c, bytes);
	chess_access_piece(t, hit, CHESS_OPERAND_READ, from, bytes);
	c->loaded = bytes;
	return CHESS_COPY_POINT;
}

/* From here on it is memset(). */
static void pad(struct chess_copy *c)
{
	c->to += c->total;
	c->total = c->padding;
	c->padding = 0;
	c->done = 0;
	c->fills = true;
	memset(c->bytes, 0, sizeof(c->bytes));
}

static void moved(struct chess_task *t, const struct chess_hit *hit, struct pt_regs *regs,
		  u64 bytes)
{
	struct chess_copy *c = &t->copy;

	if (!bytes)
		return;
	if (!c->fills && !c->loaded)
		chess_access_piece(t, hit, CHESS_OPERAND_READ, c->from + c->done, bytes);
	chess_access_piece(t, hit, CHESS_OPERAND_WRITE, c->to + c->done, bytes);
	c->done += bytes;
	c->loaded = 0;
	c->moved = 0;
	c->brought = 0;
	if (hit->operands->form == CHESS_FORM_STRING)
		chess_arch_string_copied(regs, bytes, c->unit, !c->fills);
}

/**
 * chess_copy_go_on() - the next step was decided
 * @t: the task, which is current and has the token
 * @hit: the trap
 * @regs: its registers; afterwards, where the copy is done, those after the instruction
 *
 * Context: probe (trap of current), IRQs off.
 * Return: what is next.
 */
enum chess_copy_next chess_copy_go_on(struct chess_task *t, const struct chess_hit *hit,
				      struct pt_regs *regs)
{
	struct chess_copy *c = &t->copy;
	u64 bytes = c->loaded ?: piece_end(c) - c->done;
	enum chess_copy_next next;
	unsigned long ret;

	/* Where a call returns to; it must be there when all is copied. */
	if (hit->operands->copy & CHESS_COPY_JUMP && !chess_user_word(regs->sp, &ret))
		return bring(t, regs->sp, sizeof(ret), false);
	if (is_kept(c, bytes) && !c->loaded)
		return load(t, hit, bytes);
	next = move(t, bytes);
	/* The instruction does what is left, as it would after a fault of its own. */
	if (next == CHESS_COPY_WHOLE)
		moved(t, hit, regs, c->moved);
	if (next != CHESS_COPY_DONE)
		return next;
	moved(t, hit, regs, bytes);
	c->left = chess_arch_copied(regs);
	if (c->done < c->total)
		return CHESS_COPY_POINT;
	if (c->padding) {
		pad(c);
		return CHESS_COPY_POINT;
	}
	c->going = false;
	chess_arch_copy_return(regs, hit->probe, hit->operands, c->to + c->total);
	return CHESS_COPY_DONE;
}
