/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which variables of a program are atomic, by its debug information: on x86 their
 * acquire loads and release stores are the moves that plain variables have, too.
 */
#ifndef CHESSCTL_ATOMIC_H
#define CHESSCTL_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of an atomic variable, at addresses as the file has them. */
struct chess_atomic {
	uint64_t address, size;
};

/**
 * struct chess_atomics - of one file
 * @v: in order of addresses
 * @n: how many
 * @room: of @v
 * @known: the file has debug information; without it nothing is known
 */
struct chess_atomics {
	struct chess_atomic *v;
	size_t n, room;
	bool known;
};

/**
 * chess_atomics_read() - find them
 * @path: program or library
 * @out: filled in; free(@out->v)
 *
 * Variables with an address of their own, and members and elements of such: C's _Atomic,
 * and std::atomic of C++. What is allocated while the program runs has no type here.
 *
 * Return: 0, also without debug information; or a negative errno with chess_error().
 */
int chess_atomics_read(const char *path, struct chess_atomics *out);

/**
 * chess_atomics_of_process() - those of all files that are mapped
 * @maps: text like /proc/PID/maps
 * @out: filled in, at addresses of the process; known if it is of all of them;
 *	free(@out->v)
 *
 * Return: 0 or a negative errno with chess_error().
 */
int chess_atomics_of_process(const char *maps, struct chess_atomics *out);

/* Are all @size bytes from @address on within one? */
bool chess_atomics_has(const struct chess_atomics *a, uint64_t address, uint64_t size);

#endif /* CHESSCTL_ATOMIC_H */
