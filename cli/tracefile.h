/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening a trace somebody named on the command line: one sentence for each way
 * it can be unusable. Used by replay and show.
 */
#ifndef CLI_TRACEFILE_H
#define CLI_TRACEFILE_H

#include <chessctl/chessctl.h>

/* NULL after one sentence; the command then ends with CLI_USAGE */
struct chess_trace *tracefile_open(const char *path);

#endif /* CLI_TRACEFILE_H */
