// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing traps into the private copy of a file's text in one address space, taking them
 * back, and writing the code of their slots. The text of other processes and the file are
 * never touched. arm.c says what is to be written.
 *
 * In a process that was adopted other tasks may run beside the one that arms: all of
 * them are in the table before, so a hit is known for what it is, and one byte is
 * written at a time. They may also map something else there at any moment, or execute
 * another program: what is written to is looked at and written under one hold of the
 * mmap lock, in the address space that was armed and no other, and only to pages that
 * are its own alone.
 */
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/userfaultfd_k.h>

#include "arch_x86.h"
#include "compat.h"
#include "image.h"
#include "patch.h"
#include "space.h"
#include "trap.h"

/**
 * chess_text_is_private() - does a write stay in this address space
 * @vma: a mapping
 *
 * Through a shared one it would reach the file and everybody who maps it.
 *
 * Context: process, mmap_lock held.
 * Return: whether it does, and @vma is of a file.
 */
bool chess_text_is_private(const struct vm_area_struct *vma)
{
	return vma->vm_file &&
	       !(vma->vm_flags & (VM_MAYSHARE | VM_IO | VM_PFNMAP | VM_HUGETLB));
}

/*
 * A page of @vma with a reference; NULL: there is none, or none without a fault. A fault
 * may let go of the lock: then *locked is 0, and what was known of @vma is not any more.
 * Where the program serves faults itself there is none: it need not answer.
 */
static struct page *get_page_of(struct vm_area_struct *vma, unsigned long addr,
				unsigned int flags, bool fault, int *locked)
{
	struct page *page;

	if (!fault || userfaultfd_armed(vma)) {
		flags |= FOLL_NOFAULT;
		locked = NULL;
	}
	if (chess_compat_get_page(vma->vm_mm, addr, flags, &page, locked) != 1)
		return NULL;
	if (!locked || *locked)
		return page;
	put_page(page);
	return NULL;
}

/* The same to write to: never a page of the file, nor one that others have. */
static struct page *get_own_page(struct vm_area_struct *vma, unsigned long addr, bool fault,
				 int *locked)
{
	struct page *page = get_page_of(vma, addr, FOLL_FORCE | FOLL_WRITE, fault, locked);

	if (!page || PageAnon(page))
		return page;
	put_page(page);
	return NULL;
}

static void put_written(struct page *page)
{
	set_page_dirty_lock(page);
	put_page(page);
}

/* Is this the text of the file, and of this address space alone? Else leave it be. */
static bool is_text(const struct chess_map *map, const struct vm_area_struct *vma)
{
	return vma && chess_text_is_private(vma) && chess_image_is(map->image, vma->vm_file) &&
	       vma->vm_start - (vma->vm_pgoff << PAGE_SHIFT) == map->base;
}

/* What stands in front of a page's end, and the instruction that reaches over it. */
struct code {
	u8 *page;
	u8 rest[CHESS_PROBE_ORIG_MAX];
	u32 nrest;
};

static bool is_original(const struct chess_probe *p, const struct code *code, unsigned int at)
{
	u32 here = min_t(u32, p->orig_len, PAGE_SIZE - at), rest = p->orig_len - here;

	return rest <= code->nrest && !memcmp(code->page + at, p->orig, here) &&
	       !memcmp(code->rest, p->orig + here, rest);
}

/* Those from @first to before @end that are to change; with @write they do. */
static u32 patch_bytes(const struct chess_patch *w, u32 first, u32 end, const struct code *code,
		       bool write)
{
	u32 i, count = 0;

	for (i = first; i < end; i++) {
		const struct chess_probe *p = chess_image_probe(w->map->image, i);
		unsigned int at = offset_in_page(p->offset);
		bool is_due = w->arm ? is_original(p, code, at) :
			      test_bit(i, w->map->armed) && code->page[at] == CHESS_ARCH_TRAP_BYTE;

		if (!is_due || (w->wants && !w->wants(w->map->image, i)))
			continue;
		count++;
		if (!write)
			continue;
		/* First the bit: another task may come to the trap as soon as it is there. */
		if (w->arm)
			set_bit(i, w->map->armed);
		WRITE_ONCE(code->page[at], w->arm ? CHESS_ARCH_TRAP_BYTE : p->orig[0]);
	}
	return count;
}

static bool reaches_over(const struct chess_image *image, u32 last)
{
	const struct chess_probe *p = chess_image_probe(image, last);

	return offset_in_page(p->offset) + p->orig_len > PAGE_SIZE;
}

/* Returns how many traps are to change in a page that @page is now. */
static u32 patch_page(const struct chess_patch *w, u32 first, u32 end, struct page *page,
		      struct code *code, bool write)
{
	u32 count;

