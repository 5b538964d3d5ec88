/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Instructions, and the slot of a trap: code that does what the displaced one did. */
#ifndef CHESSCTL_INSN_H
#define CHESSCTL_INSN_H

#include <Zydis/Zydis.h>

#include "internal.h"

/**
 * chess_insn_decoder() - a decoder for the length and the kind of instructions
 * @out: gets it; operands say nothing
 *
 * Return: 0, or -EINVAL with chess_error().
 */
int chess_insn_decoder(ZydisDecoder *out);

/**
 * chess_insn_register() - the number of a general register in instructions
 * @reg: it, or a part of it
 *
 * Return: 0 (rax) to 15 (r15), as CHESS_REG_* has them; -1: it is another register.
 */
int chess_insn_register(ZydisRegister reg);

/* Does it do nothing, as what fills up to the next line? */
static inline bool chess_insn_is_nop(const ZydisDecodedInstruction *insn)
{
	return insn->meta.category == ZYDIS_CATEGORY_NOP ||
	       insn->meta.category == ZYDIS_CATEGORY_WIDENOP;
}

/**
 * chess_insn_displace() - make the slot template for one instruction
 * @code: bytes of the program from the instruction on
 * @size: how many there are
 * @probe: gets orig, orig_len, slot, slot_len, fixups and nfixups
 *
 * Return: 0, or -ENOTSUP with chess_error() where the instruction would do
 * something else at another address.
 */
int chess_insn_displace(const uint8_t *code, size_t size, struct chess_probe *probe);

/**
 * chess_insn_displace_more() - the same for the instructions that stand in the first bytes
 * @code: bytes of the program from the first instruction on, which is that of a function
 * @size: how many there are
 * @least: how many bytes have to go
 * @probe: gets orig, orig_len, slot, slot_len, fixups and nfixups
 *
 * Only instructions that load registers, and can be executed once more after they were. They leave
 * those alone that a caller expects nothing of (r10 and r11), and that of the first argument.
 *
 * Return: 0, or -ENOTSUP; no error is set, since one instruction may do.
 */
int chess_insn_displace_more(const uint8_t *code, size_t size, size_t least,
			     struct chess_probe *probe);

#endif /* CHESSCTL_INSN_H */
