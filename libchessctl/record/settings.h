/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How the run of a record was controlled. What its events mean depends on that, and a replay
 * needs the same.
 */
#ifndef CHESSCTL_SETTINGS_H
#define CHESSCTL_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "chessctl/module.h"

struct chess_record;

/* See chess_record_set_fair() and so on in include/chessctl/record.h. */
struct chess_settings {
	uint32_t fair;
	bool yield_trylock;
	bool early_timers;
	bool late_watchdogs, no_watchdogs;
	bool late_limits;
	bool long_rows;
	bool wake_any;
	bool spurious;
	bool split_updates;
	bool split_copies;
	bool more_calls;
	bool yield_await;
	uint32_t functions;
	uint32_t early_max;	/* milliseconds */
	char late_programs[CHESS_LATE_PROGRAMS + 1];
};

/* All of them at once. */
void chess_record_set_settings(struct chess_record *r, const struct chess_settings *s);

#endif /* CHESSCTL_SETTINGS_H */
