// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See objects.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mix.h"
#include "record/objects.h"

static size_t first_slot(const struct chess_objects *o, uint8_t kind, uint64_t number)
{
	return chess_mix(kind, number) & (o->slots - 1);
}

static int grow_slots(struct chess_objects *o)
{
	size_t slots = o->slots ? o->slots * 2 : 64, i, at;
	uint32_t *slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(o->slot);
	o->slot = slot;
	o->slots = slots;
	for (i = 0; i < o->n; i++) {
		at = first_slot(o, o->key[i].kind, o->key[i].number);
		while (slot[at])
			at = (at + 1) & (slots - 1);
		slot[at] = i + 1;
	}
	return 0;
}

/**
 * chess_objects_find() - number of an object
 * @o: where it is noted when it is new
 * @kind: as in an event
 * @number: as in an event
 *
 * Return: its index, or -ENOMEM.
 */
int64_t chess_objects_find(struct chess_objects *o, uint8_t kind, uint64_t number)
{
	size_t at;

	if (o->n * 2 >= o->slots && grow_slots(o))
		return -ENOMEM;
	for (at = first_slot(o, kind, number); o->slot[at]; at = (at + 1) & (o->slots - 1)) {
		const struct chess_object_key *known = &o->key[o->slot[at] - 1];

		if (known->kind == kind && known->number == number)
			return o->slot[at] - 1;
	}
	if (chess_array_room(&o->key, &o->room, o->n + 1, sizeof(*o->key)))
		return -ENOMEM;
	o->key[o->n] = (struct chess_object_key){ .kind = kind, .number = number };
	o->slot[at] = o->n + 1;
	return o->n++;
}

/**
 * chess_objects_reset() - forget them, and keep the memory
 * @o: it
 */
void chess_objects_reset(struct chess_objects *o)
{
	if (o->n)
		memset(o->slot, 0, o->slots * sizeof(*o->slot));
	o->n = 0;
}

/**
 * chess_objects_free() - forget them
 * @o: empty afterwards
 */
void chess_objects_free(struct chess_objects *o)
{
	free(o->key);
	free(o->slot);
	memset(o, 0, sizeof(*o));
}
