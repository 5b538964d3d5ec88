// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See operand.h. Zydis says which operands are memory, how large and whether they are
 * read or written. What it leaves to the reader is here: which of them are not accesses,
 * and where the address or the extent depends on another register: string instructions,
 * bit offsets, xlat, gathers, masks.
 */
#include <errno.h>
#include <string.h>

#include "code/operand.h"

/* They name memory, and neither read nor change what is there. */
static bool is_hint(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_CLDEMOTE:
	case ZYDIS_CATEGORY_CLFLUSHOPT:
	case ZYDIS_CATEGORY_CLWB:
		return true;
	default:
		break;
	}
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_CLFLUSH:
	case ZYDIS_MNEMONIC_VGATHERPF0DPD:
	case ZYDIS_MNEMONIC_VGATHERPF0DPS:
	case ZYDIS_MNEMONIC_VGATHERPF0QPD:
	case ZYDIS_MNEMONIC_VGATHERPF0QPS:
	case ZYDIS_MNEMONIC_VGATHERPF1DPD:
	case ZYDIS_MNEMONIC_VGATHERPF1DPS:
	case ZYDIS_MNEMONIC_VGATHERPF1QPD:
	case ZYDIS_MNEMONIC_VGATHERPF1QPS:
	case ZYDIS_MNEMONIC_VSCATTERPF0DPD:
	case ZYDIS_MNEMONIC_VSCATTERPF0DPS:
	case ZYDIS_MNEMONIC_VSCATTERPF0QPD:
	case ZYDIS_MNEMONIC_VSCATTERPF0QPS:
	case ZYDIS_MNEMONIC_VSCATTERPF1DPD:
	case ZYDIS_MNEMONIC_VSCATTERPF1DPS:
	case ZYDIS_MNEMONIC_VSCATTERPF1QPD:
	case ZYDIS_MNEMONIC_VSCATTERPF1QPS:
		return true;
	default:
		return false;
	}
}

/*
 * Tiles are as large as a register of their own says. The others need privileges, or
 * memory that is the processor's (shadow stacks, MPX, enclaves).
 */
static bool is_opaque(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_AMX_TILE:
	case ZYDIS_CATEGORY_CET:
	case ZYDIS_CATEGORY_CLZERO:
	case ZYDIS_CATEGORY_ENQCMD:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_KEYLOCKER:
	case ZYDIS_CATEGORY_KEYLOCKER_WIDE:
	case ZYDIS_CATEGORY_MPX:
	case ZYDIS_CATEGORY_PADLOCK:
	case ZYDIS_CATEGORY_SGX:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_VTX:
		return true;
	case ZYDIS_CATEGORY_SYSTEM:
		/* Older kernels let programs run these. */
		return i->mnemonic != ZYDIS_MNEMONIC_SIDT && i->mnemonic != ZYDIS_MNEMONIC_SGDT &&
		       i->mnemonic != ZYDIS_MNEMONIC_SLDT && i->mnemonic != ZYDIS_MNEMONIC_STR &&
		       i->mnemonic != ZYDIS_MNEMONIC_SMSW;
	default:
		return i->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED;
	}
}

static uint8_t number_of(ZydisRegister reg)
{
	if (reg == ZYDIS_REGISTER_NONE)
		return CHESS_REG_NONE;
	if (reg == ZYDIS_REGISTER_RIP || reg == ZYDIS_REGISTER_EIP)
		return CHESS_REG_RIP;
	return ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
								   reg));
}

static uint8_t segment_of(ZydisRegister reg)
{
	return reg == ZYDIS_REGISTER_FS ? CHESS_BASE_FS :
	       reg == ZYDIS_REGISTER_GS ? CHESS_BASE_GS : CHESS_BASE_ZERO;
}

static uint8_t flags_of(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	uint8_t flags = 0;

	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		flags |= CHESS_OPERAND_READ;
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		flags |= CHESS_OPERAND_WRITE;
	if ((i->attributes & ZYDIS_ATTRIB_HAS_LOCK) || i->mnemonic == ZYDIS_MNEMONIC_XCHG)
		flags |= CHESS_OPERAND_ATOMIC;
	if (i->address_width == 32)
		flags |= CHESS_OPERAND_ADDR32;
	return flags;
}

