// SPDX-License-Identifier: LGPL-2.1-or-later
/* See settings.h. */
#include <stdio.h>

#include "chessctl/record.h"
#include "record/fields.h"

void chess_record_set_settings(struct chess_record *r, const struct chess_settings *s)
{
	r->settings = *s;
}

void chess_record_set_fair(struct chess_record *r, uint32_t fair)
{
	r->settings.fair = fair;
}

uint32_t chess_record_fair(const struct chess_record *r)
{
	return r->settings.fair;
}

void chess_record_set_yield_trylock(struct chess_record *r, bool yields)
{
	r->settings.yield_trylock = yields;
}

bool chess_record_yield_trylock(const struct chess_record *r)
{
	return r->settings.yield_trylock;
}

void chess_record_set_early_timers(struct chess_record *r, bool early)
{
	r->settings.early_timers = early;
}

bool chess_record_early_timers(const struct chess_record *r)
{
	return r->settings.early_timers;
}

void chess_record_set_late_watchdogs(struct chess_record *r, bool late)
{
	r->settings.late_watchdogs = late;
}

bool chess_record_late_watchdogs(const struct chess_record *r)
{
	return r->settings.late_watchdogs;
}

void chess_record_set_no_watchdogs(struct chess_record *r, bool none)
{
	r->settings.no_watchdogs = none;
}

bool chess_record_no_watchdogs(const struct chess_record *r)
{
	return r->settings.no_watchdogs;
}

void chess_record_set_late_limits(struct chess_record *r, bool late)
{
	r->settings.late_limits = late;
}

bool chess_record_late_limits(const struct chess_record *r)
{
	return r->settings.late_limits;
}

void chess_record_set_long_rows(struct chess_record *r, bool longer)
{
	r->settings.long_rows = longer;
}

bool chess_record_long_rows(const struct chess_record *r)
{
	return r->settings.long_rows;
}

void chess_record_set_wake_any(struct chess_record *r, bool any)
{
	r->settings.wake_any = any;
}

bool chess_record_wake_any(const struct chess_record *r)
{
	return r->settings.wake_any;
}

void chess_record_set_spurious(struct chess_record *r, bool spurious)
{
	r->settings.spurious = spurious;
}

bool chess_record_spurious(const struct chess_record *r)
{
	return r->settings.spurious;
}

void chess_record_set_split_updates(struct chess_record *r, bool split)
{
	r->settings.split_updates = split;
}

bool chess_record_split_updates(const struct chess_record *r)
{
	return r->settings.split_updates;
}

void chess_record_set_split_copies(struct chess_record *r, bool split)
{
	r->settings.split_copies = split;
}

bool chess_record_split_copies(const struct chess_record *r)
{
	return r->settings.split_copies;
}

void chess_record_set_more_calls(struct chess_record *r, bool more)
{
	r->settings.more_calls = more;
}

bool chess_record_more_calls(const struct chess_record *r)
{
	return r->settings.more_calls;
}

void chess_record_set_yield_await(struct chess_record *r, bool yields)
{
	r->settings.yield_await = yields;
}

bool chess_record_yield_await(const struct chess_record *r)
{
	return r->settings.yield_await;
}

void chess_record_set_functions(struct chess_record *r, uint32_t n)
{
	r->settings.functions = n;
}

uint32_t chess_record_functions(const struct chess_record *r)
{
	return r->settings.functions;
}

void chess_record_set_early_max(struct chess_record *r, uint32_t ms)
{
	r->settings.early_max = ms;
}

uint32_t chess_record_early_max(const struct chess_record *r)
{
	return r->settings.early_max;
}

void chess_record_set_late_programs(struct chess_record *r, const char *names)
{
	snprintf(r->settings.late_programs, sizeof(r->settings.late_programs), "%s",
		 names ? names : "");
}

const char *chess_record_late_programs(const struct chess_record *r)
{
	return *r->settings.late_programs ? r->settings.late_programs : NULL;
}
