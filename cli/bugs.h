/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of the failing runs of explore's search: each is made smaller, run once more
 * for its stacks, and its trace written.
 */
#ifndef CLI_BUGS_H
#define CLI_BUGS_H

#include <chessctl/chessctl.h>
#include <json-c/json.h>

#include "out.h"
#include "resume.h"
#include "session.h"

/* Each has the stacks of its run, up to 1 MB; a search may fail a million times. */
#define TRACES_MAX	32

/**
 * struct bugs - what became of the failing runs
 * @s: the program
 * @dir: where traces go
 * @resume: knows where those went that were written before
 * @in_order: the search takes schedules by their number of preemptions, and has gone
 *	through those with fewer than @bound; what chance finds beside it may have more
 * @is_first: but this part of it is reduced in a way that cannot be trusted
 * @keeps_going: the search goes on after a bug
 * @alone: the first one, run where no earlier run has left files; without a record: it is as found
 * @small: the first one, and what was found that is smaller
 * @again: that, run again
 * @called: has the system calls of that one and the names of its tasks
 * @same: that gave the same record, so it serves in place of the first
 * @minimal: how small it is known to be
 * @smaller_seconds: that were spent on making runs smaller
 * @prints: hashes of the records that got a trace or should have; @tried of them
 * @small_prints: hashes of what they came down to, each once; @n_small of them
 * @paths: traces that were written; @n of them, in the order of the search
 * @part: we were interrupted before all that belongs into the trace was there
 * @failed: one could not be written, so no other one is tried
 */
struct bugs {
	struct session *s;
	struct out_dir *dir;
	struct resume *resume;
	struct out_progress *progress;
	bool in_order, keeps_going;
	const bool *is_first;
	unsigned int bound;
	struct chess_run_result alone;
	struct chess_shrink_result small;
	struct chess_run_result again;
	struct chess_trace called;
	bool same;
	enum chess_minimal minimal;
	double smaller_seconds;
	uint64_t prints[TRACES_MAX], small_prints[TRACES_MAX];
	unsigned int tried, n_small;
	char *paths[TRACES_MAX + 1];
	size_t n;
	bool part, failed;
};

/* For struct chess_explore_opts: a trace of @bad, a result; @arg is the struct bugs. 0 */
int bugs_keep(void *arg, const struct chess_run_result *bad);
/* would it write one? */
bool bugs_wants(void *arg, const struct chess_run_result *bad);
struct json_object *bugs_json(const struct bugs *b);
/* of the first one, @bad, as its trace has it; borrows everything, never free it */
void bugs_trace(const struct bugs *b, const struct chess_run_result *bad, struct chess_trace *t);
void bugs_clear(struct bugs *b);

#endif /* CLI_BUGS_H */
