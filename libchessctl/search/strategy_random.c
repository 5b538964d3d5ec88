// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Random walk: at each decision all tasks that can be chosen are equally likely. The module
 * draws, this file gives each run its seed.
 */
#include "search/chance.h"
#include "search/strategy.h"

static void *random_new(const struct chess_explore_opts *o)
{
	return chess_chance_new(&(struct chess_chance_rules) {
		.policy = CHESS_POLICY_KIND_RANDOM,
	}, o->seed, NULL);
}

const struct chess_strategy_ops chess_strategy_random = {
	.name = "random",
	.new = random_new,
	CHESS_CHANCE_OPS,
};
