/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a memo says of its programs: chessctl coverage.
 */
#ifndef CLI_COVERAGE_H
#define CLI_COVERAGE_H

#include "memo/memo.h"

/**
 * struct coverage_count - iRoots, of one idiom
 * @known: predicted or exposed
 * @predicted: of them; what was seen before anything predicted it is not among them
 * @exposed: of @known
 * @given_up: of @known, those that are not tried again
 * @tried: of @known, those that a run was to expose
 * @tried_exposed: of these, those that such a run did expose
 * @attempts: runs that were to expose one
 * @successes: of these, those that did
 */
struct coverage_count {
	uint64_t known, predicted, exposed, given_up, tried, tried_exposed, attempts, successes;
};

/**
 * struct coverage_function - iRoots with a place in a function
 * @file: as struct memo_place has it
 * @path: of the file
 * @function: "" where it is not known
 * @idiom: by idiom
 */
struct coverage_function {
	char *file, *path, *function;
	struct coverage_count idiom[CHESS_IDIOMS];
};

/* So far in a search: iRoots it knows, that its runs exposed, and that none of any had before. */
struct coverage_point {
	uint64_t run, known, exposed, fresh;
	unsigned int idiom;	/* of the iRoot it was to expose; 0: it was a profile */
};

/* A search; strings may be NULL where it has not ended. */
struct coverage_session {
	char *program, *build_id, *command, *cwd, *verdict, *trace;
	double started, seconds;
	int64_t id;
	struct coverage_point *point;
	size_t n;
};

/**
 * struct coverage - all of it
 * @total: by idiom
 * @function: in order of paths and names, @n_functions of them
 * @session: in the order in which they began, @n_sessions of them
 * @runs: of all of them
 */
struct coverage {
	struct coverage_count total[CHESS_IDIOMS];
	struct coverage_function *function;
	size_t n_functions;
	struct coverage_session *session;
	size_t n_sessions;
	uint64_t runs;
};

/* 0, or -1 with memo_error(); coverage_clear() in both cases */
int coverage_read(struct memo *m, struct coverage *c);
void coverage_clear(struct coverage *c);

void coverage_print(const struct coverage *c, const char *path);
/* With each iRoot. 0, or -1 with memo_error() */
int coverage_print_json(const struct coverage *c, struct memo *m, const char *path);

#endif /* CLI_COVERAGE_H */
