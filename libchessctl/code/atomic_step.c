// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See atomic_flow.h. What is known of a register comes from a variable that it holds, from
 * what it was loaded from, or from another register.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "code/atomic_flow.h"
#include "code/insn.h"

/* DWARF has another order of the first eight. */
int chess_flow_register(unsigned int reg)
{
	static const uint8_t order[8] = { 0, 2, 1, 3, 6, 7, RBP, RSP };

	return reg < 8 ? order[reg] : reg < REGISTERS ? (int)reg : -1;
}

/* @at lies in a variable of @v whose place there @atom says. */
static bool in_variable(const struct chess_flow_var *v, size_t n, uint64_t pc, uint8_t atom,
			int64_t at, struct chess_points_to *out)
{
	size_t i;

	for (i = 0; i < n; i++) {
		int64_t begin = v[i].where.number;

		if (v[i].where.atom != atom || at < begin || at - begin >= (int64_t)v[i].size ||
		    pc < v[i].start || pc >= v[i].end)
			continue;
		*out = (struct chess_points_to) { true, v[i].type, at - begin };
		return true;
	}
	return false;
}

/* Offset of what rsp or rbp points at, from where the frame begins. */
static bool frame_offset(struct chess_flow *f, uint64_t pc, int reg, int64_t *offset)
{
	Dwarf_Frame *frame = NULL;
	bool known = false;
	Dwarf_Op *op;
	size_t n;

	*offset = 0;
	if (f->frame_base >= 0)
		return f->frame_base == reg;
	if (!f->cfi || dwarf_cfi_addrframe(f->cfi, pc, &frame))
		return false;
	if (!dwarf_frame_cfa(frame, &op, &n) && n == 1) {
		if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
			known = chess_flow_register(op->atom - DW_OP_breg0) == reg;
			*offset = -(int64_t)op->number;
		} else if (op->atom == DW_OP_bregx) {
			known = chess_flow_register(op->number) == reg;
			*offset = -(int64_t)op->number2;
		}
	}
	free(frame);
	return known;
}

/* A pointer that the compiler has in the register, by its variable. */
static bool by_register(const struct chess_flow *f, uint64_t pc, int reg,
			struct chess_points_to *out)
{
	const struct chess_flow_var *v;

	for (v = f->local; v < f->local + f->n_local; v++) {
		if (!v->first.pointer || v->where.atom < DW_OP_reg0 ||
		    v->where.atom > DW_OP_reg31 || pc < v->start || pc >= v->end ||
		    chess_flow_register(v->where.atom - DW_OP_reg0) != reg)
			continue;
		*out = (struct chess_points_to) { true, v->first.target, 0 };
		return true;
	}
	return false;
}

/* What the operand of @i lies in. */
static bool object_of(struct chess_flow *f, const struct chess_flow_state *s,
		      const struct chess_flow_insn *i, const ZydisDecodedOperand *o,
		      struct chess_points_to *out)
{
	int64_t disp = o->mem.disp.value, frame;
	int base;

	if (o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS)
		return false;
	if (o->mem.base == ZYDIS_REGISTER_RIP)
		return in_variable(f->global, f->n_global, i->pc, DW_OP_addr,
				   i->pc + i->insn.length + disp, out);
	base = chess_insn_register(o->mem.base);
	if (base < 0)
		return false;
	if (frame_offset(f, i->pc, base, &frame))
		return in_variable(f->local, f->n_local, i->pc, DW_OP_fbreg, frame + disp, out);
	*out = s->reg[base];
	if (!out->known && !by_register(f, i->pc, base, out))
		return false;
	out->offset += disp;
	return true;
}

static int note_access(struct chess_flow *f, const struct chess_flow_state *s,
		       const struct chess_flow_insn *i, const ZydisDecodedOperand *o)
{
	struct chess_spot spot;
	struct chess_points_to object;

	if (!object_of(f, s, i, o, &object) || !chess_spot_at(&object.type, object.offset, &spot) ||
	    !spot.atomic || spot.size * 8 != o->size)
		return 0;
	return chess_atomic_code_add(f->out, i->pc, i->pc + i->insn.length);
}

