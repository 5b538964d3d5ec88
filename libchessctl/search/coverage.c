// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a search has covered, derived from what was requested and from the result. See
 * coverage.h of the public headers; chessctl makes its certificates from it.
 */
#include <string.h>

#include <chessctl/coverage.h>

#include "internal.h"

static const struct {
	const char *points, *key;
} kinds[CHESS_POINT_KINDS] = {
	[CHESS_POINT_SYNC] = { "sync", "sync_functions" },
	[CHESS_POINT_SYSCALLS] = { "syscalls", "system_calls" },
	[CHESS_POINT_ACCESSES] = { "races", "accesses" },
};

/* Is @word in @list, whose words are separated by commas? */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (!strncmp(list, word, n) && (list[n] == ',' || !list[n]))
			return true;
	return false;
}

/* Nothing is missing but what was not run yet. */
static bool is_only_stopped(const struct chess_explore_result *res)
{
	static const enum chess_left_out holes[] = {
		CHESS_LEFT_OUT_DIVERGED, CHESS_LEFT_OUT_RECORD, CHESS_LEFT_OUT_UNSOUND,
		CHESS_LEFT_OUT_FORCED,
	};
	unsigned int i;

	if (res->verdict != CHESS_VERDICT_INCOMPLETE || res->diverged)
		return false;
	for (i = 0; i < ARRAY_SIZE(holes); i++)
		if (res->left_out[holes[i]])
			return false;
	return true;
}

struct chess_coverage chess_coverage_of(const struct chess_coverage_asked *asked,
					const struct chess_explore_result *res)
{
	const struct chess_race_search_result *r = asked->races;
	double seconds = res->seconds - asked->aside_seconds;
	struct chess_coverage c = {
		.ok = res->verdict == CHESS_VERDICT_OK && res->complete,
		.counts = chess_strategy_counts(asked->strategy),
		.exhaustive = chess_strategy_is_exhaustive(asked->strategy),
		.watchdogs = asked->watchdogs,
		.reductions = asked->unreduced && !(r && r->is_first) ? 0 : asked->reductions,
		.partly_recorded = r && r->recorded_runs < r->all.runs,
		.gave_up = r && r->gave_up,
		.readings_left = r && r->readings_left,
		.rate = seconds > 0 ? res->runs / seconds : 0,
	};
	unsigned int i;

	c.bound = c.counts ? asked->bound : 0;
	c.unbounded = c.ok && (!c.counts || res->unbounded);
	/* A search may have gone further. */
	if (c.counts && c.ok && res->bound > c.bound)
		c.bound = res->bound;
	/* All with fewer are run before the first one with more. */
	if (c.counts && is_only_stopped(res)) {
		c.levels = res->bound;
		c.delay_levels = res->delay_levels;
	}
	/* Where all deadlines pass late, a list of late ones adds nothing. */
	c.watchdogs_held = res->watchdog_runs && (c.watchdogs == CHESS_WATCHDOGS_NEVER ||
						  !asked->no_early);
	for (i = 0; i < CHESS_POINT_KINDS; i++)
		if (!has_word(asked->points, kinds[i].points))
			c.unseen |= 1U << i;
	return c;
}

const char *chess_point_kind_key(enum chess_point_kind kind)
{
	return kind < CHESS_POINT_KINDS ? kinds[kind].key : NULL;
}

const char *chess_watchdogs_name(enum chess_watchdogs when)
{
	static const char *const names[] = { "early", "late", "never" };

	return when <= CHESS_WATCHDOGS_NEVER ? names[when] : NULL;
}
