/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program of sim_random.h, one decision after the other, for whoever enumerates its
 * schedules: an interpreter whose state is one struct, to be copied where ways part. It
 * knows neither sim.h's tasks nor the engine.
 */
#ifndef SELFTESTS_SIM_RANDOM_STEP_H
#define SELFTESTS_SIM_RANDOM_STEP_H

#include "sim_random.h"

#define RANDOM_NOBODY	(-1)

/* What a task does next, of what its present op is made of. */
enum random_step {
	AT_OP,		/* comes to its point */
	DO_OP,		/* point passed */
	RELOCK,		/* of a wait: take the mutex again */
};

/*
 * Where the current task is when somebody has to be chosen. RANDOM_WAKES, with wake_any: about to
 * wake one of several, to be put into random_state.wakes before it goes on.
 */
enum random_decision { RANDOM_POINT, RANDOM_YIELDS, RANDOM_LEFT, RANDOM_FAILED, RANDOM_WAKES };

struct random_task {
	bool born, dead, asleep;
	int pc;
	enum random_step step;
	int queue;		/* what it waits for, RANDOM_NOBODY: nothing */
	bool tried;		/* for the mutex that it is about to take, in vain */
	int since;
};

/* Algorithm 1, with its letters; bit N is task N. */
struct random_paper {
	unsigned int es, p[RANDOM_TASKS], e[RANDOM_TASKS], d[RANDOM_TASKS], s[RANDOM_TASKS];
	int yields[RANDOM_TASKS];
};

struct random_state {
	const struct random_program *p;
	bool chess;
	int fair_k;		/* 0: not fair */
	bool wake_any;		/* who is woken is to be chosen; else who came first */
	int wakes;		/* who was chosen, or RANDOM_NOBODY */
	int line;		/* the queue it was chosen from */
	struct random_paper paper;
	struct random_task task[RANDOM_TASKS];
	int cur, order;
	int owner[RANDOM_OBJECTS], value[RANDOM_OBJECTS], var[RANDOM_OBJECTS];
	bool noted[RANDOM_OBJECTS];	/* the mutex's word says that tasks wait */
};

void random_start(struct random_state *s, const struct random_program *p,
		  enum sim_enabled enabled, int fair_k);
/* Run the current task to its next decision. */
enum random_decision random_advance(struct random_state *s);
bool random_enabled(const struct random_state *s, int task);
/* At RANDOM_WAKES: is @task one of those? */
bool random_is_woken(const struct random_state *s, int task);
/* How the run is over at @d: in one way or another, or not yet (__RANDOM_VERDICTS). */
enum random_verdict random_end(const struct random_state *s, enum random_decision d);
/* What Algorithm 1 has to know of a decision, before random_may(). */
void random_look(struct random_state *s, enum random_decision d);
/* May @task be chosen? */
bool random_may(const struct random_state *s, enum random_decision d, int task);
/* Is it a preemption to choose @task, who may be? */
bool random_preempts(const struct random_state *s, enum random_decision d, int task);

#endif /* SELFTESTS_SIM_RANDOM_STEP_H */
