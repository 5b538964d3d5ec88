/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that each access of a run takes as a whole or not at all: its first word stands for all of
 * it. So a memset() of a megabyte costs as many words as others access parts of it.
 */
#ifndef CHESSCTL_STRETCHES_H
#define CHESSCTL_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chessctl/chessctl.h"

/**
 * struct chess_stretches - of one run
 * @cut: where one begins, in order; only in memory that long accesses take
 * @n: how many
 * @room: of @cut
 */
struct chess_stretches {
	uint64_t *cut;
	size_t n, room;
};

/* Is an access of @size bytes one that goes by stretches? All others go word by word. */
bool chess_stretches_is_long(uint64_t size);
/* Those of @n accesses; 0 or -ENOMEM. free(@out->cut) */
int chess_stretches_of(const struct chess_access *a, size_t n, struct chess_stretches *out);
/* Where the stretch after that of @word begins, for a long access that takes @word. */
uint64_t chess_stretches_next(const struct chess_stretches *s, uint64_t word);

#endif /* CHESSCTL_STRETCHES_H */
