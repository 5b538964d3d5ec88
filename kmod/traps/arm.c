// SPDX-License-Identifier: GPL-2.0-only
/*
 * Putting traps into the private copy of a file's text in one address space, and
 * taking them out. The text of other processes and the file are never touched. What a
 * process maps for the first time gets the pages of text.c instead of copies.
 *
 * For each image mapped there is one area of slots within 2 GB of it, mapped
 * with vm_mmap(): 64 bytes a trap with the displaced instruction and a jump back.
 * The area stays mapped when traps are disarmed: a task may be in it.
 *
 * In a process that was adopted other tasks may run beside the one that arms: all of
 * them are in the table before, so a hit is known for what it is, and one byte is
 * written at a time. They may also map something else there at any moment, or execute
 * another program: what is written to is looked at and written under one hold of the
 * mmap lock, in the address space that was armed and no other, and only to pages that
 * are its own alone.
 *
 * What is armed where is in struct chess_mm (space.c).
 */
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/userfaultfd_k.h>

#include "arch_x86.h"
#include "group.h"
#include "image.h"
#include "mapped.h"
#include "space.h"
#include "task.h"
#include "text.h"
#include "trap.h"

static bool fits(unsigned long slots, unsigned long bytes, unsigned long base, unsigned long end)
{
	/* Half a gigabyte of room for displacements into the image's data. */
	const unsigned long reach = 3UL << 29;

	if (slots < base)
		return end - slots < reach;
	return slots + bytes - base < reach;
}

/*
 * Address space for slots. Below the image, far enough not to be in the way of
 * what the program maps next to it; above it when there is no room.
 */
static unsigned long map_slots(unsigned long base, unsigned long end, unsigned long bytes)
{
	static const unsigned long below[] = { SZ_512M, SZ_64M, SZ_2M };
	unsigned long hint, addr;
	int i;

	for (i = 0; i < ARRAY_SIZE(below) + 1; i++) {
		if (i == ARRAY_SIZE(below))
			hint = PAGE_ALIGN(end) + SZ_512M;
		else if (base > below[i] + SZ_64K)
			hint = base - below[i];
		else
			continue;
		addr = vm_mmap(NULL, hint, bytes, PROT_READ | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS, 0);
		if (IS_ERR_VALUE(addr))
			return 0;
		if (fits(addr, bytes, base, end))
			return addr;
		vm_munmap(addr, bytes);
	}
	return 0;
}

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
	if (get_user_pages_remote(vma->vm_mm, addr, 1, flags, &page, locked) != 1)
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

/**
 * struct patch - traps of a map are written, or taken back
 * @mm: the address space; it has users
 * @map: the map
 * @done: traps that need not be looked at, or NULL
 * @arm: written, not taken back
 * @is_own: the caller is a task of it, and may be made to wait by who serves its memory;
 *	a worker may not, for others would wait for it
 * @count: how many were
 */
