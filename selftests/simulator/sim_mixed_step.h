/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program of sim_mixed.h, one decision after the other: an interpreter whose state is one struct,
 * to be copied where ways part. It knows neither sim.h's tasks nor the engine.
 */
#ifndef SELFTESTS_SIM_MIXED_STEP_H
#define SELFTESTS_SIM_MIXED_STEP_H

#include "sim_mixed.h"

#define MIXED_NOBODY	(-1)

/* What a task does next. */
enum mixed_step {
	AT_OP,		/* comes to its point */
	AT_POINT,	/* is chosen at it */
	DO_OP,		/* is past it */
	AT_CALL,	/* comes to the point of a wait that a signal interrupted */
	AT_CALL_POINT,	/* is chosen at that */
	WOKEN,		/* of a function's wait, or its deadline has passed */
	TRY,		/* takes what it waits for, or waits again */
	COND_WOKEN, COND_TRY, RELOCK,	/* of a wait for a condition */
	CALL_WOKEN,	/* of a system call's wait */
	SLEPT,
};

enum mixed_decision { MIXED_POINT, MIXED_YIELDS, MIXED_LEFT, MIXED_FAILED };

struct mixed_task {
	bool born, dead, asleep, pending, late;
	int pc, in_handler;	/* op of the handler, or MIXED_NOBODY */
	enum mixed_step step, after;	/* @after: where the handler was taken */
	enum mixed_step again;	/* after AT_CALL_POINT */
	bool relocks;
	int queue, since;
	long deadline;		/* while it is asleep; 0: none */
	long until;		/* of the op that it is in */
	bool missed;		/* its wait for a condition was too long */
	uint64_t log;
};

struct mixed_memory {
	int owner[MIXED_OBJECTS], value[MIXED_OBJECTS], var[MIXED_OBJECTS];
	bool noted[MIXED_OBJECTS];	/* the mutex's word says that tasks wait */
	int mutexes[MIXED_OBJECTS], conds[MIXED_OBJECTS], sems[MIXED_OBJECTS], vars[MIXED_OBJECTS];
};

/* Algorithm 1, with its letters; bit N is task N. */
struct mixed_paper {
	unsigned int es, p[MIXED_TASKS], e[MIXED_TASKS], d[MIXED_TASKS], s[MIXED_TASKS];
	int yields[MIXED_TASKS];
};

struct mixed_state {
	const struct mixed_program *p;
	int fair_k;		/* 0: not fair */
	struct mixed_paper paper;
	struct mixed_task task[MIXED_TASKS];
	int cur, order;
	long now, timer_at;	/* 0: not armed */
	int expired;
	bool early;		/* the timer went off early, before the decision that is due */
	struct mixed_memory memory[MIXED_TASKS];	/* by process */
	int bytes[MIXED_OBJECTS], changes[MIXED_OBJECTS], closed[MIXED_TASKS];
};

void mixed_start(struct mixed_state *s, const struct mixed_program *p, int fair_k);
/* Run the current task to its next decision. */
enum mixed_decision mixed_advance(struct mixed_state *s);
/* Time passes at the decision, and Algorithm 1 is done. */
void mixed_settle(struct mixed_state *s, enum mixed_decision d);
bool mixed_may_expire(const struct mixed_state *s, enum mixed_decision d);
void mixed_expire(struct mixed_state *s);
/* The current task yields, if that is what it is at. */
void mixed_yield(struct mixed_state *s, enum mixed_decision d);
/* May @task be chosen, and is that a preemption? */
bool mixed_may(const struct mixed_state *s, enum mixed_decision d, int task);
bool mixed_preempts(const struct mixed_state *s, enum mixed_decision d, int task);
void mixed_choose(struct mixed_state *s, int task);
/* Nobody can go on, and no time can pass. */
bool mixed_is_over(const struct mixed_state *s);
bool mixed_all_dead(const struct mixed_state *s);

#endif /* SELFTESTS_SIM_MIXED_STEP_H */
