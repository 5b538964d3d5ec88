/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which variables of a program are atomic, and which code works on such, by its debug
 * information: on x86 acquire loads and release stores are the moves that plain variables
 * have, too.
 */
#ifndef CHESSCTL_ATOMIC_H
#define CHESSCTL_ATOMIC_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of an atomic variable, at addresses as the file has them. */
struct chess_atomic {
	uint64_t address, size;
};

/* Instructions of an operation on an atomic variable, inlined or not. */
struct chess_atomic_code {
	uint64_t start, end;
};

/**
 * struct chess_atomics - of one file
 * @v: variables, in order of addresses
 * @n: how many
 * @room: of @v
 * @code: in order of addresses; none overlaps another
 * @n_code: how many
 * @code_room: of @code
 * @unit: code that there is debug information of, of one file only, @n_unit ranges
 * @known: the file has debug information; without it nothing is known
 */
struct chess_atomics {
	struct chess_atomic *v;
	size_t n, room;
	struct chess_atomic_code *code;
	size_t n_code, code_room;
	struct chess_atomic_code *unit;
	size_t n_unit, unit_room;
	bool known;
};

/**
 * chess_atomics_read() - find them
 * @path: program or library
 * @out: filled in; chess_atomics_clear() it
 *
 * Variables with an address of their own, and members and elements of such: C's _Atomic,
 * and std::atomic of C++. What is allocated while the program runs has no type here; of
 * C++ and Rust the code tells.
 *
 * Return: 0, also without debug information; or a negative errno with chess_error().
 */
int chess_atomics_read(const char *path, struct chess_atomics *out);

/**
 * chess_atomics_of_process() - those of all files that are mapped
 * @maps: text like /proc/PID/maps
 * @out: filled in, at addresses of the process; known if it is of all of them;
 *	chess_atomics_clear() it
 *
 * Return: 0 or a negative errno with chess_error().
 */
int chess_atomics_of_process(const char *maps, struct chess_atomics *out);
void chess_atomics_clear(struct chess_atomics *a);

/* Are all @size bytes from @address on within one? */
bool chess_atomics_has(const struct chess_atomics *a, uint64_t address, uint64_t size);
/* Is there debug information of the code at @address in the file? */
bool chess_atomics_tells(const struct chess_atomics *a, uint64_t address);

/* Is the instruction there part of an operation on an atomic variable? */
bool chess_atomics_at(const struct chess_atomics *a, uint64_t ip);

/* atomic_code.c, for atomic.c */

/* Is a function of this name, as the linker has it, an operation on atomic variables? */
bool chess_atomic_name(const char *name);
/*
 * Adds the code of @function, a subprogram or an inlined one, if it is such an operation.
 * @inside is 0, or what the call for the function around has left there. 0 or -ENOMEM
 */
int chess_atomic_code_of(struct chess_atomics *a, Dwarf_Die *function, size_t *inside);
int chess_atomic_code_add(struct chess_atomics *a, uint64_t start, uint64_t end);
void chess_atomic_code_sort(struct chess_atomics *a);

/* atomic_flow.c: adds accesses to atomic members through pointers. 0 or -ENOMEM */
int chess_atomic_flow(struct chess_atomics *a, Dwarf *dwarf, Dwarf_Die *unit);

#endif /* CHESSCTL_ATOMIC_H */
