// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How the run of a record was controlled. What its events mean depends on that, and a replay
 * needs the same.
 */
#include "chessctl/record.h"
#include "record/fields.h"

void chess_record_set_fair(struct chess_record *r, uint32_t fair)
{
	r->fair = fair;
}

uint32_t chess_record_fair(const struct chess_record *r)
{
	return r->fair;
}

void chess_record_set_yield_trylock(struct chess_record *r, bool yields)
{
	r->yield_trylock = yields;
}

bool chess_record_yield_trylock(const struct chess_record *r)
{
	return r->yield_trylock;
}

void chess_record_set_early_timers(struct chess_record *r, bool early)
{
	r->early_timers = early;
}

bool chess_record_early_timers(const struct chess_record *r)
{
	return r->early_timers;
}

void chess_record_set_late_watchdogs(struct chess_record *r, bool late)
{
	r->late_watchdogs = late;
}

bool chess_record_late_watchdogs(const struct chess_record *r)
{
	return r->late_watchdogs;
}

void chess_record_set_no_watchdogs(struct chess_record *r, bool none)
{
	r->no_watchdogs = none;
}

bool chess_record_no_watchdogs(const struct chess_record *r)
{
	return r->no_watchdogs;
}

void chess_record_set_wake_any(struct chess_record *r, bool any)
{
	r->wake_any = any;
}

bool chess_record_wake_any(const struct chess_record *r)
{
	return r->wake_any;
}

void chess_record_set_spurious(struct chess_record *r, bool spurious)
{
	r->spurious = spurious;
}

bool chess_record_spurious(const struct chess_record *r)
{
	return r->spurious;
}

void chess_record_set_split_updates(struct chess_record *r, bool split)
{
	r->split_updates = split;
}

bool chess_record_split_updates(const struct chess_record *r)
{
	return r->split_updates;
}

void chess_record_set_functions(struct chess_record *r, uint32_t n)
{
	r->functions = n;
}

uint32_t chess_record_functions(const struct chess_record *r)
{
	return r->functions;
}
