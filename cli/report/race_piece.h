/* SPDX-License-Identifier: GPL-2.0-only */
/* The piece of a heap that a race is on, in words: where it was allocated and freed. */
#ifndef CLI_RACE_PIECE_H
#define CLI_RACE_PIECE_H

#include "report/report.h"

/* "24 bytes allocated by T0 in f() at a.c:5, byte 8", malloc'ed; NULL: nobody saw it */
char *race_piece_text(struct symbols *symbols, const struct chess_record *rec,
		      const struct chess_trace_race *race);
/* A line for each, and the functions on the way; nothing where nobody saw it. */
/* A line, and who called, of a call of the heap; @number 0: its stack was not kept. */
void race_call_print(const struct report *r, const char *verb, const struct chess_access *a,
		     uint32_t number, FILE *to);
/* Where it was called from; false: nobody knows. place_clear() it */
bool race_call_place(struct symbols *symbols, const struct chess_record *rec,
		     const struct chess_access *a, uint32_t number, struct place *out);

void race_piece_print(const struct report *r, const struct chess_trace_race *race, FILE *to);
/* for the key "piece" */
struct json_object *race_piece_json(const struct report *r, const struct chess_trace_race *race);

#endif /* CLI_RACE_PIECE_H */
