/* SPDX-License-Identifier: GPL-2.0-only */
/* Loops that wait for another task, seen by the accesses they make; wait_loop.c. */
#ifndef _CHESS_WAIT_LOOP_H
#define _CHESS_WAIT_LOOP_H

#include <linux/types.h>

/* Words that a loop that waits may access, each once and again: flags of that many tasks. */
#define CHESS_LOOP_WORDS	256
#define CHESS_LOOP_SLOTS_LOG2	10
#define CHESS_LOOP_SLOTS	(1U << CHESS_LOOP_SLOTS_LOG2)

/**
 * struct chess_wait_loop - what the running task accessed since the last decision
 * @accesses: how many
 * @same: of them, since the last one to a word that was new
 * @decisions: chess_group.decisions then
 * @n: of @slot that are used
 * @used: which ones
 * @slot: a hash table of addresses divided by eight; zero: not used
 *
 * The token holder alone uses it.
 */
struct chess_wait_loop {
	u32 accesses;
	u32 same;
	u32 decisions;
	u32 n;
	u16 used[CHESS_LOOP_WORDS];
	u64 slot[CHESS_LOOP_SLOTS];
};

void chess_wait_loop_forget(struct chess_wait_loop *l);
bool chess_wait_loop_turned(struct chess_wait_loop *l, u32 decisions, u64 address);
void chess_wait_loop_goes_on(struct chess_wait_loop *l);

/* Accesses to words that are known, after which a task may be in a loop. */
#define CHESS_LOOP_DOUBT	1000

/**
 * chess_wait_loop_is_none() - is it known that a task does not wait
 * @l: the loop
 *
 * Context: probe (trap of current), which has the token.
 * Return: whether it has come to a new word a short while ago.
 */
static inline bool chess_wait_loop_is_none(const struct chess_wait_loop *l)
{
	return l->same < CHESS_LOOP_DOUBT;
}

/**
 * chess_wait_loop_keep() - a decision is taken that is not a step of the token holder
 * @l: the loop, or NULL
 * @decisions: how many were taken before it
 *
 * Context: any; chess_group.plock held.
 */
static inline void chess_wait_loop_keep(struct chess_wait_loop *l, u32 decisions)
{
	if (l && l->decisions == decisions)
		l->decisions++;
}

#endif /* _CHESS_WAIT_LOOP_H */
