/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs of small programs for race_test.c: tasks are lists of ops, executed along a
 * schedule, and leave three things: a record like the module's, the accesses, and, from
 * the meaning of the ops alone, the graph of what comes before what. The graph shares
 * nothing with the library: two accesses race if neither is reached from the other.
 */
#ifndef SELFTESTS_RACE_RUN_H
#define SELFTESTS_RACE_RUN_H

#include "race/race.h"

#define RUN_TASKS	5
#define RUN_OPS		24
#define RUN_NODES	400
#define RUN_ACCESSES	200

/* R and W: plain accesses; A*: atomic. After them ops that are points, on object @a. */
enum run_kind {
	RUN_END, RUN_R, RUN_W, RUN_RW, RUN_AR, RUN_AW, RUN_ARW,
	RUN_FIRST_SYNC,
	RUN_CREATE = RUN_FIRST_SYNC,	/* task @a */
	RUN_JOIN,			/* task @a, by an address nobody can tell it from */
	RUN_LOCK, RUN_TRYLOCK, RUN_UNLOCK,
	RUN_RDLOCK, RUN_TRYRDLOCK, RUN_WRLOCK, RUN_RWUNLOCK,
	RUN_SEM_WAIT, RUN_SEM_POST,
	RUN_COND_WAIT,			/* with mutex @b */
	RUN_COND_SIGNAL, RUN_COND_BROADCAST,
	RUN_BARRIER,			/* of @b tasks */
	RUN_ONCE,
	RUN_PIPE_WRITE, RUN_PIPE_READ,
	RUN_YIELD,
	RUN_KINDS,
};

/* @a: address or object, @b: size, or see above */
struct run_op {
	enum run_kind kind;
	unsigned int a, b;
	unsigned int ip;		/* of accesses; 0: made from task and place */
};

struct run_program {
	struct run_op op[RUN_TASKS][RUN_OPS];
};

struct run {
	struct chess_record *record;
	struct chess_access access[RUN_ACCESSES];
	unsigned int node[RUN_ACCESSES];	/* of each access */
	size_t n;
	uint64_t before[RUN_NODES][(RUN_NODES + 63) / 64];
	size_t nodes;
};

/* Who goes on is random; with @seed 0 the lowest task that can. */
void run_execute(const struct run_program *p, uint64_t seed, struct run *out);
void run_clear(struct run *r);
bool run_is_before(const struct run *r, size_t a, size_t b);
uint64_t run_random(uint64_t *state);

#endif /* SELFTESTS_RACE_RUN_H */