	code->page = kmap_local_page(page);
	count = patch_bytes(w, first, end, code, write);
	kunmap_local(code->page);
	return count;
}

static int read_rest(struct vm_area_struct *vma, unsigned long addr, struct code *code,
		     int *locked)
{
	struct page *page;

	if (addr >= vma->vm_end)
		return 0;
	page = get_page_of(vma, addr, FOLL_FORCE, true, locked);
	if (!page)
		return *locked ? 0 : -EAGAIN;
	memcpy_from_page(code->rest, page, 0, sizeof(code->rest));
	code->nrest = sizeof(code->rest);
	put_page(page);
	return 0;
}

/*
 * Between the look at the mapping and the write nobody changes it: the lock is held. A page
 * in which nothing is to change is only read, lest it be copied.
 */
static int patch_locked(struct chess_patch *w, u32 first, u32 end, int *locked)
{
	const struct chess_image *image = w->map->image;
	unsigned long start = w->map->base + round_down(image->chosen[first].offset, PAGE_SIZE);
	struct vm_area_struct *vma = vma_lookup(w->mm, start);
	bool fault = w->is_own || !chess_image_may_hang(image);
	struct code code = {};
	struct page *page;
	u32 count;
	int ret = 0;

	mmap_assert_locked(w->mm);
	if (!is_text(w->map, vma))
		return 0;
	page = get_page_of(vma, start, FOLL_FORCE, fault, locked);
	if (!page)
		return -EFAULT;
	if (w->arm && reaches_over(image, end - 1))
		ret = read_rest(vma, start + PAGE_SIZE, &code, locked);
	count = ret ? 0 : patch_page(w, first, end, page, &code, false);
	put_page(page);
	if (!count)
		return ret;
	page = get_own_page(vma, start, fault, locked);
	if (!page)
		return -EFAULT;
	w->count += patch_page(w, first, end, page, &code, true);
	put_written(page);
	return 0;
}

/* The worker does not wait for one that may wait for its file system. */
static bool lock_space(const struct chess_patch *w)
{
	if (w->is_own)
		return !mmap_read_lock_killable(w->mm);
	return mmap_read_trylock(w->mm);
}

/* A page that is taken away again and again meanwhile is given up. */
#define PATCH_TRIES	16

static bool patch_some(struct chess_patch *w, u32 first, u32 end)
{
	int i, ret, locked;

	for (i = 0; i < PATCH_TRIES; i++) {
		if (!lock_space(w))
			return false;
		locked = 1;
		ret = patch_locked(w, first, end, &locked);
		if (locked) {
			mmap_read_unlock(w->mm);
			return !ret;
		}
	}
	return false;
}

/**
 * chess_patch_text() - write or take back traps, page by page
 * @w: which
 *
 * Context: process, may sleep; group->leaving held.
 * Return: false where a page could not be read or written.
 */
bool chess_patch_text(struct chess_patch *w)
{
	const struct chess_image *image = w->map->image;
	bool good = true;
	u32 i = 0, end;

	while (i < image->count) {
		u64 index = image->chosen[i].offset >> PAGE_SHIFT;

		for (end = i + 1; end < image->count; end++)
			if (image->chosen[end].offset >> PAGE_SHIFT != index)
				break;
		if (!w->done || !test_bit(i, w->done))
			good &= patch_some(w, i, end);
		i = end;
	}
	return good;
}

/**
 * chess_patch_one() - write or take back a trap
 * @w: of which map
 * @n: which of those chosen
 *
 * Context: process, may sleep; group->leaving held.
 * Return: false where its page could not be read or written.
 */
bool chess_patch_one(struct chess_patch *w, u32 n)
{
	return patch_some(w, n, n + 1);
}

/* The return from an interrupt has a processor forget what it has read ahead. */
static void forget_code(void *unused)
{
}

/*
 * Five bytes cannot be written at once. While the first one is a trap nobody executes the
 * others: a task that comes there goes on in the slot, and comes back after them.
 */
static void write_jump(u8 *text, const u8 *rest, u8 first)
{
	unsigned int i;

	WRITE_ONCE(text[0], CHESS_ARCH_TRAP_BYTE);
	on_each_cpu(forget_code, NULL, true);
	for (i = 1; i < CHESS_ARCH_JUMP_BYTES; i++)
		WRITE_ONCE(text[i], rest[i]);
	on_each_cpu(forget_code, NULL, true);
	WRITE_ONCE(text[0], first);
}

static bool is_jump(const u8 *text, const struct chess_probe *p)
{
	return text[0] == CHESS_ARCH_JUMP_BYTE &&
	       memcmp(text + 1, p->orig + 1, CHESS_ARCH_JUMP_BYTES - 1);
}

