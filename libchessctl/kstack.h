/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kstack.c: where in the kernel blocked tasks sleep, read with BPF. runner.c asks once
 * for each failure that is reported.
 */
#ifndef CHESSCTL_KSTACK_H
#define CHESSCTL_KSTACK_H

#include "chessctl/chessctl.h"

struct chess_look;

/* Fills @kernel of each wait whose task is still asleep. 0, or -errno with chess_error(). */
int chess_waits_add_stacks(struct chess_look *l, struct chess_wait *waits, size_t n);

#endif /* CHESSCTL_KSTACK_H */
