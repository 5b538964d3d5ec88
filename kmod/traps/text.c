// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text with traps in it, made once and mapped into each process that executes the
 * file. To write the traps into each process's own copy of the text costs a copied page
 * for every page with a trap, in every run; and whoever translates code, as an emulator
 * does, has to translate each copy again.
 *
 * The page table entry of such a page is set before the process has touched it: at execve
 * and after the system call that mapped the file. Where one is there already the page is
 * left to arm.c. A page of ours is like the file's own: a write of the program, or of a
 * debugger, goes to a copy; what unmaps the file unmaps it. It has no place in the page
 * cache, so the file and those who run without traps keep what they have. vm_insert_page()
 * marks the mapping VM_MIXEDMAP, which keeps khugepaged from putting the file's pages there.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "arch_x86.h"
#include "compat.h"
#include "image.h"
#include "quota.h"
#include "text.h"
#include "trap.h"

/**
 * chess_text_init() - none is read
 * @text: of a new image
 *
 * Context: any.
 */
void chess_text_init(struct chess_text *text)
{
	*text = (struct chess_text) { };
	mutex_init(&text->lock);
}

/**
 * chess_text_forget() - drop the pages; processes keep those they have mapped
 * @text: of an image nobody arms now
 *
 * Context: process.
 */
void chess_text_forget(struct chess_text *text)
{
	u32 i;

	for (i = 0; i < text->npages; i++)
		put_page(text->pages[i].page);
	chess_quota_free(text->pages);
	chess_quota_free(text->armed);
	text->pages = NULL;
	text->armed = NULL;
	text->npages = 0;
}

/* One page of the file, with traps. Returns how many probes from @first on are in it. */
static u32 read_page(const struct chess_image *image, struct file *file, u32 first,
		     struct chess_text *text, u8 *buf)
{
	loff_t start = round_down(image->chosen[first].offset, PAGE_SIZE), pos = start;
	struct page *page = alloc_page(GFP_KERNEL_ACCOUNT);
	/* The last instruction may reach into the next page. */
	ssize_t len;
	u32 i;

	if (!page)
		return 0;
	len = kernel_read(file, buf, PAGE_SIZE + CHESS_PROBE_ORIG_MAX, &pos);
	if (len <= 0) {
		put_page(page);
		return 0;
	}
	memset(buf + len, 0, PAGE_SIZE + CHESS_PROBE_ORIG_MAX - len);
	for (i = first; i < image->count; i++) {
		const struct chess_probe *p = chess_image_probe(image, i);
		size_t at = p->offset - start;

		if (at >= PAGE_SIZE)
			break;
		if (at + p->orig_len > len || memcmp(buf + at, p->orig, p->orig_len))
			continue;
		buf[at] = CHESS_ARCH_TRAP_BYTE;
		__set_bit(i, text->armed);
	}
	memcpy(page_address(page), buf, PAGE_SIZE);
	text->pages[text->npages++] = (struct chess_text_page) {
		.page = page, .first = first, .end = i,
	};
	return i - first;
}

static u32 count_pages(const struct chess_image *image)
{
	u64 last = U64_MAX;
	u32 i, n = 0;

	for (i = 0; i < image->count; i++) {
		u64 index = image->chosen[i].offset >> PAGE_SHIFT;

		n += index != last;
		last = index;
	}
	return n;
}

static void read_all(const struct chess_image *image, struct file *file, struct chess_text *text)
{
	u8 *buf = kmalloc(PAGE_SIZE + CHESS_PROBE_ORIG_MAX, GFP_KERNEL_ACCOUNT);
	u32 i = 0, n, npages = count_pages(image);

	text->armed = chess_quota_alloc(image->quota, BITS_TO_LONGS(image->count), sizeof(long), 0);
	/* And for the pages themselves. */
	text->pages = chess_quota_alloc(image->quota, npages, sizeof(*text->pages),
					(size_t)npages * PAGE_SIZE);
	while (buf && text->armed && text->pages && i < image->count) {
		n = read_page(image, file, i, text, buf);
		if (!n)
			break;
		i += n;
	}
	kfree(buf);
}

