// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See address.h.
 */
#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <string.h>
#endif

#include "address.h"

#define DIRECTION_FLAG	0x400

static __u64 general(const struct chess_regs *r, __u8 reg)
{
	if (reg == CHESS_REG_NONE)
		return 0;
	return reg == CHESS_REG_RIP ? r->rip : r->gpr[reg & 15];
}

/* What base, index and displacement come to, with what the segment adds. */
static __u64 finish(const struct chess_operand *op, const struct chess_regs *r, __u64 sum)
{
	if (op->flags & CHESS_OPERAND_ADDR32)
		sum = (__u32)sum;
	switch (op->segment) {
	case CHESS_BASE_FS:
		return sum + r->fs_base;
	case CHESS_BASE_GS:
		return sum + r->gs_base;
	default:
		return sum;
	}
}

static __u64 plain_sum(const struct chess_operand *op, const struct chess_regs *r)
{
	return general(r, op->base) + general(r, op->index) * op->scale + op->disp;
}

static __u64 element(const __u8 *v, unsigned int i, unsigned int size)
{
	__u64 value = 0;

	memcpy(&value, v + i * size, size);
	return value;
}

/* The mask as bits; a negative errno where its register is not known. */
static int mask_bits(const struct chess_operand *op, const struct chess_regs *r, __u64 *bits)
{
	unsigned int i;

	if (!(op->flags & CHESS_OPERAND_VECTOR_MASK)) {
		/* As a write mask k0 stands for all. */
		if (op->mask && !r->opmask)
			return -ENODATA;
		*bits = op->mask ? r->opmask[op->mask] : ~0ULL;
	} else {
		if (!r->vector || op->mask >= r->vectors)
			return -ENODATA;
		*bits = 0;
		for (i = 0; i < op->elements; i++)
			*bits |= (__u64)(r->vector[op->mask][(i + 1) * op->size - 1] >> 7) << i;
	}
	if (op->elements < 64)
		*bits &= (1ULL << op->elements) - 1;
	return 0;
}

/*
 * A count of zero is not an access. Where the data may end it before rcx does, the first
 * element is all that is certain.
 */
static int string_lanes(const struct chess_operand *op, const struct chess_regs *r,
			struct chess_lane *lane)
{
	__u64 count = 1, sum = plain_sum(op, r);

	if (op->flags & CHESS_OPERAND_REPEAT) {
		count = r->gpr[CHESS_REG_RCX];
		if (op->flags & CHESS_OPERAND_ADDR32)
			count = (__u32)count;
	}
	if (!count)
		return 0;
	if (op->flags & CHESS_OPERAND_UPTO)
		count = 1;
	if (r->flags & DIRECTION_FLAG)
		sum -= (count - 1) * op->size;
	*lane = (struct chess_lane) { finish(op, r, sum), count * op->size };
	return 1;
}

/* What comes after the first element, and may be accessed too. */
static int add_rest(const struct chess_operand *op, __u64 count, struct chess_lane *lane)
{
	if (count > op->elements)
		count = op->elements;
	if (!(op->flags & CHESS_OPERAND_PERHAPS) || count < 2)
		return 1;
	lane[1] = (struct chess_lane) { lane[0].address + op->size, (count - 1) * op->size };
	return 2;
}

static int counted_lanes(const struct chess_operand *op, const struct chess_regs *r,
			 struct chess_lane *lane)
{
	__u64 count = r->gpr[op->mask & 15];

	if (!count)
		return 0;
	*lane = (struct chess_lane) { finish(op, r, plain_sum(op, r)), op->size };
	if (op->flags & CHESS_OPERAND_UPTO)
		return add_rest(op, count, lane);
	lane->size = count * op->size;
	return 1;
}

/* The offset counts from bit 0 of the first word, to both sides. */
static __u64 bit_word(const struct chess_operand *op, const struct chess_regs *r)
{
	__s64 bit = r->gpr[op->mask & 15];

	if (op->size == 2)
		bit = (__s16)bit;
	else if (op->size == 4)
		bit = (__s32)bit;
	return (bit >> (op->size == 2 ? 4 : op->size == 4 ? 5 : 6)) * op->size;
}

static int gather_lanes(const struct chess_operand *op, const struct chess_regs *r,
			struct chess_lane *lane)
{
	__u64 bits, sum = general(r, op->base) + op->disp;
	unsigned int i;
	__s64 index;
	int n = 0, ret = mask_bits(op, r, &bits);

	if (ret)
		return ret;
	if (!r->vector || op->index >= r->vectors)
		return -ENODATA;
	for (i = 0; i < op->elements; i++) {
		if (!(bits >> i & 1))
			continue;
		index = element(r->vector[op->index], i, op->index_size);
		if (op->index_size == 4)
			index = (__s32)index;
		lane[n++] = (struct chess_lane) {
			finish(op, r, sum + index * op->scale), op->size,
		};
	}
	return n;
}

/* Set elements beside each other are one lane. */
static int masked_lanes(const struct chess_operand *op, __u64 start, __u64 bits,
			struct chess_lane *lane)
{
	unsigned int i;
	int n = 0;

	for (i = 0; i < op->elements; i++) {
		if (!(bits >> i & 1))
			continue;
		if (i && bits >> (i - 1) & 1)
			lane[n - 1].size += op->size;
		else
			lane[n++] = (struct chess_lane) { start + i * op->size, op->size };
	}
	return n;
}

static unsigned int count_bits(__u64 bits)
{
	unsigned int n;

	for (n = 0; bits; n++)
		bits &= bits - 1;
	return n;
}

/**
 * chess_operand_lanes() - what an operand accesses
 * @op: the operand
 * @regs: registers before the instruction is executed
 * @lanes: the bytes, in the order of elements
 *
 * Return: how many lanes, none where a mask or a count is zero; -ENODATA where a vector
 * or mask register is needed and not known.
 */
int chess_operand_lanes(const struct chess_operand *op, const struct chess_regs *regs,
			struct chess_lane lanes[CHESS_LANES_MAX])
{
	__u64 sum = 0, bits = 0;
	int ret = 0;

	if (op->form == CHESS_FORM_STRING)
		return string_lanes(op, regs, lanes);
	if (op->form == CHESS_FORM_COUNTED)
		return counted_lanes(op, regs, lanes);
	if (op->form == CHESS_FORM_GATHER)
		return gather_lanes(op, regs, lanes);
	if (op->form >= CHESS_FORM_MASKED)
		ret = mask_bits(op, regs, &bits);
	if (ret)
		return ret;
	sum = plain_sum(op, regs);
	if (op->form == CHESS_FORM_BITS)
		sum += bit_word(op, regs);
	if (op->form == CHESS_FORM_TABLE)
		sum += regs->gpr[0] & 0xff;
	lanes[0] = (struct chess_lane) { finish(op, regs, sum), op->size };
	switch (op->form) {
	case CHESS_FORM_MASKED:
		return masked_lanes(op, lanes[0].address, bits, lanes);
	case CHESS_FORM_PACKED:
		lanes[0].size *= count_bits(bits);
		return bits != 0;
	case CHESS_FORM_ANY:
		return bits != 0;
	case CHESS_FORM_PLAIN:
		return add_rest(op, op->elements, lanes);
	default:
		return 1;
	}
}
