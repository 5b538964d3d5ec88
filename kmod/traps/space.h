/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is armed where in one address space. arm.c fills it in; all others ask by the
 * functions of trap.h.
 */
#ifndef _CHESS_SPACE_H
#define _CHESS_SPACE_H

#include "chess.h"
#include "fast.h"
#include "image.h"
#include "memory.h"
#include "request_access.h"

#define CHESS_MAX_MAPS	32

/**
 * struct chess_map - one image mapped at one address
 * @ref: address spaces that share it (after fork)
 * @image: the file; lives as long as the group
 * @base: address of the file's offset 0
 * @slots: address of the first slot
 * @armed: bit N: trap N of those chosen was armed; never cleared, a hit may be on
 *	its way while another task disarms
 */
struct chess_map {
	struct kref ref;
	const struct chess_image *image;
	unsigned long base;
	unsigned long slots;
	unsigned long armed[];
};

/**
 * struct chess_mm - traps of one address space
 * @ref: tasks that run in it
 * @mm: the kernel's; mmgrab()bed, so that the address is not reused; NULL while
 *	this is a spare
 * @nmaps: published maps, written with smp_store_release()
 * @maps: filled in order, never changed once published
 * @rests: those that rest.c takes out are; written under group->leaving
 * @clean: its traps were taken out and none was armed since; under group->leaving
 * @fast: fast points
 * @shared: what other processes may have mapped, too
 * @rings: its io_uring
 * @rwork: for freeing
 */
struct chess_mm {
	struct kref ref;
	struct mm_struct *mm;
	u32 nmaps;
	struct chess_map *maps[CHESS_MAX_MAPS];
	bool rests;
	bool clean;
	struct chess_fast fast;
	struct chess_shared shared;
	struct chess_rings rings;
	struct rcu_work rwork;
};

/**
 * chess_mm_shared() - the shared mappings of an address space
 * @mm: its traps
 *
 * Context: any, in a task of it that has the token.
 * Return: them.
 */
static inline struct chess_shared *chess_mm_shared(struct chess_mm *mm)
{
	return &mm->shared;
}

/**
 * chess_mm_rings() - the rings of an address space
 * @mm: its traps
 *
 * Context: any, in a task of it that has the token.
 * Return: them.
 */
static inline struct chess_rings *chess_mm_rings(struct chess_mm *mm)
{
	return &mm->rings;
}

#endif /* _CHESS_SPACE_H */
