// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See atomic.h. Which instructions of C access a member that is atomic through a pointer:
 * what was allocated has no type at its address, but the pointer's variable has one. From
 * variables in registers, on the stack and with an address of their own types are followed
 * through the moves of a function, over its jumps, until nothing changes.
 *
 * Where two ways lead to other types nothing is known, and so after a call for what it may
 * change. Nothing is guessed: an access whose base is not known stays plain.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "code/atomic_flow.h"
#include "code/functions.h"
#include "code/insn.h"

#define SCOPES_MAX	64
/* Larger functions are made by programs. */
#define CODE_MAX	(1 << 18)

static int push_todo(struct chess_flow *f, uint32_t at)
{
	if (chess_array_room(&f->todo, &f->todo_room, f->n_todo + 1, sizeof(*f->todo)))
		return -ENOMEM;
	f->todo[f->n_todo++] = at;
	return 0;
}

/* What is the same on all ways to @at stays; where that is less than before, go on there. */
static int join(struct chess_flow *f, const struct chess_flow_state *s, size_t at)
{
	struct chess_flow_state *to = &f->state[f->code[at].leader - 1];
	bool changed = !to->reached;
	int reg;

	if (!to->reached)
		*to = *s;
	to->reached = true;
	for (reg = 0; reg < REGISTERS; reg++) {
		const struct chess_points_to *a = &to->reg[reg], *b = &s->reg[reg];

		if (!a->known || (b->known && a->type.addr == b->type.addr &&
				  a->offset == b->offset))
			continue;
		to->reg[reg].known = false;
		changed = true;
	}
	return changed ? push_todo(f, at) : 0;
}

/* Number of the instruction at @pc, or SIZE_MAX. */
static size_t find(const struct chess_flow *f, uint64_t pc)
{
	size_t low = 0, high = f->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (f->code[mid].pc < pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low < f->n && f->code[low].pc == pc ? low : SIZE_MAX;
}

static size_t target_of(const struct chess_flow *f, const struct chess_flow_insn *i)
{
	if ((i->insn.meta.category != ZYDIS_CATEGORY_COND_BR &&
	     i->insn.meta.category != ZYDIS_CATEGORY_UNCOND_BR) || !i->insn.raw.imm[0].is_relative)
		return SIZE_MAX;
	return find(f, i->pc + i->insn.length + i->insn.raw.imm[0].value.s);
}

static bool ends_here(const struct chess_flow_insn *i)
{
	return i->insn.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	       i->insn.meta.category == ZYDIS_CATEGORY_RET ||
	       i->insn.mnemonic == ZYDIS_MNEMONIC_UD2 || i->insn.mnemonic == ZYDIS_MNEMONIC_HLT;
}

/* From number @at to where the way ends or meets another. @note: take down accesses */
static int follow(struct chess_flow *f, size_t at, bool note)
{
	struct chess_flow_state s = f->state[f->code[at].leader - 1];
	size_t first = at, target;
	int ret = 0;

	for (; at < f->n && !ret; at++) {
		const struct chess_flow_insn *i = &f->code[at];

		if (at != first && i->leader)
			return note ? 0 : join(f, &s, at);
		if (note)
			ret = chess_flow_note(f, &s, i);
		chess_flow_execute(f, &s, i);
		target = target_of(f, i);
		if (!ret && !note && target != SIZE_MAX)
			ret = join(f, &s, target);
		if (ends_here(i))
			break;
	}
	return ret;
}

/* Until all ways are known; then once more from each place they meet. */
static int follow_all(struct chess_flow *f)
{
	const struct chess_flow_state nothing = { 0 };
	int ret = join(f, &nothing, 0);
	size_t i;

	while (!ret && f->n_todo)
		ret = follow(f, f->todo[--f->n_todo], false);
	/* what only a table of jumps leads to */
	for (i = 0; i < f->n && !ret; i++) {
		if (f->code[i].leader && !f->state[f->code[i].leader - 1].reached)
			ret = join(f, &nothing, i);
		while (!ret && f->n_todo)
			ret = follow(f, f->todo[--f->n_todo], false);
	}
	for (i = 0; i < f->n && !ret; i++)
		if (f->code[i].leader)
			ret = follow(f, i, true);
	return ret;
}

/* -ENOEXEC: it is no code from end to end */
static int decode(struct chess_flow *f, const uint8_t *bytes, size_t size, uint64_t pc)
{
	size_t at;

	f->n = 0;
	for (at = 0; at < size; at += f->code[f->n++].insn.length) {
		struct chess_flow_insn *i;
		ZydisDecoderContext context;

		if (chess_array_room(&f->code, &f->room, f->n + 1, sizeof(*f->code)))
			return -ENOMEM;
		i = &f->code[f->n];
		i->pc = pc + at;
		i->leader = 0;
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&f->decoder, &context, bytes + at,
							      size - at, &i->insn)) ||
		    ZYAN_FAILED(ZydisDecoderDecodeOperands(&f->decoder, &context, &i->insn,
							   i->operand, i->insn.operand_count)))
			return -ENOEXEC;
	}
	return f->n ? 0 : -ENOEXEC;
}

