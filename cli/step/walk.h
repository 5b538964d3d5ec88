/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.c: a run of a program, and a position in it. A position is a number of decisions: the
 * prefix of the run's schedule that has been gone along. Nothing is stopped there: the whole
 * run has been made, and what could run at each decision is in its record. To choose otherwise is
 * to make another run with that prefix, and so is to undo it.
 */
#ifndef CLI_STEP_WALK_H
#define CLI_STEP_WALK_H

#include "report/report.h"
#include "session.h"
#include "smaller.h"

/* How it was before a command. */
struct step_past {
	struct chess_schedule *schedule;	/* of the whole run */
	uint64_t print;				/* hash of its record */
	size_t at;
};

/**
 * struct step_walk - where we are
 * @s: the program
 * @given: the trace that was given, or NULL
 * @judge: makes runs and judges them
 * @res: the run
 * @t: a trace of it, which borrows from @res
 * @report: of it; its symbols stay from run to run
 * @maps: they were read from
 * @event: by number of a decision, the index of its event; @n of them
 * @at: so many decisions have been taken: @n is the end of the run
 * @past: what can be undone; @n_past
 * @runs: that were made
 * @explained: the stacks and system calls that its report wants are there
 */
struct step_walk {
	struct session *s;
	const struct chess_trace *given;
	struct smaller judge;
	struct chess_run_result res;
	struct chess_trace t;
	struct report report;
	char *maps;
	size_t *event, n;
	size_t at;
	struct step_past *past;
	size_t n_past;
	uint64_t runs;
	bool explained;
};

/* The first run: along the trace that was given, or by default. CLI_PROCEED or an exit code */
int step_walk_open(struct step_walk *w, struct session *s, const struct chess_trace *given);
void step_walk_close(struct step_walk *w);

static inline bool step_walk_ended(const struct step_walk *w)
{
	return w->at == w->n;
}

/* Index of the event whose decision is next; of the last event where the run has ended. */
size_t step_walk_event(const struct step_walk *w);
/* Could decision number @k choose @way? */
bool step_walk_may(const struct step_walk *w, size_t k, uint16_t way);
/* Is there more than one way at decision number @k? */
bool step_walk_is_choice(const struct step_walk *w, size_t k);
/* The first decision from number @k on at which there is; or the end */
size_t step_walk_choice_from(const struct step_walk *w, size_t k);

/* From here on undo leads back to how it is now. */
void step_walk_remember(struct step_walk *w);
/*
 * The run with @way at this decision in place of what was chosen, and the default after it, goes
 * to @res, which is cleared before. 0, or -1 after a sentence; then there is no other run.
 */
int step_walk_try(struct step_walk *w, uint16_t way, struct chess_run_result *res);
/* @res is the run from now on, and emptied; the position stays. */
void step_walk_take(struct step_walk *w, struct chess_run_result *res);
/* Back to how it was @n commands ago. 0, or -1 after a sentence */
int step_walk_undo(struct step_walk *w, uint64_t n);

/*
 * The user stacks of what each task is about to do here, once, where it takes them to know the
 * line; @all: of each in any case.
 */
void step_walk_stacks(struct step_walk *w, bool all);
/* The stacks and system calls that the report of the run wants, once */
void step_walk_explain(struct step_walk *w);
/* The stacks at these points, in ascending order, at most CHESS_MAX_STACKS; in one run */
void step_walk_fetch(struct step_walk *w, const uint32_t *seqs, size_t n);

#endif /* CLI_STEP_WALK_H */
