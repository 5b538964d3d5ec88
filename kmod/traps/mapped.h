/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files a run executes code of that have no traps registered.
 */
#ifndef _CHESS_MAPPED_H
#define _CHESS_MAPPED_H

#include "chess.h"

struct vm_area_struct;

int chess_mapped_start(struct chess_mapped *m, struct chess_quota *quota);
void chess_mapped_free(struct chess_mapped *m);
bool chess_mapped_note(struct chess_mapped *m, const struct vm_area_struct *vma);

#endif /* _CHESS_MAPPED_H */