static struct chess_points_to loaded(struct chess_flow *f, const struct chess_flow_state *s,
				     const struct chess_flow_insn *i,
				     const ZydisDecodedOperand *o)
{
	struct chess_points_to object, none = { 0 };
	struct chess_spot spot;

	if (o->size != 64 || !object_of(f, s, i, o, &object) ||
	    !chess_spot_at(&object.type, object.offset, &spot) || !spot.pointer)
		return none;
	return (struct chess_points_to) { true, spot.target, 0 };
}

/* What @i leaves in its first operand, a whole register. */
static struct chess_points_to result_of(struct chess_flow *f, const struct chess_flow_state *s,
					const struct chess_flow_insn *i)
{
	const ZydisDecodedOperand *to = &i->operand[0], *from = &i->operand[1];
	bool in_memory = from->type == ZYDIS_OPERAND_TYPE_MEMORY;
	bool in_register = from->type == ZYDIS_OPERAND_TYPE_REGISTER;
	struct chess_points_to was = s->reg[chess_insn_register(to->reg.value)], p = { 0 };
	int reg = in_register ? chess_insn_register(from->reg.value) : -1;

	switch (i->insn.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		if (in_memory)
			return loaded(f, s, i, from);
		if (reg >= 0 && !s->reg[reg].known)
			by_register(f, i->pc, reg, &p);
		return reg >= 0 && s->reg[reg].known ? s->reg[reg] : p;
	case ZYDIS_MNEMONIC_XCHG:
		return in_memory ? loaded(f, s, i, from) : p;
	case ZYDIS_MNEMONIC_LEA:
		return object_of(f, s, i, from, &p) ? p : (struct chess_points_to) { 0 };
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			was.offset += i->insn.mnemonic == ZYDIS_MNEMONIC_ADD ?
				      from->imm.value.s : -from->imm.value.s;
			return was;
		}
		/* an index, in elements */
		if (i->insn.mnemonic == ZYDIS_MNEMONIC_ADD && reg >= 0 &&
		    was.known != s->reg[reg].known)
			return was.known ? was : s->reg[reg];
		return p;
	default:
		return p;
	}
}

static void forget(struct chess_flow_state *s, ZydisRegister reg)
{
	int n = chess_insn_register(reg);

	if (n >= 0)
		s->reg[n].known = false;
}

/* rax, rcx, rdx, rsi, rdi and r8 to r11 */
static void forget_for_call(struct chess_flow_state *s)
{
	int reg;

	for (reg = 0; reg < 12; reg++)
		if (reg != 3 && reg != RSP && reg != RBP)
			s->reg[reg].known = false;
}

void chess_flow_execute(struct chess_flow *f, struct chess_flow_state *s,
			const struct chess_flow_insn *i)
{
	const ZydisDecodedOperand *to = &i->operand[0];
	bool whole = i->insn.operand_count_visible > 1 && to->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		     to->size == 64 && chess_insn_register(to->reg.value) >= 0;
	struct chess_points_to result = { 0 }, exchanged = { 0 };
	unsigned int k;

	if (whole)
		result = result_of(f, s, i);
	/* gets what was there, into rax or the other operand */
	if (to->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	    (i->insn.mnemonic == ZYDIS_MNEMONIC_CMPXCHG || i->insn.mnemonic == ZYDIS_MNEMONIC_XCHG))
		exchanged = loaded(f, s, i, to);
	for (k = 0; k < i->insn.operand_count; k++)
		if (i->operand[k].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    i->operand[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			forget(s, i->operand[k].reg.value);
	if (i->insn.meta.category == ZYDIS_CATEGORY_CALL)
		forget_for_call(s);
	if (whole && to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		s->reg[chess_insn_register(to->reg.value)] = result;
	if (exchanged.known && i->insn.mnemonic == ZYDIS_MNEMONIC_CMPXCHG)
		s->reg[0] = exchanged;
	else if (exchanged.known && i->operand[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
		s->reg[chess_insn_register(i->operand[1].reg.value)] = exchanged;
}

int chess_flow_note(struct chess_flow *f, const struct chess_flow_state *s,
		    const struct chess_flow_insn *i)
{
	unsigned int k;
	size_t known = f->out->n_code;
	int ret = 0;

	for (k = 0; k < i->insn.operand_count && !ret && f->out->n_code == known; k++)
		if (i->operand[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    i->operand[k].mem.type == ZYDIS_MEMOP_TYPE_MEM)
			ret = note_access(f, s, i, &i->operand[k]);
	return ret;
}
