// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does a task wait in a loop without points? By its recorded accesses, one that does reads the
 * same few words again and again, and one that computes comes to others sooner or later. A task
 * that is taken to wait has used up its quantum, at the same access in every run, where the
 * watchdog's quantum comes by time.
 *
 * The number of accesses alone does not say it: a compressor makes millions of them between two
 * of its points. To let others go first there, in runs that record accesses and in no others,
 * makes the two kinds of runs differ.
 *
 * The words are known exactly, not by a filter, so that nothing hangs on where the memory lies: a
 * trace is replayed in a larger environment, too.
 */
#include <linux/hash.h>

#include "wait_loop.h"

/* Accesses of one task in a row, without a decision in between. */
#define CHESS_LOOP_ACCESSES	100000
/* So many of them, the last ones, come to no word that is new. */
#define CHESS_LOOP_SAME		50000
/* Wherever they go. Where a record may be long, hot sites have lost their traps by then. */
#define CHESS_LOOP_LONG		2000000

static void forget_words(struct chess_wait_loop *l)
{
	u32 i;

	for (i = 0; i < l->n; i++)
		l->slot[l->used[i]] = 0;
	l->n = 0;
}

/**
 * chess_wait_loop_forget() - another task, or another step of this one
 * @l: the loop
 *
 * Context: any; the caller has the token or the idle group's lock.
 */
void chess_wait_loop_forget(struct chess_wait_loop *l)
{
	forget_words(l);
	l->accesses = 0;
	l->same = 0;
}

/* There is always a slot that is free. */
static bool is_new(struct chess_wait_loop *l, u64 word)
{
	u32 at = hash_64(word, CHESS_LOOP_SLOTS_LOG2);

	while (l->slot[at]) {
		if (l->slot[at] == word)
			return false;
		at = (at + 1) % CHESS_LOOP_SLOTS;
	}
	if (l->n == CHESS_LOOP_WORDS) {
		forget_words(l);
		at = hash_64(word, CHESS_LOOP_SLOTS_LOG2);
	}
	l->used[l->n++] = at;
	l->slot[at] = word;
	return true;
}

/**
 * chess_wait_loop_turned() - the task makes an access
 * @l: the loop
 * @decisions: how many the group has taken
 * @address: of the access; zero: not known
 *
 * Context: probe (trap of current), which has the token.
 * Return: whether it has made so many that it is taken to wait.
 */
bool chess_wait_loop_turned(struct chess_wait_loop *l, u32 decisions, u64 address)
{
	u64 word = address / sizeof(word);

	if (l->decisions != decisions) {
		l->decisions = decisions;
		chess_wait_loop_forget(l);
	}
	l->accesses++;
	l->same++;
	if (word && is_new(l, word))
		l->same = 0;
	return l->accesses >= CHESS_LOOP_LONG ||
	       (l->accesses >= CHESS_LOOP_ACCESSES && l->same >= CHESS_LOOP_SAME);
}

/**
 * chess_wait_loop_goes_on() - what it is taken to wait for has not ended it
 * @l: the loop
 *
 * Once a loop, it need not be found to be one again soon.
 *
 * Context: probe (trap of current), which has the token.
 */
void chess_wait_loop_goes_on(struct chess_wait_loop *l)
{
	l->accesses = CHESS_LOOP_ACCESSES - CHESS_LOOP_ACCESSES / 100;
}
