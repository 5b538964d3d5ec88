// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files with traps. netlink_probe.c adds them, access.c has a run's traps chosen before it
 * starts, arm.c arms those wherever a task maps the file, and finds them when they are hit.
 *
 * A file may have a hundred thousand accesses of which a run that does not record arms
 * ten. So what a hit looks through, and what slots are made for, are the chosen ones; and a
 * hit is frequent, so they are found by block of text, not by bisection over all.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/overflow.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "access.h"
#include "chess.h"
#include "image.h"
#include "quota.h"
#include "text.h"

/*
 * 9p without a cache makes a new inode for each open. Elsewhere there is one, and a number
 * alone does not tell files apart: on btrfs each subvolume has its own.
 */
static bool is_inode(const struct chess_image *image, const struct inode *inode)
{
	if (image->inode == inode)
		return true;
	return inode->i_sb->s_magic == V9FS_MAGIC && image->inode->i_sb == inode->i_sb &&
	       image->inode->i_ino == inode->i_ino;
}

/**
 * chess_image_find() - the traps of a file
 * @g: the group
 * @inode: the file
 *
 * Context: task work of a task of the group, or group->lock held.
 * Return: them, or NULL.
 */
const struct chess_image *chess_image_find(struct chess_group *g, const struct inode *inode)
{
	struct chess_image *image;

	list_for_each_entry_rcu(image, &g->images.list, entry, true)
		if (is_inode(image, inode))
			return image;
	return NULL;
}

/**
 * chess_image_is() - is this its file
 * @image: the image
 * @file: an open file
 *
 * Context: any.
 * Return: whether it is.
 */
bool chess_image_is(const struct chess_image *image, const struct file *file)
{
	return is_inode(image, d_real_inode(file->f_path.dentry));
}

/**
 * chess_image_may_hang() - is its file served by a program, which need not answer
 * @image: the image
 *
 * Any user can have one that does not.
 *
 * Context: any.
 * Return: whether it is.
 */
bool chess_image_may_hang(const struct chess_image *image)
{
	return image->inode->i_sb->s_magic == FUSE_SUPER_MAGIC;
}

static void free_image(struct chess_image *image)
{
	if (image->inode)
		iput(image->inode);
	path_put(&image->path);
	chess_text_forget(image->text);
	kfree(image->text);
	chess_quota_free(image->probes);
	chess_quota_free(image->operands);
	chess_quota_free(image->chosen);
	chess_quota_free(image->blocks);
	kfree(image);
}

/* Make a larger copy. The old one is freed: nobody uses it while the group is idle. */
static int grow(struct chess_quota *quota, void **array, size_t size, u32 old, u32 room)
{
	void *more = chess_quota_alloc(quota, room, size, 0);

	if (!more)
		return -ENOMEM;
	if (*array)
		memcpy(more, *array, array_size(old, size));
	chess_quota_free(*array);
	*array = more;
	return 0;
}

static int make_room(struct chess_image *image, u32 count, bool has_operands)
{
	const size_t size = CHESS_PROBE_OPERANDS * sizeof(*image->operands);
	struct chess_quota *q = image->quota;
	/* Neither overflows: a group has CHESS_MAX_PROBES at most. */
	u32 need = image->total + count, room = max(need, 2 * image->room);
	int ret = 0;

	if (need > image->room) {
		ret = grow(q, (void **)&image->probes, sizeof(*image->probes), image->total, room);
		if (!ret && image->operands)
			ret = grow(q, (void **)&image->operands, size, image->total, room);
		if (!ret)
			image->room = room;
	}
	if (!ret && has_operands && !image->operands)
		ret = grow(q, (void **)&image->operands, size, 0, image->room);
	return ret;
}

static int add_probes(struct chess_group *g, struct chess_image *image,
		      const struct chess_probe *probes, u32 count,
		      const struct chess_operand *operands)
{
	int ret = make_room(image, count, operands);
	u32 i;

	if (ret)
		return ret;
	for (i = 0; i < count; i++) {
		if (probes[i].flags & CHESS_PROBE_ACCESS) {
			memcpy(&image->operands[CHESS_PROBE_OPERANDS * image->total], operands,
			       CHESS_PROBE_OPERANDS * sizeof(*operands));
			operands += CHESS_PROBE_OPERANDS;
		}
		image->jumps |= probes[i].flags & CHESS_PROBE_JUMP;
		image->probes[image->total++] = probes[i];
	}
	g->images.nprobes += count;
	g->accesses.is_chosen = false;
	return 0;
}

static struct chess_image *create_image(struct chess_group *g, struct file *file)
{
	struct chess_image *image = kzalloc(sizeof(*image), GFP_KERNEL_ACCOUNT);

