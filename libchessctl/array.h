/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arrays that grow: a pointer, how many elements there are, and for how many there is room.
 */
#ifndef CHESSCTL_ARRAY_H
#define CHESSCTL_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CHESS_ARRAY_FIRST	16

/**
 * chess_array_room() - room in an array
 * @array: address of the pointer to its elements
 * @room: for so many there is room; at least doubled, if that is not enough
 * @n: for so many there is to be room
 * @size: of an element
 *
 * Return: 0, or -ENOMEM and no sentence: the array is as it was.
 */
static inline int chess_array_room(void *array, size_t *room, size_t n, size_t size)
{
	size_t more = *room ? *room : CHESS_ARRAY_FIRST;
	void *v;

	if (n <= *room)
		return 0;
	while (more < n)
		more *= 2;
	memcpy(&v, array, sizeof(v));
	v = reallocarray(v, more, size);
	if (!v)
		return -ENOMEM;
	memcpy(array, &v, sizeof(v));
	*room = more;
	return 0;
}

#endif /* CHESSCTL_ARRAY_H */
