/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What debug information says of a place in memory: is it atomic, and where does it point?
 */
#ifndef CHESSCTL_ATOMIC_TYPE_H
#define CHESSCTL_ATOMIC_TYPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct chess_spot - a place in an object of a known type
 * @atomic: it is within an atomic variable
 * @pointer: it is a pointer, to an object of type @target
 * @target: only if @pointer
 * @size: of the atomic variable, or the pointer; bytes
 */
struct chess_spot {
	bool atomic, pointer;
	Dwarf_Die target;
	uint64_t size;
};

/* The type of a variable, member or pointer. False: it has none, as void. */
bool chess_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* Size in bytes without qualifiers; 0: not known. */
uint64_t chess_type_size(Dwarf_Die *type);

/**
 * chess_spot_at() - what is there
 * @type: of an object; it may be one of an array
 * @offset: in it
 * @out: filled in
 *
 * Return: false where nothing is known.
 */
bool chess_spot_at(Dwarf_Die *type, int64_t offset, struct chess_spot *out);

#endif /* CHESSCTL_ATOMIC_TYPE_H */
