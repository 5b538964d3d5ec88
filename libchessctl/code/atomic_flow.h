/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Types of what registers point to, followed through a function. atomic_flow.c follows its
 * jumps, atomic_step.c single instructions.
 */
#ifndef CHESSCTL_ATOMIC_FLOW_H
#define CHESSCTL_ATOMIC_FLOW_H

#include <Zydis/Zydis.h>

#include "code/atomic.h"
#include "code/atomic_type.h"

#define REGISTERS	16
#define RSP		4
#define RBP		5

/* A register points into an object of that type, @offset bytes after its beginning. */
struct chess_points_to {
	bool known;
	Dwarf_Die type;
	int64_t offset;
};

struct chess_flow_state {
	bool reached;
	struct chess_points_to reg[REGISTERS];
};

/**
 * struct chess_flow_var - a variable or parameter, where it is in one range of the code
 * @start: of the code
 * @end: after it
 * @where: single operation that tells it
 * @type: of it
 * @size: of it
 * @first: what its first bytes are
 */
struct chess_flow_var {
	uint64_t start, end;
	Dwarf_Op where;
	Dwarf_Die type;
	uint64_t size;
	struct chess_spot first;
};

struct chess_flow_insn {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t pc;
	/* number of its state plus one, where a jump leads to it; 0: none does */
	uint32_t leader;
};

/**
 * struct chess_flow - a function that is looked through
 * @out: what is found goes there
 * @elf: its file
 * @cfi: unwind table, which says where a frame is; or NULL
 * @frame_base: register that variables of the frame are relative to; -1: they are relative to the
 *	address that @cfi tells
 * @global: variables with an address, of the compilation unit
 * @local: of the function
 * @code: its instructions, in their order
 * @state: before each instruction that a jump leads to
 * @todo: instructions to go on from
 */
struct chess_flow {
	struct chess_atomics *out;
	Elf *elf;
	Dwarf_CFI *cfi;
	ZydisDecoder decoder;
	int frame_base;
	struct chess_flow_var *global, *local;
	size_t n_global, global_room, n_local, local_room;
	struct chess_flow_insn *code;
	size_t n, room;
	struct chess_flow_state *state;
	size_t n_states;
	uint32_t *todo;
	size_t n_todo, todo_room;
};

/* Number of a register of ours, of DWARF's; -1: it is no general one. */
int chess_flow_register(unsigned int reg);

/* What @i does to what is known of registers. */
void chess_flow_execute(struct chess_flow *f, struct chess_flow_state *s,
			const struct chess_flow_insn *i);

/* Takes down that @i accesses an atomic variable, if it does. 0 or -ENOMEM */
int chess_flow_note(struct chess_flow *f, const struct chess_flow_state *s,
		    const struct chess_flow_insn *i);

#endif /* CHESSCTL_ATOMIC_FLOW_H */
