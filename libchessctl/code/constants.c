// SPDX-License-Identifier: LGPL-2.1-or-later
/* See constants.h. */
#include <stdbool.h>

#include "code/constants.h"
#include "code/insn.h"

/* What a function leaves as it was: rbx, rsp, rbp and r12 to r15. */
#define KEPT_BY_CALLS	0xf038

/* Of what the instruction puts into its first operand. */
static bool is_constant(const struct chess_constants *c, const ZydisDecodedInstruction *insn,
			const ZydisDecodedOperand *operands, uint64_t address, uint64_t *value)
{
	const ZydisDecodedOperand *from = &operands[1];
	int reg;

	/* Of a narrower register a part stays. */
	if (insn->operand_count < 2 || operands[0].size < 32)
		return false;
	/* xor %eax,%eax */
	if (insn->mnemonic == ZYDIS_MNEMONIC_XOR || insn->mnemonic == ZYDIS_MNEMONIC_SUB) {
		*value = 0;
		return from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       from->reg.value == operands[0].reg.value &&
		       operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
	}
	if (insn->mnemonic == ZYDIS_MNEMONIC_LEA) {
		*value = address + insn->length + from->mem.disp.value;
		return from->mem.base == ZYDIS_REGISTER_RIP;
	}
	if (insn->mnemonic != ZYDIS_MNEMONIC_MOV)
		return false;
	if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		*value = from->imm.value.u;
		return true;
	}
	reg = from->type == ZYDIS_OPERAND_TYPE_REGISTER ? chess_insn_register(from->reg.value) : -1;
	if (reg < 0 || !(c->known & 1U << reg))
		return false;
	*value = c->value[reg];
	return true;
}

void chess_constants_step(struct chess_constants *c, const ZydisDecodedInstruction *insn,
			  const ZydisDecodedOperand *operands, uint64_t address)
{
	uint64_t value = 0;
	bool constant;
	int reg;
	unsigned int i;

	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		c->known &= KEPT_BY_CALLS;
		return;
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_RET:
		c->known = 0;
		return;
	default:
		break;
	}
	constant = is_constant(c, insn, operands, address, &value);
	for (i = 0; i < insn->operand_count; i++) {
		if (operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    !(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		reg = chess_insn_register(operands[i].reg.value);
		if (reg < 0)
			continue;
		c->known &= ~(1U << reg);
		if (!i && constant) {
			c->known |= 1U << reg;
			c->value[reg] = value;
		}
	}
}
