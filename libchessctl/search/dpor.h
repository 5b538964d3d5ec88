/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Dynamic partial-order reduction (Flanagan and Godefroid, POPL'05): other ways are taken only
 * where a run shows that two dependent steps could come in the other order. Without a bound it
 * uses source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL'14); with a bound of
 * preemptions it takes more ways, so that no schedule within the bound is lost (Coons, Musuvathi,
 * McKinley, OOPSLA'13). docs/proofs.md says what is claimed.
 */
#ifndef CHESSCTL_DPOR_H
#define CHESSCTL_DPOR_H

#include "chessctl/chessctl.h"

struct chess_dpor;

/**
 * struct chess_dpor_way - a way that has to be taken
 * @at: number of the decision
 * @way: the task that runs there instead; CHESS_TASK_TIMER: timers go off first
 * @cause: why
 * @first: with CHESS_BRANCH_ORDER, the step that comes after @second then, a number
 * @second: the other one
 */
struct chess_dpor_way {
	uint32_t at;
	uint16_t way;
	enum chess_branch_cause cause;
	uint32_t first, second;
};

struct chess_dpor *chess_dpor_new(bool bounded, bool accesses);
void chess_dpor_free(struct chess_dpor *d);
int chess_dpor_find(struct chess_dpor *d, const struct chess_record *r, size_t prefix,
		    const struct chess_dpor_way **ways, size_t *n);
struct chess_branch chess_dpor_why(const struct chess_dpor *d, const struct chess_dpor_way *w);
double chess_dpor_share(const struct chess_dpor *d);
const char *chess_dpor_flaw(const struct chess_dpor *d);

#endif /* CHESSCTL_DPOR_H */
