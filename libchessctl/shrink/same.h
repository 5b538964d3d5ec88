/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * same.c: do two failing runs show the same bug? A shorter schedule that fails in
 * another way is no answer to who wants to understand the first one.
 */
#ifndef CHESSCTL_SAME_H
#define CHESSCTL_SAME_H

#include "chessctl/chessctl.h"

/**
 * struct chess_place - where a task stands in the program
 * @at: return address of the trapped function, or instruction of the system call
 * @nr: as in struct chess_event
 * @op: enum chess_op_class
 */
struct chess_place {
	uint64_t at;
	uint32_t nr;
	uint32_t op;
};

/**
 * struct chess_bug - what has to be equal
 * @verdict: of the run
 * @status: wait(2) status of the task whose death decided, 0 where none did
 * @said: text of the failed assertion, NULL where there is none
 * @cycle: some tasks wait for each other in a cycle
 * @place: where the dead task, those in the cycle, or else the blocked ones stand
 * @n: length of @place
 */
struct chess_bug {
	enum chess_verdict verdict;
	int status;
	char *said;
	bool cycle;
	struct chess_place *place;
	size_t n;
};

int chess_bug_of(const struct chess_run_result *run, struct chess_bug *bug);
void chess_bug_clear(struct chess_bug *bug);
bool chess_bug_same(const struct chess_bug *bug, const struct chess_bug *other);

#endif /* CHESSCTL_SAME_H */
