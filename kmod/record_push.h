/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Appending to the record of a run: inline, for points and accesses.
 */
#ifndef _CHESS_RECORD_PUSH_H
#define _CHESS_RECORD_PUSH_H

#include <linux/sched/task_stack.h>

#include "chess.h"

/**
 * chess_record_at_access() - keep the user stack at an access, if it was asked for
 * @g: the group
 * @number: of the access in the record of those, from 1
 *
 * Context: probe, in current, which has the token and makes the access: numbers rise.
 */
static inline void chess_record_at_access(struct chess_group *g, u32 number)
{
	struct chess_record *r = &g->record;

	if (likely(r->next == r->nseqs || r->seqs[r->next] != (CHESS_STACK_AT_ACCESS | number)))
		return;
	r->next++;
	chess_record_stack(g, CHESS_STACK_AT_ACCESS | number, task_pt_regs(current));
}

/**
 * chess_record_slot_locked() - where the next event will stand
 * @g: the group
 *
 * Context: any, group->plock held until chess_record_commit_locked(), or until what
 * was written there is not needed any more: the next push writes there as well.
 * Return: it; one after the last where the record is full.
 */
static inline struct chess_event *chess_record_slot_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return &g->record.events[g->record.length];
}

/**
 * chess_record_commit_locked() - append the event that was written into the slot
 * @g: the group
 * @e: the slot; its seq is set here
 *
 * Context: any, group->plock held since chess_record_slot_locked().
 * Return: the seq, or 0 when the record is full.
 */
static inline u32 chess_record_commit_locked(struct chess_group *g, struct chess_event *e)
	__must_hold(&g->plock)
{
	struct chess_record *r = &g->record;
	u32 n = r->length;

	lockdep_assert_held(&g->plock);
	if (n == r->capacity) {
		chess_record_overflow_locked(g);
		return 0;
	}
	e->seq = ++n;
	/* Pairs with smp_load_acquire() in chess_nl_record_get_dumpit(). */
	smp_store_release(&r->length, n);
	return n;
}

/**
 * chess_record_push_locked() - append an event
 * @g: the group
 * @e: the event; without its seq
 *
 * Context: any, group->plock held.
 * Return: the seq, or 0 when the record is full.
 */
static inline u32 chess_record_push_locked(struct chess_group *g,
					   const struct chess_event *e)
	__must_hold(&g->plock)
{
	struct chess_event *slot = chess_record_slot_locked(g);

	lockdep_assert_held(&g->plock);
	*slot = *e;
	return chess_record_commit_locked(g, slot);
}

#endif /* _CHESS_RECORD_PUSH_H */
