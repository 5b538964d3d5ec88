/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ways that were taken, or wait to be, at each node of the tree of schedules where there
 * is more than one. dpor.c uses it.
 */
#ifndef CHESSCTL_NODES_H
#define CHESSCTL_NODES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct chess_node - a node of the tree: the decisions that lead to it
 * @name: hash of these decisions; 0: the slot is empty
 * @way: ways taken, in the order of requests; the first is that of the first run that came
 *	here
 * @n: how many
 */
struct chess_node {
	uint64_t name;
	uint16_t *way;
	uint16_t n;
};

/**
 * struct chess_nodes - all zero is empty
 * @slot: open addressing, @slots of them, a power of two; @used of them
 */
struct chess_nodes {
	struct chess_node *slot;
	size_t slots, used;
};

const struct chess_node *chess_nodes_find(const struct chess_nodes *s, uint64_t name);
int chess_nodes_add(struct chess_nodes *s, uint64_t name, uint16_t first, uint16_t way);
void chess_nodes_clear(struct chess_nodes *s);

#endif /* CHESSCTL_NODES_H */
