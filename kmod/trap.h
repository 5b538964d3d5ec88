/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traps at instructions of user code. arm.c APIs first, then trap.c's.
 */
#ifndef _CHESS_TRAP_H
#define _CHESS_TRAP_H

#include <linux/path.h>
#include "chess.h"

struct inode;
struct file;
struct pt_regs;

/**
 * struct chess_image - a file with traps
 * @entry: in group->images
 * @path: where it was opened; a file system with inodes in use must not go away
 * @inode: the file; a reference is held
 * @count: number of @probes
 * @probes: sorted by offset; never changes
 */
struct chess_image {
	struct list_head entry;
	struct path path;
	struct inode *inode;
	u32 count;
	struct chess_probe probes[] __counted_by(count);
};

int chess_image_add(struct chess_group *g, struct file *file,
		    const struct chess_probe *probes, u32 count);
void chess_image_free_all(struct chess_group *g);

void chess_trap_arm(struct chess_task *t);
void chess_trap_disarm(struct chess_task *t);
void chess_trap_disarm_other(struct task_struct *task, struct chess_mm *mm);
struct chess_mm *chess_mm_get(struct chess_mm *mm);
void chess_mm_share(struct chess_task *t, struct mm_struct *space);
void chess_mm_forked(struct chess_task *parent, struct chess_task *child);
struct chess_mm *chess_mm_create(void);
void chess_mm_put(struct chess_mm *mm);
const struct chess_probe *chess_mm_find(const struct chess_mm *mm, unsigned long ip,
					unsigned long *slot);

int chess_trap_init(void);
void chess_trap_exit(void);
bool chess_trap_inside(struct chess_task *t, unsigned long sp, long nr, u64 object);
void chess_trap_created(struct chess_task *t);

#endif /* _CHESS_TRAP_H */
