// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Turns the first instruction of a trapped function into a slot: code that the
 * module copies near the image, relocates with the fixups of struct chess_probe
 * and runs in place of the instruction its int3 stands on. symbols.c calls it.
 *
 * A slot must leave registers, flags, memory and the stack as the instruction at
 * its own place would, return addresses included, and end at the same next
 * instruction. What cannot be shown to do so is refused.
 */
#include <errno.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "code/insn.h"

/* jmp *0(%rip) and the address after it */
#define JUMP_BYTES 14

static void emit(struct chess_probe *p, const void *bytes, size_t n)
{
	memcpy(p->slot + p->slot_len, bytes, n);
	p->slot_len += n;
}

/* Eight bytes that become the address of the trap plus @addend. */
static void emit_address(struct chess_probe *p, int32_t addend)
{
	p->fixups[p->nfixups++] = (struct chess_fixup) {
		.kind = CHESS_FIXUP_ABS64, .pos = p->slot_len, .addend = addend,
	};
	emit(p, "\0\0\0\0\0\0\0\0", 8);
}

/* A jump that needs no register and changes no flag. */
static void emit_jump(struct chess_probe *p, int32_t addend)
{
	emit(p, "\xff\x25\0\0\0\0", 6);
	emit_address(p, addend);
}

/* push @jump(%rip): the return address stands after the jump of that length. */
static void emit_push_return(struct chess_probe *p, size_t jump)
{
	uint8_t push[6] = { 0xff, 0x35, jump };

	emit(p, push, sizeof(push));
}

static bool is_rip_relative(const ZydisDecodedInstruction *insn)
{
	return (insn->attributes & ZYDIS_ATTRIB_HAS_MODRM) && insn->raw.modrm.mod == 0 &&
	       insn->raw.modrm.rm == 5 && insn->raw.disp.size == 32;
}

/*
 * Copy the instruction. An operand relative to rip has to mean the same address:
 * disp' = trap + len + disp - (slot + start + len), which in terms of the fixup
 * rule, trap + addend - (slot + pos + 4), asks for addend = disp + offset + 4.
 * Immediates after the displacement drop out.
 */
static int emit_copy(struct chess_probe *p, const uint8_t *code,
		     const ZydisDecodedInstruction *insn)
{
	int64_t addend = insn->raw.disp.value + insn->raw.disp.offset + 4;

	if (is_rip_relative(insn)) {
		if (insn->address_width != 64 || addend > INT32_MAX)
			return -ENOTSUP;
		p->fixups[p->nfixups++] = (struct chess_fixup) {
			.kind = CHESS_FIXUP_REL32,
			.pos = p->slot_len + insn->raw.disp.offset,
			.addend = addend,
		};
	}
	emit(p, code, insn->length);
	return 0;
}

/* Conditional: the same condition over a short distance, to one of two jumps. */
static int displace_branch(struct chess_probe *p, const uint8_t *code,
			   const ZydisDecodedInstruction *insn, int32_t target)
{
	uint8_t near[2] = { 0x70 | (insn->opcode & 0x0f), JUMP_BYTES };

	if (insn->raw.imm[0].size == 8) {
		/* jcc, loop, jrcxz; prefixes stay, only the distance is new */
		emit(p, code, insn->length);
		p->slot[insn->raw.imm[0].offset] = JUMP_BYTES;
	} else {
		emit(p, near, sizeof(near));
	}
	emit_jump(p, insn->length);
	emit_jump(p, target);
	return 0;
}

static bool uses_rsp(const ZydisDecodedInstruction *insn)
{
	if (insn->raw.modrm.rm != 4)
		return false;
	/* rm 4 is rsp itself, or a SIB byte; REX.B or REX.X make it r12. */
	if (insn->raw.modrm.mod == 3)
		return !insn->raw.rex.B;
	return insn->raw.sib.base == 4 && !insn->raw.rex.B;
}

