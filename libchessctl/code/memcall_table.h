/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions that access memory for their caller, by name: what they access.
 */
#ifndef CHESSCTL_MEMCALL_TABLE_H
#define CHESSCTL_MEMCALL_TABLE_H

#include "code/operand.h"

/* Arguments have the numbers 1 to 5. */
#define CHESS_MEMCALL_ARGUMENTS	5

/* What a function accesses that no argument points to, in place of an argument's number. */
enum chess_memcall_state {
	CHESS_MEMCALL_ERRNO = CHESS_MEMCALL_ARGUMENTS + 1,
	CHESS_MEMCALL_STDIN,
	CHESS_MEMCALL_EXITS,
	CHESS_MEMCALL_ENVIRONMENT,
};

/**
 * struct chess_memcall - a function
 * @name: its symbol
 * @access: what it accesses: @kind, CHESS_OPERAND_*; @of which argument, or enum
 *	chess_memcall_state; @count, the argument that counts elements, 0: there is one; each of
 *	@size bytes
 */
struct chess_memcall {
	const char *name;
	struct {
		uint8_t kind, of, count, size;
	} access[CHESS_OPERANDS_MAX];
};

/* The function with this symbol, or NULL. */
const struct chess_memcall *chess_memcall_of(const char *name);

#endif /* CHESSCTL_MEMCALL_TABLE_H */
