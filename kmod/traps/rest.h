/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traps at accesses that rest while a task is alone.
 */
#ifndef _CHESS_REST_H
#define _CHESS_REST_H

#include <linux/types.h>

struct chess_group;
struct chess_image;
struct chess_map;
struct chess_mm;
struct chess_task;

/**
 * struct chess_rest - do the traps of a run rest
 * @due: they may from this length of the record of accesses on; U32_MAX: that is decided
 * @passed: accesses that would have been points, had the task had company
 * @resting: they do
 * @had_company: they will not any more
 *
 * Written by the token holder, or by a thread of the kernel that serves it.
 */
struct chess_rest {
	u32 due;
	u32 passed;
	bool resting;
	bool had_company;
};

void chess_rest_start(struct chess_rest *r);
bool chess_rest_wants(const struct chess_image *image, u32 i);
bool chess_rest_has_timers(const struct chess_group *g);
void chess_rest_begin(struct chess_task *t);
void chess_rest_at_point(struct chess_task *t);
void chess_rest_end(struct chess_rest *r);
bool chess_rest_map(struct chess_mm *mm, struct chess_map *map, bool rests);
bool chess_rest_is_due(const struct chess_task *t);
void chess_rest_change(struct chess_task *t);

#endif /* _CHESS_REST_H */
