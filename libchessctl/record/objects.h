/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The objects of a record, numbered densely: by kind and number an event names one, and
 * what somebody wants to know of each stands in an array.
 */
#ifndef CHESSCTL_OBJECTS_H
#define CHESSCTL_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

struct chess_object_key {
	uint64_t number;
	uint8_t kind;
};

/**
 * struct chess_objects - all zero when empty
 * @key: of each, in the order in which they were found first
 * @n: how many
 * @room: of @key; a caller's array with room for as many has room for all
 * @slot: hash table: index plus one
 * @slots: its size
 */
struct chess_objects {
	struct chess_object_key *key;
	size_t n, room;
	uint32_t *slot;
	size_t slots;
};

int64_t chess_objects_find(struct chess_objects *o, uint8_t kind, uint64_t number);
void chess_objects_reset(struct chess_objects *o);
void chess_objects_free(struct chess_objects *o);

#endif /* CHESSCTL_OBJECTS_H */
