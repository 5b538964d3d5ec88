/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a search has covered, in words and as JSON: an "ok" says no more than that.
 */
#ifndef CLI_CERTIFICATE_H
#define CLI_CERTIFICATE_H

#include <chessctl/coverage.h>
#include <json-c/json.h>

#include "races.h"

/**
 * struct certificate - what was asked for, and what came of it
 * @res: the result
 * @asked: for
 * @covered: what it covered, worked out from the two; certificate_work_out() fills it in
 * @in: --preempt-in, or NULL
 * @not_in: --no-preempt-in, or NULL
 * @fair_k: every Nth yield counted; 0: not fair
 * @early_max: deadlines further away did not pass early, milliseconds; 0: they could
 * @late_programs: nor did those of these programs; or NULL
 * @wake_any: which of the waiting tasks was woken was a decision
 * @spurious: waits could end without a wake-up
 * @accesses: what of memory was examined, where accesses were points; or NULL
 * @later: files the program mapped later than at its start
 * @quantum_us: CPU time without a point after which others ran
 * @long_rows: a task could take 100,000 points in a row, not 1000, before others ran
 */
struct certificate {
	const struct chess_explore_result *res;
	struct chess_coverage_asked asked;
	struct chess_coverage covered;
	const char *in, *not_in;
	bool chosen_points, chosen_strategy, chosen_reduce;	/* by us, not by the user */
	unsigned int fair_k, quantum_us;
	bool long_rows;
	uint32_t early_max;
	const char *late_programs;
	bool wake_any, spurious;
	const struct race_facts *accesses;
	const struct chess_later *later;
};

void certificate_work_out(struct certificate *c);

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
