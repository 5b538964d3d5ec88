/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of a run: events in order, stack snapshots, file mappings.
 */
#ifndef _CHESS_RECORD_H
#define _CHESS_RECORD_H

#include <uapi/linux/chess.h>
#include <uapi/linux/chess_record.h>
#include "traps/mapped.h"

struct chess_group;
struct chess_quota;
struct inode;
struct kernel_siginfo;
struct pt_regs;

#define CHESS_MAX_INODES	1024

/**
 * struct chess_record - the record of a run
 * @quota: where its memory is charged, or NULL
 * @events: @capacity entries, written under plock
 * @length: entries written, released with smp_store_release() so that the
 *	reader needs no lock
 * @capacity: fixed while the group lives
 * @dropped: events that did not fit; under plock
 * @seqs: sorted numbers of events, and of accesses after them, to take stack snapshots
 *	at; fixed during a run
 * @nseqs: length of @seqs
 * @next: index in @seqs of the next access that is to come; written by the token holder
 * @stacks: one slot of CHESS_STACK_SLOT bytes for each of @seqs
 * @maps: text of the program's file mappings, or NULL; under group->lock
 * @mapped: files without traps that are executed
 */
struct chess_record {
	struct chess_quota *quota;
	struct chess_event *events;
	u32 length;
	u32 capacity;
	u32 dropped;
	u32 seqs[CHESS_MAX_STACKS];
	u32 nseqs;
	u32 next;
	void *stacks;
	char *maps;
	struct chess_mapped mapped;
};

/**
 * struct chess_inodes - numbers of the inodes that a run met
 * @names: canonical names, number N at index N - 1; written under plock, and not changed
 *	during a run
 * @n: how many; released with smp_store_release()
 */
struct chess_inodes {
	struct chess_object_name *names;
	u32 n;
};

#define CHESS_STACK_SLOT	(sizeof(struct chess_stack) + CHESS_STACK_BYTES)

int chess_record_init(struct chess_record *r, struct chess_quota *quota, u32 capacity);
void chess_record_free(struct chess_record *r);
int chess_record_start(struct chess_record *r, const u32 *seqs, u32 nseqs);
void chess_record_overflow_locked(struct chess_group *g);
void chess_record_stack(struct chess_group *g, u32 seq, const struct pt_regs *regs);
void chess_record_fault(struct chess_group *g, u32 task, const struct kernel_siginfo *info,
			const struct pt_regs *regs);
u32 chess_record_id_locked(struct chess_group *g, u32 kind, u64 id);
struct chess_object_name chess_record_name(const struct inode *inode);
u32 chess_record_inode_locked(struct chess_group *g, const struct inode *inode);

#endif /* _CHESS_RECORD_H */
