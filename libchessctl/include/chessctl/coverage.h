/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a search has covered and what it has not, worked out once: an "ok" says no more than
 * that. Text, JSON and every other form of a result are written from it. coverage.c.
 */
#ifndef CHESSCTL_API_COVERAGE_H
#define CHESSCTL_API_COVERAGE_H

#include <chessctl/api.h>
#include <chessctl/races.h>
#include <chessctl/search.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What may be a point, as a bit of a set; chess_point_kind_key() has the names. */
enum chess_point_kind {
	CHESS_POINT_SYNC,	/* functions that synchronize */
	CHESS_POINT_SYSCALLS,
	CHESS_POINT_ACCESSES,	/* accesses to memory that race */
	CHESS_POINT_KINDS,
};

/* When time limits for children pass. */
enum chess_watchdogs {
	CHESS_WATCHDOGS_EARLY,	/* as every other deadline */
	CHESS_WATCHDOGS_LATE,	/* only when no other task can run */
	CHESS_WATCHDOGS_NEVER,
};

/**
 * struct chess_coverage_asked - what the search was asked for
 * @strategy: its name; NULL: "icb"
 * @bound: as struct chess_explore_opts has it
 * @points: "sync,syscalls,races"
 * @no_early: deadlines and timers pass when no other task can run, and not before
 * @watchdogs: when time limits for children pass
 * @reductions: enum chess_reduction
 * @unreduced: why they were not used after all; NULL: they were
 * @races: of the search that had accesses as points; NULL: it had none
 * @aside_seconds: that were not spent on the search
 */
struct chess_coverage_asked {
	const char *strategy;
	unsigned int bound;
	const char *points;
	bool no_early;
	enum chess_watchdogs watchdogs;
	unsigned int reductions;
	const char *unreduced;
	const struct chess_race_search_result *races;
	double aside_seconds;
};

/**
 * struct chess_coverage - what came of it
 * @ok: no schedule of those asked for failed, and all were run
 * @counts: what the bound is a number of, in singular; NULL: the strategy has no bound
 * @bound: that was asked for, or a larger one that is done; 0 without @counts
 * @levels: how many bounds, from 0 on, are done where the search is not; 0 without @counts, and
 *	where schedules are missing for another reason than that the search was stopped
 * @delay_levels: the same of bounds of delays, which strategy turns has where bound 0 takes long
 * @unbounded: @ok, and what was run are the schedules with any number of preemptions
 * @exhaustive: the strategy can end with every schedule run
 * @unseen: bits of enum chess_point_kind: no point of that kind
 * @watchdogs_held: runs had time limits for children or of processes, which passed late or
 *	never although other deadlines passed early
 * @reductions: those that were in use
 * @partly_recorded: accesses were not recorded in all of the runs
 * @gave_up: since a run took too long with them
 * @rate: runs in a second
 * @readings_left: which of several tasks reads a clock first was not tried, where loops do so
 */
struct chess_coverage {
	bool ok;
	const char *counts;
	unsigned int bound, levels, delay_levels;
	bool unbounded, exhaustive;
	unsigned int unseen;
	enum chess_watchdogs watchdogs;
	bool watchdogs_held;
	unsigned int reductions;
	bool partly_recorded, gave_up;
	double rate;
	bool readings_left;
};

CHESS_API struct chess_coverage chess_coverage_of(const struct chess_coverage_asked *asked,
			const struct chess_explore_result *res);
/* "sync_functions", "system_calls", "accesses"; NULL: there is no such kind */
CHESS_API const char *chess_point_kind_key(enum chess_point_kind kind);
/* "early", "late", "never" */
CHESS_API const char *chess_watchdogs_name(enum chess_watchdogs when);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_COVERAGE_H */
