/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Policy pairs: which write an operation reads from, and which not, where the program allows it.
 * Pure as policy.h is; policy.c is the only caller.
 */
#ifndef _CHESS_POLICY_PAIRS_H
#define _CHESS_POLICY_PAIRS_H

#include "policy_order.h"

/**
 * struct chess_policy_pairs - what of the plan's pairs a run has done
 * @written: by pair, the object whose last write was done at the pair's first place; not bound:
 *	there is none
 * @done: bit N: the second place of pair N has read what the first one wrote
 */
struct chess_policy_pairs {
	struct chess_policy_range written[CHESS_PAIRS_MAX];
	__u32 done;
};

const char *chess_pairs_fault(const __u32 *changes, unsigned int n);
void chess_pairs_start(struct chess_policy *p);
bool chess_pairs_holds(const struct chess_policy *p, unsigned int id, unsigned int *tries);
void chess_pairs_go(struct chess_policy *p, unsigned int id);

#endif /* _CHESS_POLICY_PAIRS_H */
