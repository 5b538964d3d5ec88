// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See nodes.h. A node that only one run passes has no entry: at most nodes a second way is never
 * needed.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "internal.h"
#include "search/nodes.h"

#define FIRST_SLOTS	1024

static struct chess_node *slot_of(const struct chess_nodes *s, uint64_t name)
{
	size_t i = name & (s->slots - 1);

	while (s->slot[i].name && s->slot[i].name != name)
		i = (i + 1) & (s->slots - 1);
	return &s->slot[i];
}

static int grow(struct chess_nodes *s)
{
	struct chess_nodes more = { .slots = s->slots ? s->slots * 2 : FIRST_SLOTS };
	size_t i;

	more.slot = calloc(more.slots, sizeof(*more.slot));
	if (!more.slot)
		return -ENOMEM;
	for (i = 0; i < s->slots; i++)
		if (s->slot[i].name)
			*slot_of(&more, s->slot[i].name) = s->slot[i];
	free(s->slot);
	s->slot = more.slot;
	s->slots = more.slots;
	return 0;
}

/**
 * chess_nodes_find() - the ways taken at a node
 * @s: the table
 * @name: of the node, not 0
 *
 * Return: the ways, until the next call of chess_nodes_add(); NULL if at most one was taken.
 */
const struct chess_node *chess_nodes_find(const struct chess_nodes *s, uint64_t name)
{
	const struct chess_node *n;

	if (!s->slots)
		return NULL;
	n = slot_of(s, name);
	return n->name ? n : NULL;
}

/**
 * chess_nodes_add() - a way is to be taken at a node
 * @s: the table
 * @name: of the node, not 0
 * @first: the way of the current run, which is taken
 * @way: the other one
 *
 * Return: 1; 0: it was taken already; -ENOMEM with chess_error().
 */
int chess_nodes_add(struct chess_nodes *s, uint64_t name, uint16_t first, uint16_t way)
{
	struct chess_node *n;
	size_t i;

	if ((s->used + 1) * 2 > s->slots && grow(s))
		return chess_set_error(ENOMEM, "no memory for the nodes of a search");
	n = slot_of(s, name);
	for (i = 0; i < n->n; i++)
		if (n->way[i] == way)
			return 0;
	if (chess_array_resize(&n->way, n->n + 1 + !n->n, sizeof(*n->way)))
		return chess_set_error(ENOMEM, "no memory for the nodes of a search");
	if (!n->n) {
		n->name = name;
		n->way[n->n++] = first;
		s->used++;
	}
	n->way[n->n++] = way;
	return 1;
}

void chess_nodes_clear(struct chess_nodes *s)
{
	size_t i;

	for (i = 0; i < s->slots; i++)
		free(s->slot[i].way);
	free(s->slot);
	*s = (struct chess_nodes){ 0 };
}
