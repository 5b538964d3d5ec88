/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What chessctl cover found for each input; cover_text.c and cover_json.c write it. cmd_cover.c
 * makes the searches.
 */
#ifndef CLI_COVER_H
#define CLI_COVER_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct cover_result - the search with one input
 * @command: as a shell reads it
 * @found: explore's JSON; NULL: there is none
 * @code: its exit code
 * @runs: how many it made; also what follows is 0 without @found
 * @exposed: iRoots that its runs exposed
 * @fresh: of them, those that no search had exposed
 * @tries: runs that were to expose one
 * @seconds: it took
 * @finished: nothing was left to be tried
 */
struct cover_result {
	char *command;
	struct json_object *found;
	int code;
	uint64_t runs, exposed, fresh, tries;
	double seconds;
	bool finished;
};

/**
 * struct cover - all of them
 * @memo: file
 * @result: of the inputs that were searched, in their order; @n of them
 * @inputs: how many there are
 * @runs: of all
 * @fresh: iRoots that no search had exposed before
 * @bugs: inputs that showed one
 * @failed: inputs that could not be searched
 */
struct cover {
	const char *memo;
	struct cover_result *result;
	size_t n, inputs;
	uint64_t runs, fresh;
	size_t bugs, failed;
};

/* One input, as soon as it is known, the number @at from 0; with the report of its bug */
void cover_print_input(const struct cover *c, size_t at);
void cover_print_end(const struct cover *c);
void cover_print_json(const struct cover *c, int code);

#endif /* CLI_COVER_H */
