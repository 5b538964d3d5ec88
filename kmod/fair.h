/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has to let others go first: Algorithm 1 of Musuvathi and Qadeer, Fair
 * Stateless Model Checking (PLDI'08). Pure as decide.h is, and compiled where that
 * is.
 *
 * A window of a task begins after its yield and ends with its next one. For each
 * task that ever yielded there is a row of four sets, in the paper's letters:
 *   E  were enabled all the time since its window began
 *   D  were disabled by a step of this task in its window
 *   S  took a step in its window
 *   P  go before this task while they are enabled
 * When the window ends, those of E and D that are not in S are added to P. A task
 * leaves every P when it takes a step.
 *
 * Without a yield the sets of a task stay as the paper starts them, E and P empty, D
 * and S full, and its first yield adds nothing to P. So such a task has no row, and
 * what is done at a step costs nothing before somebody yields.
 *
 * The edges in P form no cycle: a task that gets some has just taken a step, so none
 * leads to it. Therefore where somebody is enabled somebody is allowed (theorem 3).
 */
#ifndef _CHESS_FAIR_H
#define _CHESS_FAIR_H

#include "decide.h"

/**
 * struct chess_fair_row - what is known of a task that yielded
 * @next: another one
 * @id: its id
 * @yields: since the last one that counted
 * @open: one of them counted: there is a window
 * @e: E, here and below bit N of word W for task 64 * W + N
 * @d: D
 * @s: S
 * @p: P
 *
 * chess_fair_yield() fills it in; before that it need not be initialized.
 */
struct chess_fair_row {
	struct chess_fair_row *next;
	unsigned int id;
	unsigned int yields;
	bool open;
	chess_word_t e[CHESS_SET_WORDS];
	chess_word_t d[CHESS_SET_WORDS];
	chess_word_t s[CHESS_SET_WORDS];
	chess_word_t p[CHESS_SET_WORDS];
};

/**
 * struct chess_fair - the fair scheduler of a run
 * @rows: of those who yielded and are alive
 * @every: which yields count: each @every-th of a task; 0: none, nothing is fair
 * @words: words of the sets that may hold anything
 * @edges: elements of all P
 * @out: tasks that were enabled and not allowed when chess_fair_look() looked last
 */
struct chess_fair {
	struct chess_fair_row *rows;
	unsigned int every;
	unsigned int words;
	unsigned int edges;
	struct chess_set out;
};

void chess_fair_init(struct chess_fair *f, unsigned int every);
void chess_fair_step(struct chess_fair *f, unsigned int id);
void chess_fair_disable(struct chess_fair *f, unsigned int id, unsigned int by);
void chess_fair_yield(struct chess_fair *f, struct chess_fair_row *row, unsigned int id,
		      const struct chess_set *enabled);
void chess_fair_forget(struct chess_fair *f, unsigned int id);
void chess_fair_look(struct chess_fair *f, const struct chess_set *enabled);
unsigned int chess_fair_next(const struct chess_fair *f, const struct chess_set *enabled,
			     unsigned int from);
unsigned int chess_fair_default(const struct chess_fair *f, const struct chess_set *enabled,
				unsigned int task, bool yield);

/**
 * chess_fair_scheduled() - a task was chosen and takes a step now
 * @f: the scheduler
 * @id: the task
 *
 * Need not be said again while the same task goes on and nobody yields.
 *
 * Context: any.
 */
static inline void chess_fair_scheduled(struct chess_fair *f, unsigned int id)
{
	if (f->rows)
		chess_fair_step(f, id);
}

/**
 * chess_fair_disabled() - a task is enabled no more
 * @f: the scheduler
 * @id: the task
 * @by: whose step did it
 *
 * Context: any.
 */
static inline void chess_fair_disabled(struct chess_fair *f, unsigned int id, unsigned int by)
{
	if (f->rows)
		chess_fair_disable(f, id, by);
}

/**
 * chess_fair_allows() - may a task go on, as of the last chess_fair_look()
 * @f: the scheduler
 * @enabled: the same set
 * @id: the task
 *
 * Context: any.
 * Return: whether it is enabled and nobody who is goes before it.
 */
static inline bool chess_fair_allows(const struct chess_fair *f, const struct chess_set *enabled,
				     unsigned int id)
{
	return chess_set_has(enabled, id) && !chess_set_has(&f->out, id);
}

/**
 * chess_fair_allowed() - all who may go on, as of the last chess_fair_look()
 * @f: the scheduler
 * @enabled: the same set
 * @allowed: set to them; empty only where @enabled is
 *
 * Context: any.
 */
static inline void chess_fair_allowed(const struct chess_fair *f, const struct chess_set *enabled,
				      struct chess_set *allowed)
{
	unsigned int i;

	*allowed = *enabled;
	for (i = 0; f->out.count && i < f->words; i++)
		allowed->words[i] &= ~f->out.words[i];
	allowed->count -= f->out.count;
}

#endif /* _CHESS_FAIR_H */
