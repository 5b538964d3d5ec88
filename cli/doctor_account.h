/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One account of runs that should have been the same, from their results and the program's
 * files: worked out once, for doctor_text.c and doctor_json.c. Units make results by hand.
 */
#ifndef CLI_DOCTOR_ACCOUNT_H
#define CLI_DOCTOR_ACCOUNT_H

#include <chessctl/chessctl.h>

#include "hints.h"

#define DOCTOR_DIFFERENCES	4
/* No reader uses more lines of output that differ. */
#define DOCTOR_LINES		100

/**
 * struct doctor_stream - stdout or stderr
 * @name: "stdout", "stderr"
 * @run: the first run (from 0) that wrote something other than the first one; 0: none did
 * @lines: lines that differ between the two, at most DOCTOR_LINES; they lie in the results
 * @n: of @lines; 0 although @run is set: they differ after a zero byte, or in the last newline
 */
struct doctor_stream {
	const char *name;
	unsigned int run;
	struct hints_line *lines;
	size_t n;
};

/* Instructions of one kind in one file: the first, and how many there are. */
struct doctor_instruction {
	const struct chess_code_site *first;
	size_t count;
};

/* A file with such instructions; @sites holds what @kind points to. */
struct doctor_file {
	char *path;
	struct chess_code_site *sites;
	size_t n_sites;
	struct doctor_instruction *kind;
	size_t n;
};

/**
 * struct doctor_account - what the runs came to
 * @runs: that were made
 * @wanted: that were asked for
 * @same: that are as the first: record, output and end
 * @complete: as many were made as were asked for
 * @identical: there are runs, and all are the same
 * @deterministic: both
 * @diff: where events differ: run 1 and @run (from 0) do first at event @at (from 0), for
 *	the reason @cause; events that differ first at one place have one source
 * @n_diff: of @diff
 * @stream: what was printed
 * @other_end: the first run (from 0) that ended in another way than the first; 0: none did
 * @shown: what the first record shows that no prefix decides
 * @files: with instructions whose results differ from run to run, @n_files of them
 */
struct doctor_account {
	unsigned int runs, wanted, same;
	bool complete, identical, deterministic;
	struct {
		size_t at;
		unsigned int run;
		const char *cause;
	} diff[DOCTOR_DIFFERENCES];
	size_t n_diff;
	struct doctor_stream stream[2];
	unsigned int other_end;
	struct hints_record shown;
	struct doctor_file *files;
	size_t n_files;
};

/*
 * @run: @runs results, which have to live as long as the account. @path: of the program;
 * NULL: its code is not examined. doctor_account_clear() frees what is in it.
 */
void doctor_account_of(const struct chess_run_result *run, unsigned int runs,
		       unsigned int wanted, const char *path, struct doctor_account *out);
void doctor_account_clear(struct doctor_account *a);

#endif /* CLI_DOCTOR_ACCOUNT_H */
