/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the functions of an ELF file are: by symbols, and by the unwind table, which
 * stripped files keep.
 */
#ifndef CHESSCTL_FUNCTIONS_H
#define CHESSCTL_FUNCTIONS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chess_function {
	uint64_t address, size;
};

/* All zero when empty; in order of addresses, none overlaps another. */
struct chess_functions {
	struct chess_function *v;
	size_t n, room;
};

/**
 * chess_functions_find() - all functions of a file
 * @elf: the file
 * @name: only those of this name, by symbol; NULL: all
 * @out: added to, sorted; free(@out->v)
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_functions_find(Elf *elf, const char *name, struct chess_functions *out);

/* Offset in the file of a function at @addr; false where no code is loaded there. */
bool chess_functions_offset(Elf *elf, uint64_t addr, uint64_t *offset);

#endif /* CHESSCTL_FUNCTIONS_H */
