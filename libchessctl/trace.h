/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the writer (trace.c) and the reader (trace_read.c) of trace files must
 * agree on. docs/trace-format.md describes the format.
 */
#ifndef CHESSCTL_TRACE_H
#define CHESSCTL_TRACE_H

#include "internal.h"

#define CHESS_TRACE_VERSION	8
/* The first versions that have "quantum", "time", "surroundings", "result"; "holders" and
 * "probe"; "object" of a wait; "fair".
 */
#define CHESS_TRACE_QUANTUM	2
#define CHESS_TRACE_TIME	3
#define CHESS_TRACE_SURROUNDINGS	4
#define CHESS_TRACE_RESULTS	5
#define CHESS_TRACE_HOLDERS	6
#define CHESS_TRACE_PROBES	6
#define CHESS_TRACE_OBJECTS	7
#define CHESS_TRACE_FAIR	8
#define CHESS_TRACE_MAGIC	"chess-trace "

/* Bit N of chess_event.flags; NULL: written as a number. */
extern const char *const chess_trace_flags[8];
/* Of enum chess_object_kind, all of them. */
extern const char *const chess_trace_kinds[CHESS_OBJECT_SYSTEM + 1];

#define CHESS_TRACE_HASH_START	0xcbf29ce484222325ULL

/* FNV-1a, 64 bit: no single changed byte goes unseen. */
static inline uint64_t chess_trace_hash(uint64_t hash, const char *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3ULL;
	return hash;
}

#endif /* CHESSCTL_TRACE_H */