/* The operand encoded in the field that VEX has for a further source: its mask. */
static const ZydisDecodedOperand *vex_source(const ZydisDecodedInstruction *i,
					     const ZydisDecodedOperand *o)
{
	unsigned int k;

	for (k = 0; k < i->operand_count; k++)
		if (o[k].encoding == ZYDIS_OPERAND_ENCODING_NDSNDD)
			return &o[k];
	return NULL;
}

static void string_form(const ZydisDecodedInstruction *i, struct chess_operand *op)
{
	op->form = CHESS_FORM_STRING;
	if (!(i->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
			       ZYDIS_ATTRIB_HAS_REPNE)))
		return;
	op->flags |= CHESS_OPERAND_REPEAT;
	/* movs, stos and lods take no notice of which of the two prefixes it is. */
	if ((i->opcode & 0xfe) == 0xa6 || (i->opcode & 0xfe) == 0xae)
		op->flags |= CHESS_OPERAND_UPTO;
}

static bool has_qword_index(ZydisMnemonic m)
{
	switch (m) {
	case ZYDIS_MNEMONIC_VGATHERQPD:
	case ZYDIS_MNEMONIC_VGATHERQPS:
	case ZYDIS_MNEMONIC_VPGATHERQD:
	case ZYDIS_MNEMONIC_VPGATHERQQ:
	case ZYDIS_MNEMONIC_VSCATTERQPD:
	case ZYDIS_MNEMONIC_VSCATTERQPS:
	case ZYDIS_MNEMONIC_VPSCATTERQD:
	case ZYDIS_MNEMONIC_VPSCATTERQQ:
		return true;
	default:
		return false;
	}
}

/* As many lanes as the wider of index and data fit into the vector length. */
static void gather_form(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *all,
			const ZydisDecodedOperand *o, struct chess_operand *op)
{
	const ZydisDecodedOperand *mask = vex_source(i, all);

	op->form = CHESS_FORM_GATHER;
	op->index = ZydisRegisterGetId(o->mem.index);
	op->index_size = has_qword_index(i->mnemonic) ? 8 : 4;
	op->elements = i->avx.vector_length / 8 /
		       (op->index_size > op->size ? op->index_size : op->size);
	if (i->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX) {
		op->mask = ZydisRegisterGetId(i->avx.mask.reg);
	} else if (mask) {
		op->mask = ZydisRegisterGetId(mask->reg.value);
		op->flags |= CHESS_OPERAND_VECTOR_MASK;
	}
}

/* Instructions that read all of their operand, whatever the mask says of the result. */
static bool reads_all(const ZydisDecodedInstruction *i)
{
	switch (i->meta.exception_class) {
	case ZYDIS_EXCEPTION_CLASS_E4NF:
	case ZYDIS_EXCEPTION_CLASS_E5NF:
	case ZYDIS_EXCEPTION_CLASS_E6NF:
	case ZYDIS_EXCEPTION_CLASS_E9NF:
	case ZYDIS_EXCEPTION_CLASS_E10NF:
	case ZYDIS_EXCEPTION_CLASS_E11NF:
		return true;
	default:
		return false;
	}
}

static void opmask_form(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *all,
			const ZydisDecodedOperand *o, struct chess_operand *op)
{
	if (i->avx.mask.reg == ZYDIS_REGISTER_NONE || i->avx.mask.reg == ZYDIS_REGISTER_K0)
		return;
	if ((op->flags & CHESS_OPERAND_READ) && reads_all(i))
		return;
	op->mask = ZydisRegisterGetId(i->avx.mask.reg);
	if (i->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID) {
		/*
		 * Read once for all elements. {1toN} has N of them, whatever else fits into
		 * the result.
		 */
		op->form = CHESS_FORM_ANY;
		op->elements = i->avx.broadcast.is_static ? all[0].element_count :
			       2 << (i->avx.broadcast.mode - ZYDIS_BROADCAST_MODE_1_TO_2);
		return;
	}
	op->form = i->meta.category == ZYDIS_CATEGORY_COMPRESS ||
		   i->meta.category == ZYDIS_CATEGORY_EXPAND ? CHESS_FORM_PACKED :
							      CHESS_FORM_MASKED;
	op->elements = o->element_count;
	op->size = o->element_size / 8;
}

