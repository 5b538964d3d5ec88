// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which traps a task's address space gets, and where their slots are: what it maps is
 * looked through after execve, and after each mapping of code. Writing is left to patch.c.
 * What a process maps for the first time gets the pages of text.c.
 *
 * For each image mapped there is one area of slots within 2 GB of it, mapped
 * with vm_mmap(): 64 bytes a trap with the displaced instruction and a jump back.
 * The area stays mapped when traps are disarmed: a task may be in it.
 *
 * What is armed where is in struct chess_mm (space.c).
 */
#include <linux/auxvec.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "arch_x86.h"
#include "chess.h"
#include "compat.h"
#include "group.h"
#include "image.h"
#include "mapped.h"
#include "patch.h"
#include "rest.h"
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

static bool fill_slots(const struct chess_map *map)
{
	const struct chess_image *image = map->image;
	size_t at, size = array_size(image->count, CHESS_SLOT_BYTES);
	u8 *code = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	bool good = code && build_slots(code, image, map->base, map->slots);

	for (at = 0; good && at < size; at += PAGE_SIZE)
		good = chess_patch_slots(map->slots + at, code + at, min(size - at, PAGE_SIZE));
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
static u32 arm_text(struct chess_mm *mm, struct chess_map *map, unsigned long addr,
		    bool is_adopted)
{
	struct chess_patch w = { .mm = current->mm, .map = map, .arm = true, .is_own = true };
	unsigned long *done = NULL;

	/* Where a process has run for long its text is there. */
	if (!is_adopted)
		done = bitmap_zalloc(map->image->count, GFP_KERNEL_ACCOUNT);
	if (done)
		w.count = chess_text_map(map->image, map->base, addr, map->armed, done);
	w.done = done;
	chess_patch_text(&w);
	bitmap_free(done);
	if (mm->rests)
		chess_rest_map(mm, map, true);
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
	 * is set yet; patch.c sets it before it writes.
	 */
	smp_store_release(&mm->nmaps, mm->nmaps + 1);
	mm->clean = false;
	if (!is_adopted && !mm->fast.area && image->jumps)
		chess_fast_reserve(mm, map);
	return arm_text(mm, map, addr, is_adopted);
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

/*
 * The library was unmapped and is mapped again at the same place: its text is fresh, its
 * slots are there. The first trap tells: all are written at once.
 */
static void arm_again(struct chess_mm *mm, struct chess_map *map, unsigned long addr,
		      bool is_adopted)
{
	u32 first;

	for_each_set_bit(first, map->armed, map->image->count)
		if (!mm->rests || !chess_rest_wants(map->image, first))
			break;
	if (first < map->image->count &&
	    !chess_patch_is_trap(map->base + map->image->chosen[first].offset))
		arm_text(mm, map, addr, is_adopted);
}

/* Returns how many traps could not be armed. */
static u32 arm_found(struct chess_mm *mm, const struct found_map *found, bool is_adopted)
{
	struct chess_map *map = find_map(mm, found->image, found->base);

	if (map) {
		arm_again(mm, map, found->start, is_adopted);
		return 0;
	}
	return found->image->count -
	       arm_image(mm, found->image, found->base, found->start, found->end,
			 is_adopted);
}

static void print_map(char *text, size_t size, const struct vm_area_struct *vma, char *buf)
{
	size_t at = strlen(text);
	const char *path = d_path(chess_compat_path(vma->vm_file), buf, PATH_MAX);
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

/* Was it loaded without an interpreter, to the fixed addresses that it was linked to? */
static bool is_fixed(const struct mm_struct *mm)
{
	unsigned int i;

	/* Position-independent ones are above this, as ld.so is when it is executed itself. */
	if (mm->start_code >= SZ_4G)
		return false;
	for (i = 0; i + 1 < ARRAY_SIZE(mm->saved_auxv) && mm->saved_auxv[i] != AT_NULL; i += 2)
		if (mm->saved_auxv[i] == AT_BASE)
			return !mm->saved_auxv[i + 1];
	return false;
}

/*
 * A program that is linked like this and maps the text of other files does not execute them,
 * since nobody resolves their symbols: valgrind reads them and executes what it makes of them.
 * A trap would be an int3 of the program that it runs. Where a static program opens plug-ins
 * these have no traps either; both are reported.
 */
static bool is_translator(struct mm_struct *mm)
{
	struct vm_area_struct *vma, *own;
	VMA_ITERATOR(vmi, mm, 0);

	own = is_fixed(mm) ? vma_lookup(mm, mm->start_code) : NULL;
	if (!own || !own->vm_file)
		return false;
	for_each_vma(vmi, vma)
		if (vma->vm_file && (vma->vm_flags & VM_EXEC) &&
		    file_inode(vma->vm_file) != file_inode(own->vm_file))
			return true;
	return false;
}

/* The address space as it is now: images to arm, and its text if asked for. */
static u32 scan(struct chess_task *t, struct found_map found[CHESS_MAX_MAPS], char *text)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	char *buf = text ? __getname() : NULL;
	bool translated;
	u32 n = 0;
	VMA_ITERATOR(vmi, mm, 0);

	if (mmap_read_lock_killable(mm))
		goto out;
	translated = is_translator(mm);
	for_each_vma(vmi, vma) {
		const struct chess_image *image;
		unsigned long base;

		if (!vma->vm_file)
			continue;
		if (buf)
			print_map(text, MAPS_BYTES, vma, buf);
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		image = translated ? NULL :
			chess_image_find(t->group, d_real_inode(vma->vm_file->f_path.dentry));
		if (!image && !chess_mapped_note(&t->group->record.mapped, vma, translated))
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
		g->lost += arm_found(t->mm, &found[i], g->adoption.process);
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
	bool clean = mm->clean || chess_fast_retire(mm, is_own);
	u32 i;

	for (i = 0; !mm->clean && i < mm->nmaps; i++)
		clean &= chess_patch_text(&(struct chess_patch) {
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

/* A hit that is on its way is still found. */
static void retire(struct chess_task *t)
{
	unsigned long ip = t->traps.retired;
	u32 i, n;

	t->traps.retired = 0;
	if (!t->mm || t->mm->mm != current->mm)
		return;
	/* The newest first, as where traps are looked for. */
	for (i = t->mm->nmaps; i--; ) {
		struct chess_patch w = {
			.mm = t->mm->mm, .map = t->mm->maps[i], .is_own = true,
		};

		n = chess_image_at(w.map->image, ip - w.map->base);
		if (n < w.map->image->count && test_bit(n, w.map->armed)) {
			chess_patch_one(&w, n);
			return;
		}
	}
}

/**
 * chess_trap_change() - take traps out of the task's address space, arm them, or make one a jump
 * @t: the task, which is current and came there
 *
 * Context: task work; group->leaving held.
 */
void chess_trap_change(struct chess_task *t)
{
	if (t->traps.retired)
		retire(t);
	if (t->traps.fast.wanted)
		chess_fast_prepare(t);
	if (chess_rest_is_due(t))
		chess_rest_change(t);
}

/**
 * chess_trap_disarm_other() - take the traps out of an address space
 * @mm: its traps
 *
 * Of the address space itself, not of a task that had it when somebody looked: that one may
 * execute another program at any moment. It waits for no event that the program could prevent.
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
