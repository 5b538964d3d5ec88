/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c: what decides in the next run, from the messages of schedule-set.
 */
#ifndef _CHESS_PLAN_H
#define _CHESS_PLAN_H

#include "chess.h"

struct genl_info;

int chess_plan_set(struct chess_group *g, struct genl_info *info);

#endif /* _CHESS_PLAN_H */