static void vector_mask_form(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *all,
			     const ZydisDecodedOperand *o, struct chess_operand *op)
{
	const ZydisDecodedOperand *mask;
	bool bytes = false;

	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_MASKMOVDQU:
	case ZYDIS_MNEMONIC_VMASKMOVDQU:
		bytes = true;
		mask = &all[1];
		break;
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
		mask = vex_source(i, all);
		break;
	default:
		return;
	}
	if (!mask)
		return;
	op->form = CHESS_FORM_MASKED;
	op->flags |= CHESS_OPERAND_VECTOR_MASK;
	op->mask = ZydisRegisterGetId(mask->reg.value);
	op->size = bytes ? 1 : o->element_size / 8;
	op->elements = o->size / 8 / op->size;
}

static void bits_form(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *all,
		      struct chess_operand *op)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTS:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTC:
		/* An immediate counts within the word. */
		if (all[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
			return;
		op->form = CHESS_FORM_BITS;
		op->mask = number_of(all[1].reg.value);
		return;
	default:
		return;
	}
}

static void add_operand(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *all,
			const ZydisDecodedOperand *o, struct chess_insn *out)
{
	struct chess_operand *op = &out->operand[out->n++];

	*op = (struct chess_operand) {
		.disp = o->mem.disp.has_displacement ? o->mem.disp.value : 0,
		.size = o->size / 8,
		.flags = flags_of(i, o),
		.base = number_of(o->mem.base),
		.index = number_of(o->mem.index),
		.scale = o->mem.index == ZYDIS_REGISTER_NONE ? 0 : o->mem.scale,
		.segment = segment_of(o->mem.segment),
	};
	if (op->base == CHESS_REG_RIP)
		op->disp += i->length;
	/* pop has moved rsp when it writes its operand. */
	if (i->mnemonic == ZYDIS_MNEMONIC_POP && op->base == CHESS_REG_RSP)
		op->disp += o->size / 8;
	if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
		gather_form(i, all, o, op);
	else if (i->meta.category == ZYDIS_CATEGORY_STRINGOP)
		string_form(i, op);
	else if (i->mnemonic == ZYDIS_MNEMONIC_XLAT)
		op->form = CHESS_FORM_TABLE;
	else if (i->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		opmask_form(i, all, o, op);
	vector_mask_form(i, all, o, op);
	bits_form(i, all, op);
}

/* What push, call, ret, enter and leave do on the stack. */
static bool is_implicit_stack(const ZydisDecodedOperand *o)
{
	return o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	       o->mem.segment == ZYDIS_REGISTER_SS;
}

void chess_operands_of(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands,
		       struct chess_insn *out)
{
	bool memory = false;
	unsigned int k;

	memset(out, 0, sizeof(*out));
	out->length = insn->length;
	for (k = 0; k < insn->operand_count; k++) {
		const ZydisDecodedOperand *o = &operands[k];

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		memory = true;
		if (is_implicit_stack(o))
			out->implicit_stack = true;
		else if (o->mem.type != ZYDIS_MEMOP_TYPE_AGEN && !is_hint(insn) &&
			 !is_opaque(insn) && out->n < CHESS_OPERANDS_MAX)
			add_operand(insn, operands, o, out);
	}
	/* Their memory is no operand. maskmovq has a mask in a register we do not know. */
	if (insn->mnemonic == ZYDIS_MNEMONIC_CLZERO || insn->mnemonic == ZYDIS_MNEMONIC_MASKMOVQ) {
		out->n = 0;
		out->left = CHESS_LEFT_OPAQUE;
	} else if (memory && !out->n) {
		out->left = is_opaque(insn) ? CHESS_LEFT_OPAQUE :
			    out->implicit_stack ? CHESS_LEFT_STACK : CHESS_LEFT_HINT;
	}
}

int chess_operands_decode(const uint8_t *code, size_t size, struct chess_insn *out)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)) ||
	    ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code, size, &insn, operands)))
		return -EILSEQ;
	chess_operands_of(&insn, operands, out);
	return 0;
}
