/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who goes on: the prefix, then the default policy. Pure: no lock, no kernel
 * object, no time. Compiled into the module and into user-space tests alike.
 */
#ifndef _CHESS_DECIDE_H
#define _CHESS_DECIDE_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <uapi/linux/chess.h>
#include <uapi/linux/chess_record.h>
typedef u64 chess_word_t;
#else
#include <stdbool.h>
#include <stddef.h>
#include <linux/chess.h>
#include <linux/chess_record.h>
typedef __u64 chess_word_t;
#endif

#define CHESS_SET_WORDS	(CHESS_MAX_TASKS / 64)

/**
 * struct chess_set - a set of task ids
 * @words: bit N of word W stands for task 64 * W + N
 * @count: number of ids in the set
 */
struct chess_set {
	chess_word_t words[CHESS_SET_WORDS];
	unsigned int count;
};

void chess_set_clear(struct chess_set *set);
unsigned int chess_set_next(const struct chess_set *set, unsigned int from);

/**
 * chess_set_has() - is this id in the set
 * @set: the set
 * @id: less than CHESS_MAX_TASKS
 *
 * Context: any.
 * Return: whether it is.
 */
static inline bool chess_set_has(const struct chess_set *set, unsigned int id)
{
	return set->words[id / 64] >> (id % 64) & 1;
}

/**
 * chess_set_add() - put an id into the set; nothing happens if it is there
 * @set: the set
 * @id: less than CHESS_MAX_TASKS
 *
 * Context: any.
 */
static inline void chess_set_add(struct chess_set *set, unsigned int id)
{
	if (chess_set_has(set, id))
		return;
	set->words[id / 64] |= (chess_word_t)1 << (id % 64);
	set->count++;
}

/**
 * chess_set_remove() - take an id out of the set; nothing happens if it is not in
 * @set: the set
 * @id: less than CHESS_MAX_TASKS
 *
 * Context: any.
 */
static inline void chess_set_remove(struct chess_set *set, unsigned int id)
{
	if (!chess_set_has(set, id))
		return;
	set->words[id / 64] &= ~((chess_word_t)1 << (id % 64));
	set->count--;
}

/**
 * struct chess_prefix - decisions that are forced
 * @segments: run-length coded; owned by whoever set it
 * @count: number of segments
 * @index: segment in use
 * @used: decisions of that segment already taken
 */
struct chess_prefix {
	const struct chess_segment *segments;
	unsigned int count;
	unsigned int index;
	unsigned int used;
};

/**
 * chess_prefix_peek() - the task the prefix wants now
 * @prefix: the prefix
 *
 * Context: any.
 * Return: task id, or CHESS_TASK_NONE after its end.
 */
static inline unsigned int chess_prefix_peek(const struct chess_prefix *prefix)
{
	if (prefix->index >= prefix->count)
		return CHESS_TASK_NONE;
	return prefix->segments[prefix->index].task;
}

/**
 * chess_prefix_advance() - one decision of the prefix was taken
 * @prefix: the prefix
 *
 * Context: any.
 */
static inline void chess_prefix_advance(struct chess_prefix *prefix)
{
	if (prefix->index >= prefix->count)
		return;
	if (++prefix->used >= prefix->segments[prefix->index].count) {
		prefix->index++;
		prefix->used = 0;
	}
}

/**
 * chess_prefix_skip() - decisions of the segment in use were taken
 * @prefix: the prefix
 * @n: how many; no more than are left of it
 *
 * Context: any.
 */
static inline void chess_prefix_skip(struct chess_prefix *prefix, unsigned int n)
{
	if (prefix->index >= prefix->count)
		return;
	prefix->used += n;
	if (prefix->used >= prefix->segments[prefix->index].count) {
		prefix->index++;
		prefix->used = 0;
	}
}

/**
 * chess_prefix_drop() - force nothing from here on
 * @prefix: the prefix
 *
 * Context: any.
 */
static inline void chess_prefix_drop(struct chess_prefix *prefix)
{
	prefix->index = prefix->count;
}

unsigned int chess_decide_default(const struct chess_set *enabled,
				  unsigned int task, bool yield);

#endif /* _CHESS_DECIDE_H */