	if (!image)
		return NULL;
	image->text = kmalloc(sizeof(*image->text), GFP_KERNEL_ACCOUNT);
	if (!image->text) {
		kfree(image);
		return NULL;
	}
	chess_text_init(image->text);
	image->quota = g->quota;
	image->path = file->f_path;
	path_get(&image->path);
	image->inode = d_real_inode(file->f_path.dentry);
	ihold(image->inode);
	return image;
}

/* list_count_nodes() is of 6.3, and only some updates of 6.1 have it. */
static size_t count_images(const struct chess_group *g)
{
	const struct list_head *entry;
	size_t n = 0;

	list_for_each(entry, &g->images.list)
		n++;
	return n;
}

/**
 * chess_image_add() - register traps in a file
 * @g: an idle group
 * @file: the file
 * @probes: sorted by offset, validated
 * @count: how many
 * @operands: CHESS_PROBE_OPERANDS for each that is at an access, or NULL
 * @append: the file has traps already, before these
 *
 * Context: netlink, group->lock held.
 * Return: 0; -EEXIST when the file has traps already; with @append -ENOENT when it has none,
 * -EINVAL when they are not all before these; -E2BIG when the group has as many traps or files
 * as it may; -ENOMEM.
 */
int chess_image_add(struct chess_group *g, struct file *file, const struct chess_probe *probes,
		    u32 count, const struct chess_operand *operands, bool append)
{
	struct chess_image *image;
	int ret;

	lockdep_assert_held(&g->lock);
	if (count > CHESS_MAX_PROBES || g->images.nprobes > CHESS_MAX_PROBES - count)
		return -E2BIG;
	image = (struct chess_image *)chess_image_find(g, d_real_inode(file->f_path.dentry));
	if (append) {
		if (!image)
			return -ENOENT;
		if (image->probes[image->total - 1].offset >= probes[0].offset)
			return -EINVAL;
		return add_probes(g, image, probes, count, operands);
	}
	if (image)
		return -EEXIST;
	if (count_images(g) >= CHESS_MAX_IMAGES)
		return -E2BIG;
	image = create_image(g, file);
	if (!image)
		return -ENOMEM;
	ret = add_probes(g, image, probes, count, operands);
	if (ret)
		free_image(image);
	else
		list_add_tail_rcu(&image->entry, &g->images.list);
	return ret;
}

/**
 * chess_image_free_all() - free the files of a group without tasks
 * @g: the group
 *
 * Context: process; nobody else has the group.
 */
void chess_image_free_all(struct chess_group *g)
{
	struct chess_image *image, *next;

	list_for_each_entry_safe(image, next, &g->images.list, entry)
		free_image(image);
}

/* Blocks there may be for so many traps, else larger ones do: two far apart are enough. */
static u64 blocks_for(u32 count)
{
	return SZ_1K + 64ULL * count;
}

static int number_blocks(struct chess_image *image)
{
	u64 first, last;
	u32 block, i = 0;

	chess_quota_free(image->blocks);
	image->blocks = NULL;
	image->nblocks = 0;
	if (!image->count)
		return 0;
	first = image->chosen[0].offset;
	last = image->chosen[image->count - 1].offset;
	image->shift = CHESS_BLOCK_SHIFT;
	while ((last >> image->shift) - (first >> image->shift) >= blocks_for(image->count))
		image->shift++;
	image->first_block = first >> image->shift;
	image->nblocks = (last >> image->shift) - image->first_block + 1;
	image->blocks = chess_quota_alloc(image->quota, size_add(image->nblocks, 1),
					  sizeof(*image->blocks), 0);
	if (!image->blocks) {
		image->nblocks = 0;
		return -ENOMEM;
	}
	for (block = 0; block <= image->nblocks; block++) {
		while (i < image->count &&
		       (image->chosen[i].offset >> image->shift) - image->first_block < block)
			i++;
		image->blocks[block] = i;
	}
	return 0;
}

static int choose(struct chess_group *g, struct chess_image *image)
{
	u32 i, n = 0;

	chess_text_forget(image->text);
	chess_quota_free(image->chosen);
	image->count = 0;
	for (i = 0; i < image->total; i++)
		n += chess_access_wants(g, &image->probes[i]);
	image->chosen = chess_quota_alloc(image->quota, n ?: 1, sizeof(*image->chosen), 0);
	if (!image->chosen)
		return -ENOMEM;
	for (i = 0; i < image->total; i++)
		if (chess_access_wants(g, &image->probes[i]))
			image->chosen[image->count++] = (struct chess_chosen) {
				.offset = image->probes[i].offset, .probe = i,
			};
	return number_blocks(image);
}

/**
 * chess_image_choose_all() - choose the traps of the next run
 * @g: an idle group
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -ENOMEM.
 */
int chess_image_choose_all(struct chess_group *g)
{
	struct chess_image *image;
	int ret = 0;

	lockdep_assert_held(&g->lock);
	list_for_each_entry(image, &g->images.list, entry) {
		ret = choose(g, image);
		if (ret)
			break;
	}
	return ret;
}
