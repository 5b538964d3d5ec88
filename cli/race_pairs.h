/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The races of a trace in other runs of its program, for shrink.
 */
#ifndef CLI_RACE_PAIRS_H
#define CLI_RACE_PAIRS_H

#include "session.h"

/*
 * Those of @run's races that are between the instructions of the trace's: malloc'ed, @n of
 * them. NULL where one of these does not race there.
 */
struct chess_trace_race *race_pairs_of(const struct chess_run_result *run,
				       const struct chess_trace *t, size_t *n);

#endif /* CLI_RACE_PAIRS_H */