static bool is_trap(const u8 *text, const struct chess_probe *p)
{
	return text[0] == CHESS_ARCH_TRAP_BYTE &&
	       !memcmp(text + 1, p->orig + 1, CHESS_ARCH_JUMP_BYTES - 1);
}

static int patch_jump_locked(struct chess_patch *w, u32 n, const u8 *jump, int *locked)
{
	const struct chess_probe *p = chess_image_probe(w->map->image, n);
	unsigned long addr = w->map->base + p->offset;
	struct vm_area_struct *vma = vma_lookup(w->mm, addr);
	struct page *page;
	u8 *text;

	mmap_assert_locked(w->mm);
	/* Something else may be mapped there now: then there is nothing to take back. */
	if (!is_text(w->map, vma))
		return jump ? -EFAULT : 0;
	page = get_own_page(vma, addr & PAGE_MASK,
			    w->is_own || !chess_image_may_hang(w->map->image), locked);
	if (!page)
		return -EFAULT;
	text = kmap_local_page(page) + offset_in_page(addr);
	if (jump && is_trap(text, p))
		write_jump(text, jump, jump[0]);
	else if (!jump && is_jump(text, p))
		write_jump(text, p->orig, CHESS_ARCH_TRAP_BYTE);
	kunmap_local(text);
	put_written(page);
	return 0;
}

/**
 * chess_patch_jump() - have a trap become a jump, or a jump a trap
 * @w: of which map
 * @n: which of those chosen, with CHESS_PROBE_JUMP
 * @jump: its bytes; NULL: back to a trap
 *
 * Context: process, may sleep; group->leaving held.
 * Return: false where it could not be written, or lies in two pages.
 */
bool chess_patch_jump(struct chess_patch *w, u32 n, const u8 *jump)
{
	unsigned long offset = chess_image_probe(w->map->image, n)->offset;
	int i, ret, locked;

	if (offset_in_page(offset) + CHESS_ARCH_JUMP_BYTES > PAGE_SIZE)
		return !jump;
	for (i = 0; i < PATCH_TRIES; i++) {
		if (!lock_space(w))
			return false;
		locked = 1;
		ret = patch_jump_locked(w, n, jump, &locked);
		if (locked) {
			mmap_read_unlock(w->mm);
			return !ret;
		}
	}
	return false;
}

/* Is this what map_slots() of arm.c made? Another task may have put something else there. */
static bool is_slots(const struct vm_area_struct *vma)
{
	return vma && vma_is_anonymous((struct vm_area_struct *)vma) &&
	       (vma->vm_flags & (VM_EXEC | VM_WRITE | VM_MAYSHARE)) == VM_EXEC;
}

static bool write_slots_locked(unsigned long addr, const u8 *code, size_t len, int *locked)
{
	struct vm_area_struct *vma = vma_lookup(current->mm, addr);
	struct page *page = is_slots(vma) ? get_own_page(vma, addr, true, locked) : NULL;

	mmap_assert_locked(current->mm);
	if (!page)
		return false;
	memcpy_to_page(page, 0, code, len);
	put_written(page);
	return true;
}

/**
 * chess_patch_slots() - write code of slots
 * @addr: where, at the beginning of a page of current's address space
 * @code: the code
 * @len: how much; at most a page
 *
 * Context: process, may sleep.
 * Return: whether it is written.
 */
bool chess_patch_slots(unsigned long addr, const u8 *code, size_t len)
{
	int i, locked = 0;
	bool written;

	for (i = 0; !locked && i < PATCH_TRIES; i++) {
		if (mmap_read_lock_killable(current->mm))
			return false;
		locked = 1;
		written = write_slots_locked(addr, code, len, &locked);
		if (locked)
			mmap_read_unlock(current->mm);
	}
	return locked && written;
}

/**
 * chess_patch_is_trap() - is there a trap in current's address space
 * @addr: where
 *
 * Without a page fault: where there is no page there is no trap.
 *
 * Context: process, may sleep.
 * Return: whether there is.
 */
bool chess_patch_is_trap(unsigned long addr)
{
	struct vm_area_struct *vma;
	struct page *page = NULL;
	u8 byte = 0;

	if (mmap_read_lock_killable(current->mm))
		return false;
	vma = vma_lookup(current->mm, addr);
	if (vma)
		page = get_page_of(vma, addr & PAGE_MASK, FOLL_FORCE, false, NULL);
	if (page) {
		memcpy_from_page((char *)&byte, page, offset_in_page(addr), 1);
		put_page(page);
	}
	mmap_read_unlock(current->mm);
	return byte == CHESS_ARCH_TRAP_BYTE;
}
