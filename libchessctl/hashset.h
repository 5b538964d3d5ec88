/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A set of 64-bit numbers: eight bytes each at most half full.
 */
#ifndef CHESSCTL_HASHSET_H
#define CHESSCTL_HASHSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct chess_hashset - all zero is empty
 * @slot: open addressing; zero is an empty slot
 * @slots: how many, a power of two
 * @used: of them
 * @zero: the number zero is in it
 */
struct chess_hashset {
	uint64_t *slot;
	size_t slots, used;
	bool zero;
};

/* Return: 1, it is new; 0; -ENOMEM with chess_error() */
int chess_hashset_add(struct chess_hashset *s, uint64_t number);
bool chess_hashset_has(const struct chess_hashset *s, uint64_t number);
size_t chess_hashset_count(const struct chess_hashset *s);
void chess_hashset_clear(struct chess_hashset *s);

#endif /* CHESSCTL_HASHSET_H */
