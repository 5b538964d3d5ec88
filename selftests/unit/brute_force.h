/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many schedules a program has: a plain enumeration that only asks for runs. Which
 * tasks are enabled it takes from what happened, and it has the fair scheduler as the paper
 * writes it.
 */
#ifndef SELFTESTS_BRUTE_FORCE_H
#define SELFTESTS_BRUTE_FORCE_H

#include "op_list.h"

/* How many there are with at most so many preemptions. */
uint64_t brute_force(const struct op_list *p, int bound);

#endif /* SELFTESTS_BRUTE_FORCE_H */
