/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What raced in the runs of a command, for traces, certificates and verdicts. races,
 * explore and replay share it.
 */
#ifndef CLI_RACES_H
#define CLI_RACES_H

#include <chessctl/races.h>
#include <json-c/json.h>

#include "session.h"

/*
 * The races of one run, as traces have them: malloc'ed, @n of them. NULL and a note where
 * nobody can tell, or there are none.
 */
struct chess_trace_race *races_of_run(const struct chess_run_result *run, size_t *n);

/*
 * Numbers of accesses that @again, a repetition of the run that showed them, has otherwise
 * become 0. Return: whether all are the same.
 */
bool races_check_numbers(const struct chess_run_result *again, struct chess_trace_race *v,
			 size_t n);

/* Does @run show all that the trace says? False also where it has none. */
/* @moved: of the trace's record and the run's, where things lie elsewhere; or NULL */
bool races_shown(const struct chess_run_result *run, const struct chess_trace *t,
		 const struct chess_moved *moved);

/**
 * struct race_facts - what a certificate says of accesses
 * @s: the program, with its points
 * @racing: what raced
 * @result: of the search with points that race; NULL: there was none
 */
struct race_facts {
	const struct session *s;
	const struct chess_racing *racing;
	const struct chess_race_search_result *result;
};

void race_facts_print(const struct race_facts *f);
/* of a search that found a bug: where it had points */
void race_facts_print_points(const struct race_facts *f);
/* for the key "accesses" */
struct json_object *race_facts_json(const struct race_facts *f);

#endif /* CLI_RACES_H */
