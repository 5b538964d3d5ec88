// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Partial order sampling (Yuan, Yang, Gu, CAV'18): kmod/policy.c has it, this file gives
 * each run its seed.
 */
#include "search/chance.h"
#include "search/strategy.h"

static void *pos_new(const struct chess_explore_opts *o)
{
	return chess_chance_new(&(struct chess_chance_rules) {
		.policy = CHESS_POLICY_KIND_POS,
	}, o->seed, NULL);
}

const struct chess_strategy_ops chess_strategy_pos = {
	.name = "pos",
	.new = pos_new,
	CHESS_CHANCE_OPS,
};
