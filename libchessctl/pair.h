/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two numbers that are mostly small: one byte when both are below 15, else more. For what a
 * search has millions of (trunk.c, queue.c).
 */
#ifndef CHESSCTL_PAIR_H
#define CHESSCTL_PAIR_H

#include <stdint.h>

/* So many bytes at most: two numbers of 32 bits, seven in a byte, after the first byte. */
#define PAIR_BYTES	11
/* What a half byte has where the number is at least that, and the rest follows. */
#define PAIR_LARGE	15

static inline uint8_t *chess_pair_put_rest(uint8_t *to, uint32_t number)
{
	if (number < PAIR_LARGE)
		return to;
	for (number -= PAIR_LARGE; number >= 0x80; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	return to;
}

/* Return: after it. */
static inline uint8_t *chess_pair_put(uint8_t *to, uint32_t a, uint32_t b)
{
	*to++ = (a < PAIR_LARGE ? a : PAIR_LARGE) | (b < PAIR_LARGE ? b : PAIR_LARGE) << 4;
	return chess_pair_put_rest(chess_pair_put_rest(to, a), b);
}

static inline const uint8_t *chess_pair_get_rest(const uint8_t *at, uint32_t *number)
{
	unsigned int shift = 0;
	uint32_t rest = 0;
	uint8_t byte;

	if (*number < PAIR_LARGE)
		return at;
	do {
		byte = *at++;
		rest |= (uint32_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	*number += rest;
	return at;
}

/* Return: after it. */
static inline const uint8_t *chess_pair_get(const uint8_t *at, uint32_t *a, uint32_t *b)
{
	*a = *at & 0xf;
	*b = *at++ >> 4;
	return chess_pair_get_rest(chess_pair_get_rest(at, a), b);
}

#endif /* CHESSCTL_PAIR_H */
