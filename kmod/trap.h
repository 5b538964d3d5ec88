/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traps at instructions of user code: slot.c, arm.c, space.c, trap.c.
 */
#ifndef _CHESS_TRAP_H
#define _CHESS_TRAP_H

#include "chess.h"

struct pt_regs;
struct vm_area_struct;

#define CHESS_SLOT_BYTES	64

bool chess_slot_build(u8 *out, const struct chess_probe *p, unsigned long va, unsigned long slot);

bool chess_text_is_private(const struct vm_area_struct *vma);
void chess_trap_arm(struct chess_task *t);
void chess_trap_disarm(struct chess_task *t);
bool chess_trap_disarm_other(struct chess_mm *mm);

struct chess_mm *chess_mm_create(void);
struct chess_mm *chess_mm_get(struct chess_mm *mm);
void chess_mm_put(struct chess_mm *mm);
void chess_mm_share(struct chess_task *t, struct mm_struct *space);
void chess_mm_forked(struct chess_task *parent, struct chess_task *child);
CHESS_HOT const struct chess_hit *chess_mm_find(struct chess_task *t, unsigned long ip);
void chess_mm_forget(struct chess_task *t);
void chess_mm_leave_slot(const struct chess_mm *mm, struct pt_regs *regs);

int chess_trap_init(void);
void chess_trap_exit(void);
bool chess_trap_inside(struct chess_task *t, unsigned long sp, long nr, u64 object);
bool chess_trap_yielded(struct chess_task *t, unsigned long sp);
void chess_trap_created(struct chess_task *t);
struct chess_frame *chess_trap_condition(struct chess_task *t, unsigned long sp, u64 word);

#endif /* _CHESS_TRAP_H */
