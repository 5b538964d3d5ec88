/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Readings of clocks. Each one makes all that come after it later, in whichever process they are.
 */
#ifndef CHESSCTL_READINGS_H
#define CHESSCTL_READINGS_H

#include "chessctl/chessctl.h"

/* In place of a site: some readings are left out, as a task waits for time with them. */
#define CHESS_SITE_READINGS	(UINT32_MAX - 2)

/* Is it a reading of a clock? */
bool chess_is_reading(const struct chess_access *a);

/**
 * chess_readings_find() - the readings of clocks
 * @run: with record and accesses
 * @kind: what is asked for the kind of an access
 * @arg: for @kind
 * @out: a write to one place for each reading, and what orders tasks. NULL where at most one task
 *	reads clocks. free() it
 * @n: how many
 * @left: some are left out: those of an instruction that a task executes very often, as it does
 *	where it waits for time
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_readings_find(const struct chess_run_result *run,
			uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
			struct chess_access **out, size_t *n, bool *left);

#endif /* CHESSCTL_READINGS_H */
