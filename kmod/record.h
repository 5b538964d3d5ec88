/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of a run: events in order, stack snapshots, file mappings.
 */
#ifndef _CHESS_RECORD_H
#define _CHESS_RECORD_H

#include "chess.h"

struct pt_regs;
struct inode;

#define CHESS_STACK_SLOT	(sizeof(struct chess_stack) + CHESS_STACK_BYTES)

int chess_record_init(struct chess_record *r, u32 capacity);
void chess_record_free(struct chess_record *r);
int chess_record_start(struct chess_record *r, const u32 *seqs, u32 nseqs);
void chess_record_overflow_locked(struct chess_group *g);
void chess_record_stack(struct chess_group *g, u32 seq, const struct pt_regs *regs);
u32 chess_record_id_locked(struct chess_group *g, u32 kind, u64 id);
u32 chess_record_inode_locked(struct chess_group *g, const struct inode *inode);

/**
 * chess_record_push_locked() - append an event
 * @g: the group
 * @e: the event; its seq is set here
 *
 * Context: any, group->plock held.
 * Return: the seq, or 0 when the record is full.
 */
static inline u32 chess_record_push_locked(struct chess_group *g,
					   const struct chess_event *e)
{
	struct chess_record *r = &g->record;
	u32 n = r->length;

	lockdep_assert_held(&g->plock);
	if (n == r->capacity) {
		chess_record_overflow_locked(g);
		return 0;
	}
	r->events[n] = *e;
	r->events[n].seq = n + 1;
	/* Pairs with smp_load_acquire() in chess_nl_record_get_dumpit(). */
	smp_store_release(&r->length, n + 1);
	return n + 1;
}

#endif /* _CHESS_RECORD_H */
