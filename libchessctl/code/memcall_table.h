/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions that access memory for their caller, by name: what they access.
 */
#ifndef CHESSCTL_MEMCALL_TABLE_H
#define CHESSCTL_MEMCALL_TABLE_H

#include "code/operand.h"

/* Arguments have the numbers 1 to 6: those in registers. */
#define CHESS_MEMCALL_ARGUMENTS	6

/* What a function accesses that no argument points to, in place of an argument's number. */
enum chess_memcall_state {
	CHESS_MEMCALL_ERRNO = CHESS_MEMCALL_ARGUMENTS + 1,
	CHESS_MEMCALL_STDIN,
	CHESS_MEMCALL_EXITS,
	CHESS_MEMCALL_ENVIRONMENT,
	CHESS_MEMCALL_TOKENS,
	CHESS_MEMCALL_SHIFT,
	CHESS_MEMCALL_KEYS,
	CHESS_MEMCALL_FORKS,
	CHESS_MEMCALL_BREAK,
	CHESS_MEMCALL_LIMITS,
	CHESS_MEMCALL_CLOCK,
	CHESS_MEMCALL_OUTPUT,
	/* Variables: in the memory of a program that uses them, as the linker has copied them. */
	CHESS_MEMCALL_OPTARG,
	CHESS_MEMCALL_OPTIND,
	CHESS_MEMCALL_SIGNGAM,
	CHESS_MEMCALL_TIMEZONE,
	CHESS_MEMCALL_TZNAME,
	/* The program's own: the pointer that open_memstream() is given, of the first such call. */
	CHESS_MEMCALL_MEMSTREAM,
	CHESS_MEMCALL_STATES,
};

#define CHESS_MEMCALL_FORMAT	0

/**
 * struct chess_memcall_use - memory that a call accesses
 * @kind: CHESS_OPERAND_*
 * @of: number of the argument that points there, or enum chess_memcall_state
 * @count: number of the argument that counts elements; 0: there is one
 * @size: bytes of an element; CHESS_MEMCALL_FORMAT: argument @of is a format, and arguments after
 *	it are used as it says (format.h): of printf(3) if @kind is to read, else of scanf(3)
 */
struct chess_memcall_use {
	uint8_t kind, of, count;
	uint16_t size;
};

/**
 * struct chess_memcall - a function
 * @name: its symbol
 * @access: what it accesses
 */
struct chess_memcall {
	const char *name;
	struct chess_memcall_use access[CHESS_OPERANDS_MAX];
};

/* The function with this symbol, or NULL. */
const struct chess_memcall *chess_memcall_of(const char *name);
/* memcall_alike.c: the same of one that has no row of its own; memcall_cxx.c: of a mangled name */
const struct chess_memcall *chess_memcall_alike(const char *name);
const struct chess_memcall *chess_memcall_of_cxx(const char *name);

#endif /* CHESSCTL_MEMCALL_TABLE_H */
