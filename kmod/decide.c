// SPDX-License-Identifier: GPL-2.0-only
/*
 * See decide.h. CHESS (OSDI'08), sections 4.1 and 4.3: the search forces a
 * prefix; after it the running task continues until it blocks, ends or yields.
 */
#include "decide.h"

/**
 * chess_set_clear() - make a set empty
 * @set: the set
 *
 * Context: any.
 */
void chess_set_clear(struct chess_set *set)
{
	unsigned int i;

	for (i = 0; i < CHESS_SET_WORDS; i++)
		set->words[i] = 0;
	set->count = 0;
}

/**
 * chess_set_next() - lowest id of the set that is not below a number
 * @set: the set
 * @from: where to start
 *
 * Context: any.
 * Return: the id, or CHESS_TASK_NONE.
 */
unsigned int chess_set_next(const struct chess_set *set, unsigned int from)
{
	unsigned int word = from / 64;
	chess_word_t bits;

	if (!set->count || from >= CHESS_MAX_TASKS)
		return CHESS_TASK_NONE;
	bits = set->words[word] & (~(chess_word_t)0 << (from % 64));
	while (!bits) {
		if (++word == CHESS_SET_WORDS)
			return CHESS_TASK_NONE;
		bits = set->words[word];
	}
	return word * 64 + __builtin_ctzll(bits);
}

/**
 * chess_decide_default() - the non-preemptive default policy
 * @enabled: enabled set
 * @task: the task at the point
 * @yield: it said that it cannot go on, or it used up its quantum
 *
 * A yield passes to the next id round robin, to the task itself only when
 * nobody else is enabled.
 *
 * Context: any.
 * Return: task id, or CHESS_TASK_NONE when nobody is enabled.
 */
unsigned int chess_decide_default(const struct chess_set *enabled,
				  unsigned int task, bool yield)
{
	unsigned int next;

	if (!yield) {
		if (chess_set_has(enabled, task))
			return task;
		return chess_set_next(enabled, 0);
	}
	next = chess_set_next(enabled, task + 1);
	if (next == CHESS_TASK_NONE)
		next = chess_set_next(enabled, 0);
	return next;
}
