/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A prefix that waits for its run, as forks.c and aside.c keep it: a search has millions.
 */
#ifndef CHESSCTL_FORK_H
#define CHESSCTL_FORK_H

#include "chessctl/chessctl.h"

/* Widths that hold a decision's number, a task, and a fingerprint. */
#define AT_BITS		22
#define TASK_BITS	16
#define PRINT_BITS	16

_Static_assert(CHESS_MAX_EVENTS <= 1 << AT_BITS, "a fork has room for each decision");
_Static_assert(CHESS_TASK_TIMER < 1 << TASK_BITS, "a fork has room for each task, and timers");

/**
 * struct fork - a prefix that waits for its run
 * @at: number of the decision to change
 * @task: runs instead; CHESS_TASK_TIMER: timers go off first
 * @print: fingerprint of the source's record up to that decision
 * @last: it waits until no other fork of its level does; not kept by queue.c
 * @weight: of the subtree below it; that of the whole tree is one
 */
struct fork {
	uint64_t at : AT_BITS;
	uint64_t task : TASK_BITS;
	uint64_t print : PRINT_BITS;
	uint64_t last : 1;
	float weight;
} __attribute__((packed, aligned(4)));

#endif /* CHESSCTL_FORK_H */
