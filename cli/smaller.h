/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looking for a smaller schedule that shows the same bug, with a session's runner: what
 * shrink does for as long as its options say, and explore for a moment before it reports.
 */
#ifndef CLI_SMALLER_H
#define CLI_SMALLER_H

#include <chessctl/chessctl.h>

#include "session.h"

/**
 * struct smaller - the runs that are made for it
 * @s: the program
 * @verdict: of the run that is to be made smaller
 * @races_of: where that is CHESS_VERDICT_RACE, the trace whose races are to be seen again
 */
struct smaller {
	struct session *s;
	enum chess_verdict verdict;
	const struct chess_trace *races_of;
};

/* Borrows @runs. A signal that ends the session ends the search as a limit does. */
struct chess_executor smaller_executor(struct smaller *runs);
/* What is known of its best run. */
enum chess_minimal smaller_minimal(const struct chess_shrink_result *res);
/*
 * A moment's search: at most SMALLER_RUNS runs and SMALLER_SECONDS. Return: 0, then
 * chess_shrink_result_clear(); -errno: the run did not fail again, or was interrupted.
 */
#define SMALLER_RUNS	500
#define SMALLER_SECONDS	10
int smaller_soon(struct session *s, const struct chess_run_result *bad,
		 struct chess_shrink_result *out);

#endif /* CLI_SMALLER_H */
