/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What lies at an address of a process: a variable of a program or library, by its
 * symbol, else the section, the heap, a stack, or just memory.
 */
#ifndef CHESSCTL_VARIABLE_H
#define CHESSCTL_VARIABLE_H

#include <stdint.h>

/**
 * enum chess_variable_kind - how well it is known
 * @CHESS_VARIABLE_UNKNOWN: nothing is mapped there
 * @CHESS_VARIABLE_SYMBOL: an object with a symbol; @name
 * @CHESS_VARIABLE_SECTION: of a section of a program or library; @name
 * @CHESS_VARIABLE_HEAP: of brk
 * @CHESS_VARIABLE_STACK: the first thread's
 * @CHESS_VARIABLE_MEMORY: mapped: malloc's large pieces, other threads' stacks and heaps
 * @CHESS_VARIABLE_FILE: a mapping of a file that is no program
 */
enum chess_variable_kind {
	CHESS_VARIABLE_UNKNOWN,
	CHESS_VARIABLE_SYMBOL,
	CHESS_VARIABLE_SECTION,
	CHESS_VARIABLE_HEAP,
	CHESS_VARIABLE_STACK,
	CHESS_VARIABLE_MEMORY,
	CHESS_VARIABLE_FILE,
};

/**
 * struct chess_variable - what was found
 * @kind: enum chess_variable_kind
 * @offset: from the begin of it
 * @value: the address as the file @path has it, for SYMBOL and SECTION
 * @name: symbol or section; cut where it is longer
 * @path: file, where there is one
 */
struct chess_variable {
	int kind;
	uint64_t offset;
	uint64_t value;
	char name[160];
	char path[256];
};

/**
 * chess_variable_find() - name an address
 * @maps: text like /proc/PID/maps of the process
 * @address: in it
 * @out: filled in, with UNKNOWN at least
 */
void chess_variable_find(const char *maps, uint64_t address, struct chess_variable *out);

#endif /* CHESSCTL_VARIABLE_H */