struct patch {
	struct mm_struct *mm;
	struct chess_map *map;
	const unsigned long *done;
	bool arm;
	bool is_own;
	u32 count;
};

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
static u32 patch_bytes(const struct patch *w, u32 first, u32 end, const struct code *code,
		       bool write)
{
	u32 i, count = 0;

	for (i = first; i < end; i++) {
		const struct chess_probe *p = chess_image_probe(w->map->image, i);
		unsigned int at = offset_in_page(p->offset);
		bool is_due = w->arm ? is_original(p, code, at) :
			      test_bit(i, w->map->armed) && code->page[at] == CHESS_ARCH_TRAP_BYTE;

		if (!is_due)
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
static u32 patch_page(const struct patch *w, u32 first, u32 end, struct page *page,
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
static int patch_locked(struct patch *w, u32 first, u32 end, int *locked)
{
	const struct chess_image *image = w->map->image;
	unsigned long start = w->map->base + round_down(image->chosen[first].offset, PAGE_SIZE);
	struct vm_area_struct *vma = vma_lookup(w->mm, start);
	bool fault = w->is_own || !chess_image_may_hang(image);
	struct code code = {};
	struct page *page;
	u32 count;
	int ret = 0;

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
static bool lock_space(const struct patch *w)
{
	if (w->is_own)
		return !mmap_read_lock_killable(w->mm);
	return mmap_read_trylock(w->mm);
}

/* A page that is taken away again and again meanwhile is given up. */
#define PATCH_TRIES	16

static bool patch_some(struct patch *w, u32 first, u32 end)
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

/* Page by page. Returns false where a page could not be read or written. */
static bool patch_text(struct patch *w)
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

static bool build_slots(u8 *code, const struct chess_image *image, unsigned long base,
			unsigned long slots)
{
	bool good = true;
	u32 i;

	for (i = 0; good && i < image->count; i++)
		good = chess_slot_build(code + i * CHESS_SLOT_BYTES, chess_image_probe(image, i),
				  base + image->chosen[i].offset, slots + i * CHESS_SLOT_BYTES);
	return good;
}

/* Is this what map_slots() made? Another task may have put something else there. */
static bool is_slots(const struct vm_area_struct *vma)
{
	return vma && vma_is_anonymous((struct vm_area_struct *)vma) &&
	       (vma->vm_flags & (VM_EXEC | VM_WRITE | VM_MAYSHARE)) == VM_EXEC;
}

static bool write_slots_locked(unsigned long addr, const u8 *code, size_t len, int *locked)
{
	struct vm_area_struct *vma = vma_lookup(current->mm, addr);
	struct page *page = is_slots(vma) ? get_own_page(vma, addr, true, locked) : NULL;

	if (!page)
		return false;
	memcpy_to_page(page, 0, code, len);
	put_written(page);
	return true;
}

static bool write_slots(unsigned long addr, const u8 *code, size_t len)
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

static bool fill_slots(const struct chess_map *map)
{
	const struct chess_image *image = map->image;
	size_t at, size = array_size(image->count, CHESS_SLOT_BYTES);
	u8 *code = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	bool good = code && build_slots(code, image, map->base, map->slots);

	for (at = 0; good && at < size; at += PAGE_SIZE)
		good = write_slots(map->slots + at, code + at, min(size - at, PAGE_SIZE));
	kvfree(code);
	return good;
}

#define MAX_CANDIDATES	16

static u32 find_candidates(unsigned long base, unsigned long end, unsigned long bytes,
			   unsigned long addr[MAX_CANDIDATES])
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	u32 n = 0;
	VMA_ITERATOR(vmi, mm, 0);

	if (mmap_read_lock_killable(mm))
		return 0;
	for_each_vma(vmi, vma)
		if (!vma->vm_file && (vma->vm_flags & VM_EXEC) && !(vma->vm_flags & VM_WRITE) &&
		    vma->vm_end - vma->vm_start >= bytes && n < MAX_CANDIDATES &&
		    fits(vma->vm_start, bytes, base, end))
			addr[n++] = vma->vm_start;
	mmap_read_unlock(mm);
	return n;
}

/*
 * The slots of an earlier attach: an area stays mapped when its traps are gone, as a task
 * or a signal frame may be in it. One that holds just what would be written there is as
 * good as a new one, and a service that is attached to over and over does not grow.
 */
static unsigned long find_slots(const struct chess_image *image, unsigned long base,
				unsigned long end, unsigned long bytes)
{
	size_t size = array_size(image->count, CHESS_SLOT_BYTES);
	unsigned long addr[MAX_CANDIDATES], found = 0;
	u32 i, n = find_candidates(base, end, bytes, addr);
	u8 *code;

	if (!n)
		return 0;
	code = kvmalloc(array_size(2, size), GFP_KERNEL_ACCOUNT);
	for (i = 0; code && !found && i < n; i++)
		if (build_slots(code, image, base, addr[i]) &&
		    access_process_vm(current, addr[i], code + size, size, FOLL_FORCE) == size &&
		    !memcmp(code, code + size, size))
			found = addr[i];
	kvfree(code);
	return found;
}

/* Returns how many traps are armed. */
static u32 arm_text(struct chess_map *map, unsigned long addr, bool is_adopted)
{
	struct patch w = { .mm = current->mm, .map = map, .arm = true, .is_own = true };
	unsigned long *done = NULL;

	/* Where a process has run for long its text is there. */
	if (!is_adopted)
		done = bitmap_zalloc(map->image->count, GFP_KERNEL_ACCOUNT);
	if (done)
		w.count = chess_text_map(map->image, map->base, addr, map->armed, done);
	w.done = done;
	patch_text(&w);
	bitmap_free(done);
	return w.count;
}

/* Returns how many traps are armed. */
static u32 arm_image(struct chess_mm *mm, const struct chess_image *image, unsigned long base,
		     unsigned long addr, unsigned long end, bool is_adopted)
{
	unsigned long bytes = PAGE_ALIGN((unsigned long)image->count * CHESS_SLOT_BYTES);
	struct chess_map *map;

	if (mm->nmaps == CHESS_MAX_MAPS)
		return 0;
	map = kvzalloc(struct_size(map, armed, BITS_TO_LONGS(image->count)), GFP_KERNEL_ACCOUNT);
	if (!map)
		return 0;
	kref_init(&map->ref);
	map->image = image;
	map->base = base;
	if (is_adopted)
		map->slots = find_slots(image, base, end, bytes);
	if (!map->slots) {
		map->slots = map_slots(base, end, bytes);
		if (!map->slots || !fill_slots(map)) {
			kvfree(map);
			return 0;
		}
	}
	mm->maps[mm->nmaps] = map;
	/*
	 * Published before the first trap is written: a hit must find it. No bit
	 * is set yet; patch_bytes() sets it before it writes.
	 */
	smp_store_release(&mm->nmaps, mm->nmaps + 1);
	mm->clean = false;
	return arm_text(map, addr, is_adopted);
}

struct found_map {
	const struct chess_image *image;
	unsigned long base;
	unsigned long start;
	unsigned long end;
};

static struct chess_map *find_map(const struct chess_mm *mm, const struct chess_image *image,
				  unsigned long base)
{
	u32 i;

	for (i = 0; i < mm->nmaps; i++)
		if (mm->maps[i]->image == image && mm->maps[i]->base == base)
			return mm->maps[i];
	return NULL;
}

/* Without a page fault: where there is no page there is no trap. */
static bool has_trap(unsigned long addr)
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

/*
 * The library was unmapped and is mapped again at the same place: its text is fresh, its
 * slots are there. The first trap tells: all are written at once.
 */
static void arm_again(struct chess_map *map, unsigned long addr, bool is_adopted)
{
	u32 first = find_first_bit(map->armed, map->image->count);

	if (first != map->image->count &&
	    !has_trap(map->base + map->image->chosen[first].offset))
		arm_text(map, addr, is_adopted);
}

/* Returns how many traps could not be armed. */
static u32 arm_found(struct chess_mm *mm, const struct found_map *found, bool is_adopted)
{
	struct chess_map *map = find_map(mm, found->image, found->base);

	if (map) {
		arm_again(map, found->start, is_adopted);
		return 0;
	}
	return found->image->count -
	       arm_image(mm, found->image, found->base, found->start, found->end,
			 is_adopted);
}

static void print_map(char *text, size_t size, const struct vm_area_struct *vma, char *buf)
{
	size_t at = strlen(text);
	const char *path = d_path(file_user_path(vma->vm_file), buf, PATH_MAX);
	/* As in /proc: no name ends a line. */
	char *end = IS_ERR(path) ? NULL : mangle_path(buf, path, "\n");

	if (!end)
		return;
	*end = '\0';
	scnprintf(text + at, size - at, "%08lx-%08lx %c%c%cp %08lx 00:00 %lu %s\n",
		  vma->vm_start, vma->vm_end,
		  vma->vm_flags & VM_READ ? 'r' : '-', vma->vm_flags & VM_WRITE ? 'w' : '-',
		  vma->vm_flags & VM_EXEC ? 'x' : '-', vma->vm_pgoff << PAGE_SHIFT,
		  file_inode(vma->vm_file)->i_ino, buf);
}

#define MAPS_BYTES	SZ_32K

/* Text of one file in several mappings next to each other. */
static bool is_found(const struct found_map *found, u32 n, const struct chess_image *image,
		     unsigned long base)
{
	return n && found[n - 1].image == image && found[n - 1].base == base;
}

/* The address space as it is now: images to arm, and its text if asked for. */
static u32 scan(struct chess_task *t, struct found_map found[CHESS_MAX_MAPS], char *text)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	char *buf = text ? __getname() : NULL;
	u32 n = 0;
	VMA_ITERATOR(vmi, mm, 0);

	if (mmap_read_lock_killable(mm))
		goto out;
	for_each_vma(vmi, vma) {
		const struct chess_image *image;
		unsigned long base;

		if (!vma->vm_file)
			continue;
		if (buf)
			print_map(text, MAPS_BYTES, vma, buf);
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		image = chess_image_find(t->group, d_real_inode(vma->vm_file->f_path.dentry));
		if (!image && !chess_mapped_note(&t->group->record.mapped, vma))
			t->group->lost++;
		base = vma->vm_start - (vma->vm_pgoff << PAGE_SHIFT);
		if (!image || !image->count || is_found(found, n, image, base))
			continue;
		if (n == CHESS_MAX_MAPS) {
			t->group->lost += image->count;
			continue;
		}
		if (chess_text_is_private(vma))
			found[n++] = (struct found_map) { image, base, vma->vm_start, vma->vm_end };
		else
			t->group->lost += image->count;
	}
	mmap_read_unlock(mm);
out:
	if (buf)
		__putname(buf);
	return n;
}

/**
 * chess_trap_arm() - arm what the task's address space maps and is not armed yet
 * @t: the task, which is current
 *
 * Called after execve and after each executable file mapping.
 *
 * Context: task work.
 */
void chess_trap_arm(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct found_map *found;
	char *text = NULL, *old;
	u32 i, n;

	if (!current->mm)
		return;
	if (!t->mm || t->mm->mm != current->mm) {
		struct chess_mm *mm = chess_mm_create();

		if (!mm) {
			/* Those of the old program mean nothing in the new one. */
			chess_mm_put(t->mm);
			WRITE_ONCE(t->mm, NULL);
			g->lost++;
			return;
		}
		mmgrab(current->mm);
		mm->mm = current->mm;
		/* Hits of the old program are over: execve replaced it. */
		chess_mm_put(t->mm);
		t->mm = mm;
		chess_mm_forget(t);
	}
	found = kmalloc_array(CHESS_MAX_MAPS, sizeof(*found), GFP_KERNEL);
	if (!found) {
		g->lost++;
		return;
	}
	if ((READ_ONCE(g->flags) & CHESS_RUN_FLAGS_MAPS) && t->id == 0)
		text = kzalloc(MAPS_BYTES, GFP_KERNEL_ACCOUNT);
	n = scan(t, found, text);
	for (i = 0; i < n; i++)
		g->lost += arm_found(t->mm, &found[i], g->adopted);
	kfree(found);
	if (!text)
		return;
	mutex_lock(&g->lock);
	old = g->record.maps;
	g->record.maps = text;
	mutex_unlock(&g->lock);
	kfree(old);
}

/* Returns whether none is left. */
static bool disarm(struct chess_mm *mm, bool is_own)
{
	bool clean = true;
	u32 i;

	for (i = 0; !mm->clean && i < mm->nmaps; i++)
		clean &= patch_text(&(struct patch) {
			.mm = mm->mm, .map = mm->maps[i], .is_own = is_own,
		});
	mm->clean |= clean;
	return clean;
}

/**
 * chess_trap_disarm() - take the traps out of the task's address space
 * @t: the task, which is current
 *
 * Several tasks of one address space may do this; the first one finds the work.
 *
 * Context: task work; group->leaving held.
 */
void chess_trap_disarm(struct chess_task *t)
{
	if (t->mm && t->mm->mm == current->mm)
		disarm(t->mm, true);
}

/**
 * chess_trap_disarm_other() - take the traps out of an address space
 * @mm: its traps
 *
 * Of the address space itself, not of a task that had it when somebody looked: that one may
 * execute another program at any moment. Waits for nothing the program could hold back.
 *
 * Context: process, may sleep; group->leaving held.
 * Return: whether none is left; else a task of it has to do it.
 */
bool chess_trap_disarm_other(struct chess_mm *mm)
{
	bool clean;

	if (!mmget_not_zero(mm->mm))
		return true;
	clean = disarm(mm, false);
	/* What the last one frees may wait for long. */
	mmput_async(mm->mm);
	return clean;
}
