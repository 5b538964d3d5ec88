/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: record, replay and search interleavings of a program's tasks.
 *
 * Conventions: functions return 0 or a negative errno; constructors return NULL
 * and set errno. Where a sentence for people exists, chess_error() has it. All
 * structs are opaque but those named *_opts (first member: sz, set it to
 * sizeof) and plain results. Nothing here is thread safe on one object.
 *
 * api.h	what all of them stand on
 * record.h	what happened in one run, and its decisions
 * program.h	programs and the files they execute
 * module.h	the module, over netlink
 * wait.h	what blocked tasks wait in
 * run.h	one controlled execution of a program
 * search.h	the search, its journal, smaller schedules
 * memo.h	iRoots, remembered beyond a search
 * trace.h	a run on disk
 * account.h	what a trace says of its run
 * live.h	processes that run already
 *
 * Races have a header of their own, <chessctl/races.h>, and so has what a search covered,
 * <chessctl/coverage.h>.
 */
#ifndef CHESSCTL_H
#define CHESSCTL_H

#include <stdio.h>

#include <chessctl/account.h>
#include <chessctl/api.h>
#include <chessctl/live.h>
#include <chessctl/memo.h>
#include <chessctl/module.h>
#include <chessctl/program.h>
#include <chessctl/record.h>
#include <chessctl/run.h>
#include <chessctl/search.h>
#include <chessctl/trace.h>
#include <chessctl/wait.h>

#endif /* CHESSCTL_H */
