/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a new process shares with the one that created it.
 */
#ifndef _CHESS_KINSHIP_H
#define _CHESS_KINSHIP_H

#include <linux/types.h>

struct task_struct;

u64 chess_kinship_of(const struct task_struct *child);

#endif /* _CHESS_KINSHIP_H */
