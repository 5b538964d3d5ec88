/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory operands of one instruction, told from its bytes alone.
 */
#ifndef CHESSCTL_OPERAND_H
#define CHESSCTL_OPERAND_H

#include <stdbool.h>
#include <stdint.h>
#include <Zydis/Zydis.h>

#include <linux/chess_operand.h>

/* movs and cmps have two; what push, pop and call do on the stack is not counted. */
#define CHESS_OPERANDS_MAX	2

/**
 * enum chess_left - why an instruction is none that is looked at
 * @CHESS_LEFT_NOTHING: it accesses no memory, or it is looked at
 * @CHESS_LEFT_STACK: on the stack, by rsp or implicitly (push, pop, call, ret)
 * @CHESS_LEFT_FRAME: on the stack, by rbp where that is a frame pointer
 * @CHESS_LEFT_CONSTANT: data that is read-only while the program runs
 * @CHESS_LEFT_HINT: names an address and accesses nothing (lea, nop, prefetch, clflush)
 * @CHESS_LEFT_OPAQUE: its address depends on more than registers (tiles), or it is for
 *	the kernel
 * @CHESS_LEFT_NO_SLOT: it cannot be run elsewhere, so no trap can stand on it
 */
enum chess_left {
	CHESS_LEFT_NOTHING,
	CHESS_LEFT_STACK,
	CHESS_LEFT_FRAME,
	CHESS_LEFT_CONSTANT,
	CHESS_LEFT_HINT,
	CHESS_LEFT_OPAQUE,
	CHESS_LEFT_NO_SLOT,
	CHESS_LEFT_CAUSES,
};

/**
 * struct chess_insn - what an instruction accesses
 * @length: bytes
 * @n: of @operand
 * @left: enum chess_left, where @n is 0
 * @implicit_stack: it also pushes, pops, calls or returns
 * @operand: in no order
 */
struct chess_insn {
	uint8_t length;
	uint8_t n;
	uint8_t left;
	bool implicit_stack;
	struct chess_operand operand[CHESS_OPERANDS_MAX];
};

/**
 * chess_operands_of() - from what Zydis found
 * @insn: the instruction
 * @operands: all of its operands, hidden ones too
 * @out: filled in
 */
void chess_operands_of(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands,
		       struct chess_insn *out);

/**
 * chess_operands_decode() - from bytes
 * @code: where the instruction begins
 * @size: how many bytes there are
 * @out: filled in
 *
 * Return: 0, or -EILSEQ where these bytes are no instruction.
 */
int chess_operands_decode(const uint8_t *code, size_t size, struct chess_insn *out);

#endif /* CHESSCTL_OPERAND_H */
