/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verdict.c: what a run proved. runner.c gathers the facts while the program
 * runs and asks here once it is over; units ask with made-up facts.
 */
#ifndef CHESSCTL_VERDICT_H
#define CHESSCTL_VERDICT_H

#include "chessctl/chessctl.h"

/**
 * struct chess_facts - what is known when a run is over
 * @status: of the root task, as wait(2) gives it; of no meaning when @stopped
 * @record: what happened
 * @err: what the program wrote to stderr, or NULL
 * @length: decisions of the prefix
 * @deadlock: no task was enabled and nothing outside could end a wait
 * @livelock: the run was fair, long, and repeats itself
 * @timeout: the run took longer than allowed
 * @diverged: the module said that the prefix could not be followed
 * @overflow: the record is not the whole run
 * @misuse: memory was used, or freed, after its free()
 * @lost: tasks, traps and events the module could not take care of
 * @expect: what the program may end with, or NULL
 * @replaced: file that is not the one traps were registered for any more, or NULL
 */
struct chess_facts {
	int status;
	const struct chess_record *record;
	const char *err;
	size_t length;
	bool deadlock, livelock, timeout, diverged, overflow, misuse;
	uint32_t lost;
	const char *replaced;
	const struct chess_expect *expect;
};

/**
 * struct chess_judgement - the answer
 * @verdict: never zero
 * @bad_task: task whose death decided it, or -1
 * @bad_status: how that task died, as in wait(2)
 * @expected: deaths by a signal that were expected
 * @diverged_at: decision the prefix could not be followed at, or SIZE_MAX
 */
struct chess_judgement {
	enum chess_verdict verdict;
	int bad_task;
	int bad_status;
	unsigned int expected;
	size_t diverged_at;
};

void chess_verdict_judge(const struct chess_facts *f, struct chess_judgement *out);

#endif /* CHESSCTL_VERDICT_H */
