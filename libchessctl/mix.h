/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hashes of numbers and of bytes.
 */
#ifndef CHESSCTL_MIX_H
#define CHESSCTL_MIX_H

#include <stddef.h>
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

#define CHESS_HASH_START	0xcbf29ce484222325ULL

/* More bytes for a hash: FNV-1a, 64 bit, by which no single changed byte goes unseen. */
static inline uint64_t chess_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	size_t i;

	for (i = 0; i < n; i++)
		hash = (hash ^ p[i]) * 0x100000001b3ULL;
	return hash;
}

#endif /* CHESSCTL_MIX_H */
