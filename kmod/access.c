// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accesses of a run. The token holder alone writes them, so no lock is taken; a reader
 * takes what is below the length it loaded.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "access.h"
#include "image.h"

/**
 * chess_access_free() - free what a group holds for its accesses
 * @g: the group
 *
 * Context: process; nobody else has the group.
 */
void chess_access_free(struct chess_group *g)
{
	vfree(g->accesses.entries);
	kvfree(g->accesses.points);
}

static int make_room(struct chess_accesses *a, u32 max)
{
	struct chess_access *entries;

	if (max <= a->capacity)
		return 0;
	/* What is read back has been written before: no need for zeroes. */
	entries = __vmalloc(array_size(max, sizeof(*entries)), GFP_KERNEL_ACCOUNT);
	if (!entries)
		return -ENOMEM;
	vfree(a->entries);
	a->entries = entries;
	a->capacity = max;
	return 0;
}

/**
 * chess_access_start() - before a run
 * @g: an idle group
 * @max: record so many accesses at most
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -ENOMEM.
 */
int chess_access_start(struct chess_group *g, u32 max)
{
	struct chess_accesses *a = &g->accesses;
	int ret;

	lockdep_assert_held(&g->lock);
	WRITE_ONCE(a->length, 0);
	a->lost = 0;
	a->max = 0;
	ret = make_room(a, max);
	if (ret)
		return ret;
	a->max = max;
	if (a->is_chosen && a->was_recording == !!max)
		return 0;
	a->is_chosen = false;
	ret = chess_image_choose_all(g);
	if (ret)
		return ret;
	a->is_chosen = true;
	a->was_recording = max;
	return 0;
}

/**
 * chess_access_set_points() - set which sites are points
 * @g: an idle group
 * @bytes: site N is bit N % 8 of byte N / 8
 * @count: of @bytes; at most CHESS_MAX_SITES / 8
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -ENOMEM.
 */
int chess_access_set_points(struct chess_group *g, const void *bytes, u32 count)
{
	struct chess_accesses *a = &g->accesses;

	lockdep_assert_held(&g->lock);
	if (!a->points && !count)
		return 0;
	if (!a->points)
		a->points = kvcalloc(BITS_TO_LONGS(CHESS_MAX_SITES), sizeof(*a->points),
				     GFP_KERNEL_ACCOUNT);
	if (!a->points)
		return -ENOMEM;
	bitmap_zero(a->points, CHESS_MAX_SITES);
	/* Little endian, as all processors are that arch_x86.h is for. */
	memcpy(a->points, bytes, count);
	a->is_chosen = a->is_chosen && a->was_recording;
	return 0;
}

static bool is_point(const struct chess_accesses *a, const struct chess_probe *p)
{
	return a->points && test_bit(p->site, a->points);
}

/**
 * chess_access_wants() - is a trap to be armed in the next run
 * @g: the group
 * @p: the trap
 *
 * Context: netlink, group->lock held.
 * Return: whether it is.
 */
bool chess_access_wants(const struct chess_group *g, const struct chess_probe *p)
{
	return p->id || g->accesses.max || is_point(&g->accesses, p);
}