/*
 * A call pushes the address after the trap, not one in the slot, so that
 * unwinders and exceptions see the stack they know; then it is a jump.
 */
static int displace_call(struct chess_probe *p, const uint8_t *code,
			 const ZydisDecodedInstruction *insn, bool relative, int32_t target)
{
	size_t modrm;
	int ret;

	if (relative) {
		emit_push_return(p, JUMP_BYTES);
		emit_jump(p, target);
		emit_address(p, insn->length);
		return 0;
	}
	/* The push moves rsp before the operand is read. */
	if (uses_rsp(insn))
		return -ENOTSUP;
	emit_push_return(p, insn->length);
	modrm = p->slot_len + insn->raw.modrm.offset;
	ret = emit_copy(p, code, insn);
	if (ret)
		return ret;
	/* ff /2 is call, ff /4 is jmp, with the same operand */
	p->slot[modrm] = (p->slot[modrm] & ~0x38) | 4 << 3;
	emit_address(p, insn->length);
	return 0;
}

static bool is_near_opcode(const ZydisDecodedInstruction *insn, unsigned int reg)
{
	return insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && insn->opcode == 0xff &&
	       insn->raw.modrm.reg == reg;
}

static bool has_operand_size_prefix(const ZydisDecodedInstruction *insn)
{
	size_t i;

	for (i = 0; i < insn->raw.prefix_count; i++)
		if (insn->raw.prefixes[i].value == 0x66)
			return true;
	return false;
}

static int displace(struct chess_probe *p, const uint8_t *code,
		    const ZydisDecodedInstruction *insn)
{
	bool relative = insn->raw.imm[0].is_relative;
	int64_t target = insn->length + (relative ? insn->raw.imm[0].value.s : 0);
	int ret;

	if (target > INT32_MAX)
		return -ENOTSUP;
	/* With an operand size prefix, Intel and AMD disagree on what a branch does. */
	if (relative && has_operand_size_prefix(insn))
		return -ENOTSUP;

	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		/* xbegin is in here: its abort address would be in the slot */
		if (!relative || insn->mnemonic == ZYDIS_MNEMONIC_XBEGIN)
			return -ENOTSUP;
		return displace_branch(p, code, insn, target);
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (insn->mnemonic != ZYDIS_MNEMONIC_JMP)
			return -ENOTSUP;
		if (relative) {
			emit_jump(p, target);
			return 0;
		}
		return is_near_opcode(insn, 4) ? emit_copy(p, code, insn) : -ENOTSUP;
	case ZYDIS_CATEGORY_CALL:
		if (!relative && !is_near_opcode(insn, 2))
			return -ENOTSUP;
		return displace_call(p, code, insn, relative, target);
	case ZYDIS_CATEGORY_RET:
		if (insn->opcode != 0xc3 && insn->opcode != 0xc2)
			return -ENOTSUP;
		emit(p, code, insn->length);
		return 0;
	case ZYDIS_CATEGORY_SYSCALL:	/* leaves rip in rcx; clone returns twice */
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_UINTR:
		return -ENOTSUP;
	default:
		break;
	}
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_XBEGIN:
	case ZYDIS_MNEMONIC_XABORT:
	case ZYDIS_MNEMONIC_UD0:	/* fault where they stand */
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_FNSTENV:	/* stores the address of the last x87 instruction */
	case ZYDIS_MNEMONIC_FNSAVE:
		return -ENOTSUP;
	default:
		break;
	}
	/* Anything else relative that we have not thought of. */
	if (relative)
		return -ENOTSUP;
	ret = emit_copy(p, code, insn);
	if (!ret)
		emit_jump(p, insn->length);
	return ret;
}

int chess_insn_register(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ?
	       (int)(whole - ZYDIS_REGISTER_RAX) : -1;
}

