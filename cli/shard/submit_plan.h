/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which shards workers get next, and which they are to hand back: shard submit asks, and so does
 * the simulation of selftests/scale. It knows of no file and of no machine.
 */
#ifndef CLI_SHARD_SUBMIT_PLAN_H
#define CLI_SHARD_SUBMIT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct submit_waiting - a shard that no worker has
 * @level: fewest preemptions of its prefixes
 * @weight: its share of the whole search, a guess
 * @prefixes: how many it has; it cannot be cut into more pieces
 */
struct submit_waiting {
	unsigned int level;
	double weight;
	uint64_t prefixes;
};

/**
 * struct submit_state - how far a search is
 * @workers: how many there are
 * @running: shards that they have
 * @age: for how many seconds each of these has been run; may be NULL, then none is called back
 * @waiting: @n of them, in any order
 * @bound: of the search
 * @stop: shards of this level and higher ones are not run any more; UINT_MAX: all are
 * @share: a worker has a shard for so many seconds before it is called back
 */
struct submit_state {
	size_t workers, running;
	const double *age;
	const struct submit_waiting *waiting;
	size_t n;
	unsigned int bound, stop;
	double share;
};

/**
 * struct submit_plan - what is to be done
 * @run: hand out these, by number in struct submit_state
 * @n_run: how many
 * @again: put these together and cut them into @pieces; then ask again
 * @n_again: how many; 0: none
 * @pieces: see @again
 * @call: call back these, by number of @age
 * @n_call: how many
 */
struct submit_plan {
	size_t *run, n_run;
	size_t *again, n_again;
	size_t pieces;
	size_t *call, n_call;
};

/*
 * Lower levels go first: a shard is handed out only where none of a lower level waits. Nothing to
 * do means that all workers are busy, or that nothing waits that is to be run.
 * submit_plan_clear() it.
 */
void submit_plan(const struct submit_state *s, struct submit_plan *out);
void submit_plan_clear(struct submit_plan *p);

#endif /* CLI_SHARD_SUBMIT_PLAN_H */
