/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Instructions that read the time stamp counter. */
#ifndef CHESSCTL_TSC_H
#define CHESSCTL_TSC_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

/* All zero when empty; addresses as linked. */
struct chess_tsc {
	uint64_t *v;
	size_t n, room;
};

/**
 * chess_tsc_find() - where a file reads the time stamp counter
 * @elf: the file
 * @path: its name: what the C library and the loader read changes nothing for a program
 * @out: empty; free(@out->v)
 *
 * Only in functions whose begin is known and all of whose bytes are instructions: a trap in
 * anything else would change data. chess_code_scan() lists the others.
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_tsc_find(Elf *elf, const char *path, struct chess_tsc *out);

#endif /* CHESSCTL_TSC_H */
