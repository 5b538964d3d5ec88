// SPDX-License-Identifier: GPL-2.0-only
/*
 * See fair.h. Line numbers are those of Algorithm 1 in the paper. It looks at whole
 * steps; here each line is done when what it is about happens, and the calls come in
 * the order in which the lines do: a step, whom it disables, its yield.
 */
#include "fair.h"

static chess_word_t bit_of(unsigned int id)
{
	return (chess_word_t)1 << (id % 64);
}

static bool has(const chess_word_t *words, unsigned int id)
{
	return words[id / 64] & bit_of(id);
}

static void cover(struct chess_fair *f, unsigned int id)
{
	if (f->words <= id / 64)
		f->words = id / 64 + 1;
}

/**
 * chess_fair_init() - begin a run
 * @f: the scheduler
 * @every: which yields of a task count: each @every-th; 0: none
 *
 * Rows of the run before are forgotten.
 *
 * Context: any.
 */
void chess_fair_init(struct chess_fair *f, unsigned int every)
{
	f->rows = NULL;
	f->every = every;
	f->words = 0;
	f->edges = 0;
	chess_set_clear(&f->out);
}

static void drop_edge(struct chess_fair *f, struct chess_fair_row *row, unsigned int id)
{
	if (!has(row->p, id))
		return;
	row->p[id / 64] &= ~bit_of(id);
	f->edges--;
}

/**
 * chess_fair_step() - lines 13 and 21: chess_fair_scheduled() where somebody yielded
 * @f: the scheduler
 * @id: the task that takes a step
 *
 * Context: any.
 */
void chess_fair_step(struct chess_fair *f, unsigned int id)
{
	struct chess_fair_row *row;

	cover(f, id);
	for (row = f->rows; row; row = row->next) {
		drop_edge(f, row, id);
		row->s[id / 64] |= bit_of(id);
	}
}

/**
 * chess_fair_disable() - lines 15 and 17: chess_fair_disabled() where somebody yielded
 * @f: the scheduler
 * @id: the task that is enabled no more
 * @by: whose step did it
 *
 * Context: any.
 */
void chess_fair_disable(struct chess_fair *f, unsigned int id, unsigned int by)
{
	struct chess_fair_row *row;

	cover(f, id);
	for (row = f->rows; row; row = row->next) {
		row->e[id / 64] &= ~bit_of(id);
		if (row->id == by)
			row->d[id / 64] |= bit_of(id);
	}
}

static bool has_row(const struct chess_fair *f, const struct chess_fair_row *row)
{
	const struct chess_fair_row *other = f->rows;

	while (other && other != row)
		other = other->next;
	return other;
}

/*
 * Of the sets before the first window (lines 1 to 4) all that matters is that nobody
 * is in E or D and not in S.
 */
static void add_row(struct chess_fair *f, struct chess_fair_row *row, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < CHESS_SET_WORDS; i++)
		row->e[i] = row->d[i] = row->s[i] = row->p[i] = 0;
	row->id = id;
	row->yields = 0;
	row->open = false;
	row->next = f->rows;
	f->rows = row;
}

static unsigned int count_bits(chess_word_t word)
{
	unsigned int n = 0;

	/* The kernel has no __builtin_popcountll() for every processor. */
	for (; word; word &= word - 1)
		n++;
	return n;
}

/**
 * chess_fair_yield() - lines 23 to 29: a task ends a step with a yield
 * @f: the scheduler
 * @row: memory for what is known of the task, which stays where it is until
 *	chess_fair_forget()
 * @id: the task
 * @enabled: enabled set after that step
 *
 * Who yields took the step, whether that was said or not.
 *
 * Context: any.
 */
void chess_fair_yield(struct chess_fair *f, struct chess_fair_row *row, unsigned int id,
		      const struct chess_set *enabled)
{
	chess_word_t before;
	unsigned int i;

	if (!f->every)
		return;
	if (!has_row(f, row))
		add_row(f, row, id);
	chess_fair_step(f, id);
	if (++row->yields < f->every)
		return;
	row->yields = 0;
	for (i = CHESS_SET_WORDS; i > f->words && !enabled->words[i - 1];)
		i--;
	f->words = i;
	for (i = 0; i < f->words; i++) {
		before = row->open ? (row->e[i] | row->d[i]) & ~row->s[i] & ~row->p[i] : 0;
		row->p[i] |= before;
		f->edges += count_bits(before);
		row->e[i] = enabled->words[i];
		row->d[i] = 0;
		row->s[i] = 0;
	}
	row->open = true;
}

/**
 * chess_fair_forget() - a task is gone for good
 * @f: the scheduler
 * @id: the task
 *
 * Its row is used no more. Where it stands in others it would do no harm, but each
 * edge costs time.
 *
 * Context: any.
 */
void chess_fair_forget(struct chess_fair *f, unsigned int id)
{
	struct chess_fair_row **at = &f->rows, *row;
	unsigned int i;

	while ((row = *at)) {
		drop_edge(f, row, id);
		row->e[id / 64] &= ~bit_of(id);
		row->d[id / 64] &= ~bit_of(id);
		if (row->id != id) {
			at = &row->next;
			continue;
		}
		for (i = 0; i < f->words; i++)
			f->edges -= count_bits(row->p[i]);
		*at = row->next;
	}
}

/**
 * chess_fair_look() - line 7: which tasks have to let others go first
 * @f: the scheduler; @f->out is set
 * @enabled: enabled set
 *
 * Context: any.
 */
void chess_fair_look(struct chess_fair *f, const struct chess_set *enabled)
{
	const struct chess_fair_row *row;
	unsigned int i;

	if (f->out.count)
		chess_set_clear(&f->out);
	if (!f->edges)
		return;
	for (row = f->rows; row; row = row->next) {
		if (!chess_set_has(enabled, row->id))
			continue;
		for (i = 0; i < f->words; i++)
			if (row->p[i] & enabled->words[i])
				break;
		if (i < f->words)
			chess_set_add(&f->out, row->id);
	}
}

/**
 * chess_fair_next() - lowest id that is allowed and not below a number
 * @f: the scheduler, after chess_fair_look()
 * @enabled: the same set
 * @from: where to start
 *
 * Context: any.
 * Return: the id, or CHESS_TASK_NONE.
 */
unsigned int chess_fair_next(const struct chess_fair *f, const struct chess_set *enabled,
			     unsigned int from)
{
	unsigned int id = chess_set_next(enabled, from);

	while (id != CHESS_TASK_NONE && chess_set_has(&f->out, id))
		id = chess_set_next(enabled, id + 1);
	return id;
}

/**
 * chess_fair_default() - the non-preemptive default policy among those who are allowed
 * @f: the scheduler, after chess_fair_look()
 * @enabled: the same set
 * @task: the task at the point
 * @yield: it said that it cannot go on, or it used up its quantum
 *
 * A yield passes to the lowest other id, to the task itself only when there is none.
 *
 * Context: any.
 * Return: task id, or CHESS_TASK_NONE when nobody is enabled.
 */
unsigned int chess_fair_default(const struct chess_fair *f, const struct chess_set *enabled,
				unsigned int task, bool yield)
{
	unsigned int first, other;

	if (!f->every)
		return chess_decide_default(enabled, task, yield);
	if (!yield && chess_fair_allows(f, enabled, task))
		return task;
	first = chess_fair_next(f, enabled, 0);
	if (!yield || first != task)
		return first;
	other = chess_fair_next(f, enabled, task + 1);
	return other == CHESS_TASK_NONE ? first : other;
}
