/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traps at instructions of user code: slot.c, arm.c, space.c, trap.c.
 */
#ifndef _CHESS_TRAP_H
#define _CHESS_TRAP_H

#include <linux/types.h>
#include "hot.h"
#include "await.h"
#include "fast.h"
#include "retry.h"

struct chess_event;
struct chess_mm;
struct chess_operand;
struct chess_probe;
struct chess_task;
struct mm_struct;
struct pt_regs;
struct vm_area_struct;

#define CHESS_OPS_DEPTH	8
#define CHESS_HITS	16

/**
 * struct chess_hit - a trap that was hit
 * @ip: its address
 * @nmaps: maps its address space had then; a newer one may be in its place
 * @probe: the trap
 * @operands: CHESS_PROBE_OPERANDS where it is at an access, else NULL
 * @slot: where its displaced instruction is
 */
struct chess_hit {
	unsigned long ip;
	u32 nmaps;
	const struct chess_probe *probe;
	const struct chess_operand *operands;
	unsigned long slot;
};

/**
 * struct chess_frame - a trapped function that may not have returned yet
 * @sp: stack pointer at its entry; the return address is there
 * @ip: its first instruction
 * @jumped_to: the function that the first one ended with a jump to, or zero
 * @ret: that return address
 * @object: its object
 * @arg: its second argument of interest, or zero
 * @id: of the trap
 * @op: enum chess_op_class
 */
struct chess_frame {
	unsigned long sp;
	unsigned long ip;
	unsigned long jumped_to;
	unsigned long ret;
	u64 object;
	u64 arg;
	u32 id;
	u8 op;
};

/**
 * struct chess_traps - the traps that a task hit
 * @hits: traps of chess_task.mm that it hit last, by address
 * @slot: where to go on when let go from a trap, or zero
 * @frames: trapped functions it is in
 * @depth: how many of @frames are used
 * @retry: locks it tried
 * @await: the loop it waits in
 * @retired: address of a trap that is to be taken out of the task's address space, or zero
 * @sp: its stack pointer at its last point in a run that records accesses, or zero
 * @fast: fast points
 *
 * Only touched by the task itself.
 */
struct chess_traps {
	struct chess_hit hits[CHESS_HITS];
	unsigned long slot;
	struct chess_frame frames[CHESS_OPS_DEPTH];
	unsigned int depth;
	struct chess_retry retry;
	struct chess_await await;
	unsigned long retired;
	unsigned long sp;
	struct chess_fast_task fast;
};

#define CHESS_SLOT_BYTES	64

bool chess_slot_build(u8 *out, const struct chess_probe *p, unsigned long va, unsigned long slot);

bool chess_text_is_private(const struct vm_area_struct *vma);
void chess_trap_arm(struct chess_task *t);
void chess_trap_disarm(struct chess_task *t);
void chess_trap_change(struct chess_task *t);
bool chess_trap_disarm_other(struct chess_mm *mm);

struct chess_mm *chess_mm_create(void);
struct chess_mm *chess_mm_get(struct chess_mm *mm);
void chess_mm_put(struct chess_mm *mm);
void chess_mm_share(struct chess_task *t, struct mm_struct *space);
void chess_mm_forked(struct chess_task *parent, struct chess_task *child);
CHESS_HOT const struct chess_hit *chess_mm_find(struct chess_task *t, unsigned long ip);
void chess_mm_forget(struct chess_task *t);
bool chess_mm_leave_slot(const struct chess_mm *mm, struct pt_regs *regs);

int chess_trap_init(void);
void chess_trap_exit(void);
bool chess_trap_inside(struct chess_task *t, unsigned long sp, long nr, u64 object);
bool chess_trap_yielded(struct chess_task *t, unsigned long sp);
void chess_trap_created(struct chess_task *t);
void chess_trap_noted(struct chess_task *t, const struct chess_event *e, unsigned long sp);
struct chess_frame *chess_trap_condition(struct chess_task *t, unsigned long sp, u64 word);

#endif /* _CHESS_TRAP_H */
