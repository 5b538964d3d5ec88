/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files with traps: what the owner registered, and which of the traps a run arms.
 */
#ifndef _CHESS_IMAGE_H
#define _CHESS_IMAGE_H

#include <linux/path.h>
#include <linux/list.h>
#include <linux/sizes.h>
#include <uapi/linux/chess_record.h>
#include <uapi/linux/chess.h>

struct chess_group;
struct chess_operand;
struct chess_probe;
struct chess_quota;
struct chess_text;
struct file;
struct inode;

/**
 * struct chess_images - files with traps of a group
 * @list: of them, RCU; written under group->lock
 * @nprobes: traps in them; under group->lock
 */
struct chess_images {
	struct list_head list;
	u32 nprobes;
};

/**
 * struct chess_chosen - a trap that is armed in this run
 * @offset: of the instruction in the file
 * @probe: index in chess_image.probes
 */
struct chess_chosen {
	u64 offset;
	u32 probe;
};

/**
 * struct chess_image - a file with traps
 * @entry: in group->images.list
 * @quota: where its memory is charged, or NULL
 * @path: where it was opened; a file system with inodes in use must not go away
 * @inode: the file; a reference is held
 * @text: pages of it that have the traps of this run in them
 * @probes: sorted by offset
 * @operands: CHESS_PROBE_OPERANDS for each of @probes, or NULL: no accesses among them
 * @total: number of @probes
 * @room: for how many there is memory
 * @chosen: those that this run arms, sorted by offset
 * @count: number of @chosen
 * @shift: a block is so many bits of an offset
 * @blocks: number of the first of @chosen in each block of text, and one more
 * @first_block: the block of @blocks' first entry
 * @nblocks: number of blocks
 * @jumps: some of @probes may become jumps
 *
 * Changes only under group->lock while the group is idle: then nobody maps it.
 */
struct chess_image {
	struct list_head entry;
	struct chess_quota *quota;
	struct path path;
	struct inode *inode;
	struct chess_text *text;
	struct chess_probe *probes;
	struct chess_operand *operands;
	u32 total;
	u32 room;
	struct chess_chosen *chosen;
	u32 count;
	u32 shift;
	u32 *blocks;
	u64 first_block;
	u32 nblocks;
	bool jumps;
};

int chess_image_add(struct chess_group *g, struct file *file, const struct chess_probe *probes,
		    u32 count, const struct chess_operand *operands, bool append);
void chess_image_free_all(struct chess_group *g);
const struct chess_image *chess_image_find(struct chess_group *g, const struct inode *inode);
int chess_image_choose_all(struct chess_group *g);
bool chess_image_is(const struct chess_image *image, const struct file *file);
bool chess_image_may_hang(const struct chess_image *image);

/* A group's traps: each site twice, and files with them. */
#define CHESS_MAX_PROBES	(2 * CHESS_MAX_SITES)
#define CHESS_MAX_IMAGES	1024
/* Slots reach data within two gigabytes: no text has an instruction after this. */
#define CHESS_MAX_TEXT		SZ_4G

/* Text is looked through by blocks of so many bytes, or larger ones where few are in each. */
#define CHESS_BLOCK_SHIFT	7

/**
 * chess_image_at() - the trap at an offset
 * @image: the file
 * @offset: in it
 *
 * Context: any.
 * Return: which of chess_image.chosen; chess_image.count: there is none.
 */
static inline u32 chess_image_at(const struct chess_image *image, u64 offset)
{
	u64 block = (offset >> image->shift) - image->first_block;
	u32 low, high, middle;

	if (block >= image->nblocks)
		return image->count;
	low = image->blocks[block];
	high = image->blocks[block + 1];
	while (low < high) {
		middle = low + (high - low) / 2;
		if (image->chosen[middle].offset == offset)
			return middle;
		if (image->chosen[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return image->count;
}

/**
 * chess_image_probe() - a trap of this run
 * @image: the file
 * @i: which of chess_image.chosen
 *
 * Context: any.
 * Return: it.
 */
static inline const struct chess_probe *chess_image_probe(const struct chess_image *image, u32 i)
{
	return &image->probes[image->chosen[i].probe];
}

/**
 * chess_image_operands() - what the instruction under a trap accesses
 * @image: the file
 * @i: which of chess_image.chosen, with CHESS_PROBE_ACCESS
 *
 * Context: any.
 * Return: CHESS_PROBE_OPERANDS of them.
 */
static inline const struct chess_operand *chess_image_operands(const struct chess_image *image,
							       u32 i)
{
	return &image->operands[CHESS_PROBE_OPERANDS * image->chosen[i].probe];
}

#endif /* _CHESS_IMAGE_H */
