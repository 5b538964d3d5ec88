/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a memory operand lies, from the registers at its instruction. Pure: no
 * allocation, no library, no memory but what is handed in; access.c calls it, and user
 * space holds it against the processor.
 */
#ifndef _CHESS_ADDRESS_H
#define _CHESS_ADDRESS_H

#include <linux/types.h>
#include <linux/chess_operand.h>

/**
 * struct chess_regs - registers before the instruction
 * @gpr: as numbered above
 * @rip: the instruction's address
 * @flags: rflags
 * @fs_base: what fs adds
 * @gs_base: what gs adds
 * @vector: registers of 64 bytes, zmm0 up, or NULL: not known
 * @vectors: how many are known
 * @opmask: k0 to k7, or NULL: not known
 */
struct chess_regs {
	__u64 gpr[16];
	__u64 rip;
	__u64 flags;
	__u64 fs_base;
	__u64 gs_base;
	const __u8 (*vector)[64];
	__u32 vectors;
	const __u64 *opmask;
};

/* Bytes in a row. */
struct chess_lane {
	__u64 address;
	__u64 size;
};

/* 64 bytes, every second masked out */
#define CHESS_LANES_MAX	32

int chess_operand_lanes(const struct chess_operand *op, const struct chess_regs *regs,
			struct chess_lane lanes[CHESS_LANES_MAX]);

#endif /* _CHESS_ADDRESS_H */
