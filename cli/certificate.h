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
 * @accesses: what of memory was looked at, where accesses were points; or NULL
 * @quantum_us: CPU time without a point after which others ran
 */
struct certificate {
	const struct chess_explore_result *res;
	const char *strategy;
	unsigned int bound;
	const char *points, *in, *not_in;
	unsigned int fair_k, quantum_us;
	const struct race_facts *accesses;
};

void certificate_print(const struct certificate *c);
/* for the key "certificate" */
struct json_object *certificate_json(const struct certificate *c);

/*
 * Keys of the contract that every search has: verdict, runs, complete, bound; preemptions,
 * tasks and points of the failing run @rec, or NULL: of the longest one
 */
void certificate_counts_json(struct json_object *o, const struct chess_explore_result *res,
			     const struct chess_record *rec);

#endif /* CLI_CERTIFICATE_H */
