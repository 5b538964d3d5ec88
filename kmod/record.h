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
u32 chess_record_push_locked(struct chess_group *g, const struct chess_event *e);
void chess_record_stack(struct chess_group *g, u32 seq, const struct pt_regs *regs);
u32 chess_record_inode_locked(struct chess_group *g, const struct inode *inode);

#endif /* _CHESS_RECORD_H */