/*
 * After what ends a way, and what fills the line up, the next one begins, whoever leads
 * there.
 */
static int find_leaders(struct chess_flow *f)
{
	size_t i, target, next;

	f->n_states = 0;
	for (i = 0; i < f->n; i++) {
		target = target_of(f, &f->code[i]);
		if (target != SIZE_MAX && !f->code[target].leader)
			f->code[target].leader = ++f->n_states;
		for (next = i + 1; next < f->n && chess_insn_is_nop(&f->code[next].insn);)
			next++;
		if (next < f->n && ends_here(&f->code[i]) && !f->code[next].leader)
			f->code[next].leader = ++f->n_states;
	}
	if (!f->code[0].leader)
		f->code[0].leader = ++f->n_states;
	free(f->state);
	f->state = calloc(f->n_states, sizeof(*f->state));
	return f->state ? 0 : -ENOMEM;
}

/* Once for each range of the code where it is at a place that one operation tells. */
static int add_variable(struct chess_flow_var **list, size_t *n, size_t *room, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute location;
	struct chess_flow_var v;
	ptrdiff_t at = 0;
	Dwarf_Op *op;
	size_t ops;

	if (!dwarf_attr_integrate(die, DW_AT_location, &location) || !chess_type_of(die, &v.type))
		return 0;
	v.size = chess_type_size(&v.type);
	chess_spot_at(&v.type, 0, &v.first);
	while ((at = dwarf_getlocations(&location, at, &base, &start, &end, &op, &ops)) > 0) {
		if (ops != 1)
			continue;
		if (chess_array_room(list, room, *n + 1, sizeof(v)))
			return -ENOMEM;
		v.start = start;
		v.end = end;
		v.where = *op;
		(*list)[(*n)++] = v;
	}
	return 0;
}

/* Variables of the function, and of those inlined in it. */
static int add_locals(struct chess_flow *f, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;
	int ret = 0;

	if (depth > SCOPES_MAX || dwarf_child(scope, &die))
		return 0;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_formal_parameter:
		case DW_TAG_variable:
			ret = add_variable(&f->local, &f->n_local, &f->local_room, &die);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			ret = add_locals(f, &die, depth + 1);
			break;
		}
	} while (!ret && !dwarf_siblingof(&die, &die));
	return ret;
}

/* clang has a register where gcc has the frame's address. */
static int frame_base_of(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr(function, DW_AT_frame_base, &attr) || dwarf_getlocation(&attr, &op, &n) ||
	    n != 1 || op->atom < DW_OP_reg0 || op->atom > DW_OP_reg31)
		return -1;
	return chess_flow_register(op->atom - DW_OP_reg0);
}

static int look_through(struct chess_flow *f, Dwarf_Die *function)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	uint64_t offset;
	Elf_Data *data;
	int ret;

	f->n_local = 0;
	f->frame_base = frame_base_of(function);
	ret = add_locals(f, function, 0);
	while (!ret && (at = dwarf_ranges(function, at, &base, &start, &end)) > 0) {
		if (end <= start || end - start > CODE_MAX ||
		    !chess_functions_offset(f->elf, start, &offset))
			continue;
		data = elf_getdata_rawchunk(f->elf, offset, end - start, ELF_T_BYTE);
		if (!data)
			continue;
		f->n_todo = 0;
		ret = decode(f, data->d_buf, end - start, start);
		if (!ret)
			ret = find_leaders(f);
		if (!ret)
			ret = follow_all(f);
		if (ret == -ENOEXEC)
			ret = 0;
	}
	return ret;
}

static bool has_atomic_types(Dwarf_Die *unit)
{
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return false;
	do {
		if (dwarf_tag(&die) == DW_TAG_atomic_type)
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

static int look_through_unit(struct chess_flow *f, Dwarf_Die *unit)
{
	Dwarf_Die die;
	int ret = 0;

	if (dwarf_child(unit, &die))
		return 0;
	do {
		if (dwarf_tag(&die) == DW_TAG_variable)
			ret = add_variable(&f->global, &f->n_global, &f->global_room, &die);
	} while (!ret && !dwarf_siblingof(&die, &die));
	if (ret || dwarf_child(unit, &die))
		return ret;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			ret = look_through(f, &die);
	} while (!ret && !dwarf_siblingof(&die, &die));
	return ret;
}

int chess_atomic_flow(struct chess_atomics *a, Dwarf *dwarf, Dwarf_Die *unit)
{
	struct chess_flow f = { .out = a, .elf = dwarf_getelf(dwarf) };
	int ret;

	if (!has_atomic_types(unit) ||
	    ZYAN_FAILED(ZydisDecoderInit(&f.decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return 0;
	f.cfi = dwarf_getcfi_elf(f.elf);
	ret = look_through_unit(&f, unit);
	if (f.cfi)
		dwarf_cfi_end(f.cfi);
	free(f.global);
	free(f.local);
	free(f.code);
	free(f.state);
	free(f.todo);
	return ret;
}
