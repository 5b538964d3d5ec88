/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arrays that grow: a pointer, how many elements there are, and, unless they stay short, for
 * how many there is room.
 */
#ifndef CHESSCTL_ARRAY_H
#define CHESSCTL_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CHESS_ARRAY_FIRST	16

/**
 * chess_array_resize() - make an array so long
 * @array: address of the pointer to its elements
 * @n: how many there are to be, at least one
 * @size: of an element
 *
 * Return: 0, or -ENOMEM and no sentence: the array is as it was.
 */
static inline int chess_array_resize(void *array, size_t n, size_t size)
{
	void *v;

	memcpy(&v, array, sizeof(v));
	v = reallocarray(v, n, size);
	if (!v)
		return -ENOMEM;
	memcpy(array, &v, sizeof(v));
	return 0;
}

/**
 * chess_array_extend() - make an array longer by elements that are zero
 * @array: address of the pointer to its elements
 * @have: how many there are
 * @n: how many there are to be, more than that
 * @size: of an element
 *
 * Return: 0, or -ENOMEM and no sentence: the array is as it was.
 */
static inline int chess_array_extend(void *array, size_t have, size_t n, size_t size)
{
	char *v;

	if (chess_array_resize(array, n, size))
		return -ENOMEM;
	memcpy(&v, array, sizeof(v));
	memset(v + have * size, 0, (n - have) * size);
	return 0;
}

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

	if (n <= *room)
		return 0;
	while (more < n)
		more *= 2;
	if (chess_array_resize(array, more, size))
		return -ENOMEM;
	*room = more;
	return 0;
}

#endif /* CHESSCTL_ARRAY_H */
