/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening a trace somebody named on the command line: one sentence for each way
 * it can be unusable. Used by replay, shrink and show.
 */
#ifndef CLI_TRACEFILE_H
#define CLI_TRACEFILE_H

#include <chessctl/chessctl.h>

/* NULL after one sentence; the command then ends with CLI_USAGE */
struct chess_trace *tracefile_open(const char *path);

/*
 * Of a process that ran before (chessctl attach): its record does not begin with the
 * program, so there is nothing to replay.
 */
bool tracefile_is_attached(const struct chess_trace *t);

#endif /* CLI_TRACEFILE_H */
