/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a search has covered, in words and as JSON: an "ok" says no more than that.
 */
#ifndef CLI_CERTIFICATE_H
#define CLI_CERTIFICATE_H

#include <chessctl/chessctl.h>
#include <json-c/json.h>

#include "races.h"

/**
 * struct certificate - what was asked for, and what came of it
 * @res: the result
 * @strategy: name
 * @bound: that was asked for
 * @points: what was a point, "sync,syscalls"
 * @in: --preempt-in, or NULL
 * @not_in: --no-preempt-in, or NULL
 * @fair_k: each so manieth yield counted; 0: not fair
 * @no_early: deadlines and timers passed when nobody else could go on, and not before
 * @late_watchdogs: so did what limits the time of a child
 * @no_watchdogs: which never passed
 * @wake_any: who of those that wait in line was woken was a decision
 * @spurious: waits could end without a wake-up
 * @accesses: what of memory was looked at, where accesses were points; or NULL
 * @reductions: enum chess_reduction of the search
 * @unreduced: why they were not used after all; NULL: they were
 * @later: files the program mapped later than at its start
 * @quantum_us: CPU time without a point after which others ran
 */
struct certificate {
	const struct chess_explore_result *res;
	const char *strategy;
	unsigned int bound;
	const char *points, *in, *not_in;
	bool chosen_points, chosen_strategy, chosen_reduce;	/* by us, not by the user */
	unsigned int fair_k, quantum_us;
	bool no_early, late_watchdogs, no_watchdogs, wake_any, spurious;
	const struct race_facts *accesses;
	unsigned int reductions;
	const char *unreduced;
	const struct chess_later *later;
};

/* Which files got traps later than the others, and which have none and why. */
void certificate_print_later(const struct chess_later *later);
/* keys "later" and "without_traps" */
void certificate_add_later(struct json_object *o, const struct chess_later *later);

void certificate_print(const struct certificate *c);
/* The rest of the line that says "ok": what of the program was not looked at. */
void certificate_print_unseen(const struct certificate *c);
/* for the key "certificate" */
struct json_object *certificate_json(const struct certificate *c);

/*
 * Keys of the contract that every search has: verdict, runs, complete, bound; preemptions,
 * tasks and points of the failing run @rec, or NULL: of the longest one
 */
void certificate_counts_json(struct json_object *o, const struct chess_explore_result *res,
			     const struct chess_record *rec);

#endif /* CLI_CERTIFICATE_H */
