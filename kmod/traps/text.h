/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a file's text with the traps of an image in them, the same in all processes.
 */
#ifndef _CHESS_TEXT_H
#define _CHESS_TEXT_H

#include <linux/mutex.h>
#include <linux/time64.h>
#include <linux/types.h>

struct chess_image;
struct file;
struct page;

/**
 * struct chess_text_page - one page
 * @page: kernel memory; a reference is held, and one for each mapping
 * @first: first trap of the image in it
 * @end: after the last one
 */
struct chess_text_page {
	struct page *page;
	u32 first;
	u32 end;
};

/**
 * struct chess_text - the pages of one image
 * @lock: serializes all
 * @size: of the file when it was read
 * @mtime: the same
 * @ctime: the same
 * @npages: of @pages; zero: not read
 * @pages: by offset
 * @armed: bit N: trap N of those chosen is in its page
 */
struct chess_text {
	struct mutex lock;
	loff_t size;
	struct timespec64 mtime;
	struct timespec64 ctime;
	u32 npages;
	struct chess_text_page *pages;
	unsigned long *armed;
};

void chess_text_init(struct chess_text *text);
void chess_text_forget(struct chess_text *text);
u32 chess_text_map(const struct chess_image *image, unsigned long base, unsigned long addr,
		   unsigned long *armed, unsigned long *done);

#endif /* _CHESS_TEXT_H */
