/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which registers hold a constant, as far as the instructions before one tell: such as the
 * address of a format that a call is given.
 */
#ifndef CHESSCTL_CONSTANTS_H
#define CHESSCTL_CONSTANTS_H

#include <stdint.h>
#include <Zydis/Zydis.h>

#define CHESS_GENERAL_REGISTERS	16

/**
 * struct chess_constants - while the instructions of a function are read in their order
 * @known: a bit for each register whose @value is known, by its number in instructions
 * @value: addresses as in the file
 */
struct chess_constants {
	uint16_t known;
	uint64_t value[CHESS_GENERAL_REGISTERS];
};

/**
 * chess_constants_step() - the next instruction is executed
 * @c: zeroed at the start of a function
 * @insn: the instruction
 * @operands: all of its operands, hidden ones too
 * @address: of it, in the file
 *
 * What comes after a jump is reached from elsewhere, so nothing is known there. At the end of a
 * branch, what the path above leaves in a register is taken.
 */
void chess_constants_step(struct chess_constants *c, const ZydisDecodedInstruction *insn,
			  const ZydisDecodedOperand *operands, uint64_t address);

#endif /* CHESSCTL_CONSTANTS_H */
