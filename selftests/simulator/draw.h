/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers out of a seed, for random programs. Any seed is as good as any other, neighbours too. */
#ifndef SELFTESTS_DRAW_H
#define SELFTESTS_DRAW_H

#include <stdint.h>

/* splitmix64 */
static inline uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static inline int below(uint64_t *state, int n)
{
	return draw(state) % n;
}

#endif /* SELFTESTS_DRAW_H */
