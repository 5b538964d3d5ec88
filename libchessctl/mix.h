/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers mixed into a hash.
 */
#ifndef CHESSCTL_MIX_H
#define CHESSCTL_MIX_H

#include <stdint.h>

/*
 * One more word for a hash. All events of all runs go through here, so words are mixed
 * and not bytes: the multiplication of FNV, and its upper part folded back, where the
 * product has most of what went in.
 */
static inline uint64_t chess_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

#endif /* CHESSCTL_MIX_H */
