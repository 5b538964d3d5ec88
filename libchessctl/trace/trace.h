/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the writer (trace.c) and the reader (trace_read.c) of trace files must
 * agree on. docs/trace-format.md describes the format.
 */
#ifndef CHESSCTL_TRACE_H
#define CHESSCTL_TRACE_H

#include "internal.h"

#define CHESS_TRACE_VERSION	23
/* The first versions that have "quantum", "time", "surroundings", "result"; "holders" and
 * "probe"; "object" of a wait; "fair"; "code", "code-file", "access-point" and "race";
 * numbers of accesses; "later"; "timers"; "minimal"; "stack fault"; "expect"; "stdout"; what
 * trace_given.c has; "watchdogs", "wake", "spurious"; "updates", "copies"; "functions"; "in-handler";
 * "limits"; "rows"; "awaits"; "early-max" and "late-programs"; "calls"; "name".
 */
#define CHESS_TRACE_QUANTUM	2
#define CHESS_TRACE_TIME	3
#define CHESS_TRACE_SURROUNDINGS	4
#define CHESS_TRACE_RESULTS	5
#define CHESS_TRACE_HOLDERS	6
#define CHESS_TRACE_PROBES	6
#define CHESS_TRACE_OBJECTS	7
#define CHESS_TRACE_FAIR	8
#define CHESS_TRACE_RACES	9
#define CHESS_TRACE_NUMBERS	10
#define CHESS_TRACE_LATER	11
#define CHESS_TRACE_TIMERS	11
#define CHESS_TRACE_MINIMAL	11
#define CHESS_TRACE_FAULTS	12
#define CHESS_TRACE_EXPECT	12
#define CHESS_TRACE_STDOUT	12
#define CHESS_TRACE_GIVEN	12
#define CHESS_TRACE_WATCHDOGS	12
#define CHESS_TRACE_WAKE	12
#define CHESS_TRACE_SPURIOUS	12
#define CHESS_TRACE_UPDATES	13
#define CHESS_TRACE_FUNCTIONS	14
#define CHESS_TRACE_HANDLERS	15
#define CHESS_TRACE_LIMITS	16
#define CHESS_TRACE_ROWS	17
#define CHESS_TRACE_AWAITS	18
#define CHESS_TRACE_LATE	20
#define CHESS_TRACE_COPIES	21
#define CHESS_TRACE_CALLS	22
#define CHESS_TRACE_NAMES	23
#define CHESS_TRACE_MAGIC	"chess-trace "

/* Bit N of chess_event.flags; NULL: written as a number. */
extern const char *const chess_trace_flags[8];
/* Of enum chess_object_kind, all of them. */
extern const char *const chess_trace_kinds[CHESS_OBJECT_SYSTEM + 1];

/* trace.c: all of a trace as it stands in its file, checksum included. 0 or -errno; free(*text) */
int chess_trace_encode(const struct chess_trace *t, char **text, size_t *size);
void chess_trace_free_files(struct chess_trace_probe *files, size_t n);

/* trace_race.c: the lines about accesses; those before the verdict, those after it */
void chess_trace_put_code(FILE *f, const struct chess_trace *t);
void chess_trace_put_races(FILE *f, const struct chess_trace *t);
/*
 * One such line, whose value begins at @p. Return: 0; or -ENOMEM, or -EINVAL and in *@fault
 * what is wrong with it
 */
int chess_trace_read_races(struct chess_trace *t, const char *line, const char *p,
			   const char **fault);
void chess_trace_free_races(struct chess_trace *t);

/*
 * trace_given.c: what the run was given, before the verdict; what it was asked for, after it;
 * and its calls and the names of its tasks, after the stacks
 */
void chess_trace_put_given(FILE *f, const struct chess_trace *t);
void chess_trace_put_asked(FILE *f, const struct chess_trace *t);
void chess_trace_put_calls(FILE *f, const struct chess_trace *t);
/* One such line; as chess_trace_read_races() */
int chess_trace_read_given(struct chess_trace *t, const char *line, const char **fault);
void chess_trace_free_given(struct chess_trace *t);

#endif /* CHESSCTL_TRACE_H */