int chess_insn_decoder(ZydisDecoder *out)
{
	if (ZYAN_FAILED(ZydisDecoderInit(out, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)) ||
	    ZYAN_FAILED(ZydisDecoderEnableMode(out, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_FALSE)))
		return chess_set_error(EINVAL, "the decoder of instructions cannot be set up");
	return 0;
}

int chess_insn_displace(const uint8_t *code, size_t size, struct chess_probe *p)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	p->slot_len = 0;
	p->orig_len = 0;
	p->nfixups = 0;
	memset(p->slot, 0, sizeof(p->slot));
	memset(p->orig, 0, sizeof(p->orig));
	memset(p->fixups, 0, sizeof(p->fixups));
	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)) ||
	    ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL, code, size, &insn)))
		return chess_set_error(ENOTSUP, "bytes %02x ... are not an x86-64 instruction",
				       size ? code[0] : 0);
	if (displace(p, code, &insn)) {
		p->slot_len = 0;
		p->nfixups = 0;
		return chess_set_error(ENOTSUP, "a %s of %u bytes cannot be run elsewhere",
				       ZydisMnemonicGetString(insn.mnemonic), insn.length);
	}
	memcpy(p->orig, code, insn.length);
	p->orig_len = insn.length;
	return 0;
}

static uint32_t bit_of(ZydisRegister reg)
{
	int n = chess_insn_register(reg);

	return n < 0 ? 0 : 1U << n;
}

/* What a load reads, as bits, and what it writes; false: it is none, or does more. */
static bool is_load(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *op,
		    uint32_t *reads, uint32_t *writes)
{
	if ((insn->mnemonic != ZYDIS_MNEMONIC_MOV && insn->mnemonic != ZYDIS_MNEMONIC_LEA &&
	     insn->mnemonic != ZYDIS_MNEMONIC_MOVZX && insn->mnemonic != ZYDIS_MNEMONIC_MOVSXD) ||
	    insn->operand_count_visible != 2 || is_rip_relative(insn))
		return false;
	/* Less than 32 bits would leave a part of the register as it was. */
	if (op[0].type != ZYDIS_OPERAND_TYPE_REGISTER || op[0].size < 32)
		return false;
	*writes = bit_of(op[0].reg.value);
	*reads = 0;
	if (op[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
		*reads = bit_of(op[1].reg.value);
		if (!*reads)
			return false;
	} else if (op[1].type == ZYDIS_OPERAND_TYPE_MEMORY) {
		*reads = bit_of(op[1].mem.base) | bit_of(op[1].mem.index);
	}
	return *writes;
}

int chess_insn_displace_more(const uint8_t *code, size_t size, size_t least,
			     struct chess_probe *p)
{
	const uint32_t kept = bit_of(ZYDIS_REGISTER_RSP) | bit_of(ZYDIS_REGISTER_RDI) |
			      bit_of(ZYDIS_REGISTER_R10) | bit_of(ZYDIS_REGISTER_R11);
	const uint32_t undefined = bit_of(ZYDIS_REGISTER_R10) | bit_of(ZYDIS_REGISTER_R11);
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	uint32_t needed = 0, written = 0, reads, writes;
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	size_t at = 0;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return -ENOTSUP;
	while (at < least) {
		if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code + at, size - at, &insn,
						       op)) ||
		    !is_load(&insn, op, &reads, &writes))
			return -ENOTSUP;
		needed |= reads & ~written;
		written |= writes;
		at += insn.length;
	}
	if (written & (kept | needed) || needed & undefined || at > CHESS_PROBE_ORIG_MAX)
		return -ENOTSUP;
	p->slot_len = 0;
	p->nfixups = 0;
	memset(p->slot, 0, sizeof(p->slot));
	memset(p->orig, 0, sizeof(p->orig));
	memset(p->fixups, 0, sizeof(p->fixups));
	emit(p, code, at);
	emit_jump(p, at);
	memcpy(p->orig, code, at);
	p->orig_len = at;
	return 0;
}
