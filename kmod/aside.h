/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run came to before its process was kept: put aside for the runs that its forks begin.
 */
#ifndef _CHESS_ASIDE_H
#define _CHESS_ASIDE_H

#include <linux/bitmap.h>
#include <linux/sizes.h>

#include "chess.h"

struct chess_task;
struct chess_wait_loop;

/* Where the start of a program has more than this it is not kept: each run copies it. */
#define CHESS_ASIDE_EVENTS	4096
#define CHESS_ASIDE_ACCESSES	SZ_64K

/**
 * struct chess_aside - what a run came to before its process was kept
 *
 * The members are those of the same names in struct chess_group and its parts.
 */
struct chess_aside {
	u32 decisions;
	u64 random;
	u64 sent;
	struct chess_streak streak;
	struct chess_clock clock;
	struct chess_fair fair;
	struct chess_memories memories;
	struct chess_late_rules late;
	struct chess_rest rest;
	u32 flags;
	bool records;
	u64 lost_accesses;
	struct chess_event *events;
	u32 nevents;
	struct chess_object_name *inodes;
	u32 ninodes;
	struct chess_access *accesses;
	u32 naccesses;
	struct chess_wait_loop *loop;
	char *maps;
	char *text;
	u32 text_length;
	struct chess_object_name *mapped;
	u32 nmapped;
	DECLARE_BITMAP(translated, CHESS_MAX_MAPPED);
};

bool chess_aside_put(struct chess_aside *a, const struct chess_group *g);
bool chess_aside_follow_locked(struct chess_group *g, const struct chess_aside *a);
void chess_aside_restore_locked(struct chess_group *g, const struct chess_aside *a);
void chess_aside_copy(struct chess_group *g, const struct chess_aside *a);
void chess_aside_model_locked(struct chess_task *t, const struct chess_task *model);
void chess_aside_free(struct chess_aside *a);

#endif /* _CHESS_ASIDE_H */