/*
 * The file may have been written since. Who writes to a library that programs execute
 * gets what he gets, but the next run has the new text.
 */
static void refresh(const struct chess_image *image, struct file *file, struct chess_text *text)
{
	const struct inode *inode = file_inode(file);
	struct timespec64 mtime = chess_compat_mtime(inode), ctime = inode_get_ctime(inode);
	loff_t size = i_size_read(inode);

	if (text->npages && text->size == size && timespec64_equal(&text->mtime, &mtime) &&
	    timespec64_equal(&text->ctime, &ctime))
		return;
	chess_text_forget(text);
	text->size = size;
	text->mtime = mtime;
	text->ctime = ctime;
	read_all(image, file, text);
}

static struct file *file_of(const struct chess_image *image, unsigned long addr)
{
	struct vm_area_struct *vma;
	struct file *file = NULL;

	/* Not from one that need not answer while others wait for us. */
	if (chess_image_may_hang(image) || mmap_read_lock_killable(current->mm))
		return NULL;
	vma = vma_lookup(current->mm, addr);
	if (vma && vma->vm_file && chess_image_is(image, vma->vm_file) &&
	    (vma->vm_file->f_mode & FMODE_READ))
		file = get_file(vma->vm_file);
	mmap_read_unlock(current->mm);
	return file;
}

static bool insert(struct file *file, unsigned long base, unsigned long offset,
		   struct page *page)
{
	unsigned long addr = base + offset;
	struct vm_area_struct *vma = vma_lookup(current->mm, addr);

	return vma && vma->vm_file == file && chess_text_is_private(vma) &&
	       vma->vm_start - (vma->vm_pgoff << PAGE_SHIFT) == base &&
	       (vma->vm_flags & (VM_EXEC | VM_WRITE)) == VM_EXEC &&
	       !vm_insert_page(vma, addr, page);
}

/* Returns whether the page could be mapped. */
static bool map_page(const struct chess_image *image, const struct chess_text_page *p,
		     struct file *file, unsigned long base, unsigned long *armed)
{
	const unsigned long *in = image->text->armed;
	u32 i;

	/*
	 * First: another task may come to a trap as soon as it is there. A bit that is set
	 * for nothing says what is true of no trap, as there is none.
	 */
	for (i = p->first; i < p->end; i++)
		if (test_bit(i, in))
			set_bit(i, armed);
	return insert(file, base, round_down(image->chosen[p->first].offset, PAGE_SIZE), p->page);
}

/**
 * chess_text_map() - map the pages with traps where nothing is mapped yet
 * @image: the file with its traps
 * @base: address of the file's offset 0 in current
 * @addr: an address where it is mapped
 * @armed: bits of the traps in those pages are set
 * @done: the same
 *
 * Context: task work.
 * Return: how many traps are armed now.
 */
u32 chess_text_map(const struct chess_image *image, unsigned long base, unsigned long addr,
		   unsigned long *armed, unsigned long *done)
{
	struct chess_text *text = image->text;
	struct file *file = file_of(image, addr);
	u32 i, n, count = 0;

	if (!file)
		return 0;
	if (mutex_lock_killable(&text->lock))
		goto out;
	refresh(image, file, text);
	if (mmap_write_lock_killable(current->mm))
		goto unlock;
	for (i = 0; i < text->npages; i++) {
		const struct chess_text_page *p = &text->pages[i];

		if (!map_page(image, p, file, base, armed))
			continue;
		for (n = p->first; n < p->end; n++) {
			__set_bit(n, done);
			count += test_bit(n, text->armed);
		}
	}
	mmap_write_unlock(current->mm);
unlock:
	mutex_unlock(&text->lock);
out:
	fput(file);
	return count;
}
