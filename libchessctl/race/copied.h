/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a forked process reads of its parent's memory: it was read when the copy was made, by
 * the task that made it, whatever other threads were just doing.
 */
#ifndef CHESSCTL_COPIED_H
#define CHESSCTL_COPIED_H

#include "race/sync.h"

/*
 * Adds to @steps one CHESS_STEP_COPIED before a copy for each instruction that reads bytes
 * of it which the process did not write before. Only where a thread of the parent's may
 * write them meanwhile. @a: the accesses. Return: 0 or -ENOMEM.
 */
int chess_copied_add(struct chess_steps *steps, const struct chess_access *a);

#endif /* CHESSCTL_COPIED_H */
