/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a search has been: a set of 64 bit keys, with two small numbers for each. It has a
 * largest size; then a new key takes the place of an older one. Forgetting a key costs runs
 * and nothing else.
 */
#ifndef CHESSCTL_VISITED_H
#define CHESSCTL_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chess_visited;

/**
 * struct chess_visit - what is known of a key
 * @cost: least cost at which it was reached
 * @before: print of what was there before the last step
 * @print: of what is there; 0: not known yet
 */
struct chess_visit {
	uint32_t cost : 8;
	uint32_t before : 12;
	uint32_t print : 12;
};

/* No key is entered with a higher cost. */
#define CHESS_VISIT_MAX_COST	255

struct chess_visited *chess_visited_new(size_t max_bytes);
void chess_visited_free(struct chess_visited *v);
struct chess_visit *chess_visited_find(struct chess_visited *v, uint64_t key);
struct chess_visit *chess_visited_add(struct chess_visited *v, uint64_t key, uint8_t cost);

#endif /* CHESSCTL_VISITED_H */
