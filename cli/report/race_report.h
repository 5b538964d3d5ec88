/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The races of a trace in words: which variable, which two lines, what the tasks did in
 * between. report.c prints them, cmd_races.c asks which of them nobody wants to hear of.
 */
#ifndef CLI_RACE_REPORT_H
#define CLI_RACE_REPORT_H

#include <chessctl/races.h>

#include "report/report.h"

/**
 * struct race_names - a race with names
 * @at: both instructions
 * @variable: what they access
 * @text: the same in words
 * @benign: it is in the section of variables whose races are known to be harmless
 */
struct race_names {
	struct place at[2];
	struct chess_variable variable;
	char *text;
	bool benign;
};

/* Variables there race because their author wants it; docs/races.md. */
#define RACE_BENIGN_SECTION	".chess_benign"

/*
 * To be freed with race_names_clear(). @rec has the stacks that name who allocated memory, or
 * is NULL.
 */
void race_names(struct symbols *symbols, const char *maps, const struct chess_record *rec,
		const struct chess_trace_race *race, struct race_names *out);
void race_names_clear(struct race_names *n);
/* The same as rules of --suppress take it; borrows @n. */
struct chess_race_names race_rule_names(const struct race_names *n,
					const struct chess_trace_race *race);

/* Places in words: "a, b, c" and the end of the line, where there are some; as an array. */
void race_frames_print(char **frames, size_t n, FILE *to);
struct json_object *race_frames_json(char **frames, size_t n);

/* "function", "file", "line" and "module" */
void race_place_json(struct json_object *o, const struct place *at);

/* All of the trace; nothing where it has none. */
void race_report_print(const struct report *r, FILE *to);
/* for the key "races" */
struct json_object *race_report_json(const struct report *r);

/*
 * What the report shows stacks of, as chess_runner_run() takes it, is added to @seqs, which
 * has room for @max.
 */
void race_report_seqs(const struct chess_record *rec, const struct chess_trace_race *races,
		      size_t n_races, uint32_t *seqs, size_t *n, size_t max);

#endif /* CLI_RACE_REPORT_H */
