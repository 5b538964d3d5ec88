/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The instructions of an ELF file that access memory other tasks may see, and what was
 * left out and why.
 */
#ifndef CHESSCTL_ACCESS_H
#define CHESSCTL_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/chess_record.h>

#include "code/operand.h"

_Static_assert(CHESS_OPERAND_READ == CHESS_ACCESS_READ &&
	       CHESS_OPERAND_WRITE == CHESS_ACCESS_WRITE &&
	       CHESS_OPERAND_ATOMIC == CHESS_ACCESS_ATOMIC,
	       "an operand's access is of its own kind");

/**
 * struct chess_site - one instruction
 * @address: in the file's address space
 * @offset: in the file
 * @length: bytes
 * @n: of @operand
 * @operand: those that others may see
 */
struct chess_site {
	uint64_t address;
	uint64_t offset;
	uint8_t length;
	uint8_t n;
	struct chess_operand operand[CHESS_OPERANDS_MAX];
};

/**
 * struct chess_sites - what a file has
 * @v: in order of addresses
 * @n: how many
 * @room: of @v
 * @end: where loops that tasks wait in can be left to: offsets in the file
 * @ends: of @end
 * @end_room: of @end
 * @instructions: all that were looked at
 * @left: of these, left out, by enum chess_left
 * @functions: ranges of code that were looked at
 * @strange: ranges left out because they have something else than instructions in them
 * @strange_bytes: how long those are
 * @unknown_bytes: code or data that belongs to no function known
 * @linkage_bytes: of the sections that call other libraries (.plt)
 * @debug_info: the file has some
 */
struct chess_sites {
	struct chess_site *v;
	size_t n, room;
	uint64_t *end;
	size_t ends, end_room;
	size_t instructions;
	size_t left[CHESS_LEFT_CAUSES];
	size_t functions, strange;
	uint64_t strange_bytes, unknown_bytes, linkage_bytes;
	bool debug_info;
};

/**
 * chess_access_scan() - decode a file
 * @path: program or library
 * @names: only these functions, NULL after the last; NULL: all code
 * @out: filled in; chess_sites_free() it in any case
 *
 * Return: 0; -ENOEXEC: no ELF file for x86-64; -ENOENT: no such file or function; or
 * another negative errno, with chess_error().
 */
int chess_access_scan(const char *path, const char *const *names, struct chess_sites *out);

/*
 * The same of functions only that have an atomic instruction or a system call: what tasks
 * are synchronized with where the C library has no part in it.
 */
int chess_access_scan_sync(const char *path, struct chess_sites *out);

/* By offsets, as the next function needs them. */
void chess_sites_sort(struct chess_sites *s);
/* The instruction at @offset in the file, or NULL. */
const struct chess_site *chess_sites_at(const struct chess_sites *s, uint64_t offset);
void chess_sites_free(struct chess_sites *s);

/* For the certificate: "rsp", ... */
const char *chess_left_name(enum chess_left cause);

#endif /* CHESSCTL_ACCESS_H */
