// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The iRoots of a program, each once, and the plan of policy order that tries to expose one.
 * See iroot.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "iroot/iroot.h"
#include "mix.h"

static uint64_t hash_of(const struct chess_iroot *root)
{
	uint64_t hash = chess_mix(0, root->idiom);
	size_t i;

	for (i = 0; i < CHESS_IROOT_PLACES; i++)
		hash = chess_mix(hash, root->place[i]);
	return hash;
}

static bool is_same(const struct chess_iroot *a, const struct chess_iroot *b)
{
	return a->idiom == b->idiom && !memcmp(a->place, b->place, sizeof(a->place));
}

static int grow_slots(struct chess_iroots *all)
{
	size_t slots = all->slots ? all->slots * 2 : 64, i, at;
	uint32_t *slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(all->slot);
	all->slot = slot;
	all->slots = slots;
	for (i = 0; i < all->n; i++) {
		at = hash_of(&all->root[i]) & (slots - 1);
		while (slot[at])
			at = (at + 1) & (slots - 1);
		slot[at] = i + 1;
	}
	return 0;
}

/**
 * chess_iroots_find() - number of an iRoot
 * @all: where it is noted when it is new
 * @root: its idiom and places
 *
 * Return: its index, or -ENOMEM with chess_error().
 */
int64_t chess_iroots_find(struct chess_iroots *all, const struct chess_iroot *root)
{
	size_t at;

	if (all->n * 2 >= all->slots && grow_slots(all))
		return chess_set_error(ENOMEM, "no memory for more than %zu iRoots", all->n);
	for (at = hash_of(root) & (all->slots - 1); all->slot[at];
	     at = (at + 1) & (all->slots - 1))
		if (is_same(&all->root[all->slot[at] - 1], root))
			return all->slot[at] - 1;
	if (chess_array_room(&all->root, &all->room, all->n + 1, sizeof(*all->root)))
		return chess_set_error(ENOMEM, "no memory for more than %zu iRoots", all->n);
	all->root[all->n] = (struct chess_iroot){ .idiom = root->idiom };
	memcpy(all->root[all->n].place, root->place, sizeof(root->place));
	all->slot[at] = all->n + 1;
	return all->n++;
}

/**
 * chess_iroots_get() - an iRoot, if it is known
 * @all: those that are known
 * @root: its idiom and places
 *
 * Return: the one in @all, or NULL.
 */
const struct chess_iroot *chess_iroots_get(const struct chess_iroots *all,
					   const struct chess_iroot *root)
{
	size_t at;

	if (!all->slots)
		return NULL;
	for (at = hash_of(root) & (all->slots - 1); all->slot[at];
	     at = (at + 1) & (all->slots - 1))
		if (is_same(&all->root[all->slot[at] - 1], root))
			return &all->root[all->slot[at] - 1];
	return NULL;
}

/**
 * chess_iroots_count() - how many there are of each idiom
 * @all: those that are known
 * @out: the numbers come here
 */
void chess_iroots_count(const struct chess_iroots *all, struct chess_explore_result *out)
{
	size_t i;

	memset(out->iroots, 0, sizeof(out->iroots));
	memset(out->iroots_exposed, 0, sizeof(out->iroots_exposed));
	memset(out->iroots_before, 0, sizeof(out->iroots_before));
	memset(out->iroots_given_up, 0, sizeof(out->iroots_given_up));
	for (i = 0; i < all->n; i++) {
		const struct chess_iroot *root = &all->root[i];

		out->iroots[root->idiom - 1]++;
		out->iroots_exposed[root->idiom - 1] += root->exposed || root->before;
		out->iroots_before[root->idiom - 1] += root->before && !root->exposed;
		out->iroots_given_up[root->idiom - 1] += root->predicted && !root->exposed &&
			!root->before && root->failed >= CHESS_MEMO_GIVE_UP;
	}
}

/**
 * chess_iroots_free() - forget them
 * @all: empty afterwards
 */
void chess_iroots_free(struct chess_iroots *all)
{
	free(all->root);
	free(all->slot);
	free(all->named);
	free(all->named_slot);
	memset(all, 0, sizeof(*all));
}

/* Which place each step has, and in which role; idiom 5 begins with A and C (section 4.7). */
static const struct step { uint8_t place, role; } steps[CHESS_IDIOMS][CHESS_ORDER_STEPS + 1] = {
	{ { 0, 0 }, { 1, CHESS_ORDER_SIDE }, { CHESS_IROOT_PLACES, 0 } },
	{ { 0, 0 }, { 1, CHESS_ORDER_SIDE }, { 3, 0 }, { CHESS_IROOT_PLACES, 0 } },
	{ { 0, 0 }, { 1, CHESS_ORDER_SIDE }, { 2, CHESS_ORDER_SIDE }, { 3, 0 },
	  { CHESS_IROOT_PLACES, 0 } },
	{ { 0, 0 }, { 1, CHESS_ORDER_SIDE }, { 2, CHESS_ORDER_SIDE | CHESS_ORDER_OBJECT },
	  { 3, CHESS_ORDER_OBJECT }, { CHESS_IROOT_PLACES, 0 } },
	{ { 0, 0 }, { 2, CHESS_ORDER_SIDE | CHESS_ORDER_OBJECT }, { 1, CHESS_ORDER_SIDE },
	  { 3, CHESS_ORDER_OBJECT }, { CHESS_IROOT_PLACES, 0 } },
};

/**
 * chess_iroot_steps() - the change points of a plan with policy order that is to expose it
 * @root: the iRoot
 * @words: flags, which are zero, then a place and a role for each step
 *
 * Return: how many words.
 */
size_t chess_iroot_steps(const struct chess_iroot *root, uint32_t words[1 + 2 * CHESS_ORDER_STEPS])
{
	const struct step *s = steps[root->idiom - 1];
	size_t n = 0;

	words[n++] = 0;
	for (; s->place < CHESS_IROOT_PLACES; s++) {
		words[n++] = root->place[s->place];
		words[n++] = s->role;
	}
	return n;
}
