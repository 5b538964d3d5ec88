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
 * written at a time where it is seen.
 *
 * What is armed where is in struct chess_mm (space.c).
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "arch_x86.h"
#include "group.h"
#include "image.h"
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

static int write_user(struct task_struct *task, unsigned long addr, void *buf, int len)
{
	return access_process_vm(task, addr, buf, len, FOLL_FORCE | FOLL_WRITE) == len ?
		0 : -EFAULT;
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

static bool may_write(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma;
	bool may;

	mmap_read_lock(mm);
	vma = find_vma(mm, addr);
	may = vma && vma->vm_start <= addr && chess_text_is_private(vma);
	mmap_read_unlock(mm);
	return may;
}

/*
 * Write or take back the trap bytes of a map, page by page, but for those in @done. Part
 * of the map may have been replaced by another mapping.
 */
static u32 patch_text(struct task_struct *task, struct mm_struct *mm, struct chess_map *map,
		      bool arm, const unsigned long *done)
{
	const struct chess_image *image = map->image;
	u32 i = 0, count, patched = 0;
	u8 *page;

	page = kmalloc(PAGE_SIZE + CHESS_PROBE_ORIG_MAX, GFP_KERNEL);
	if (!page)
		return 0;
	while (i < image->count) {
		unsigned long first = map->base + image->chosen[i].offset;
		unsigned long start = first & PAGE_MASK;
		bool may;
		int len;

		if (done && test_bit(i, done)) {
			i++;
			continue;
		}
		/* The last instruction may reach into the next page. */
		len = access_process_vm(task, start, page, PAGE_SIZE + CHESS_PROBE_ORIG_MAX,
					FOLL_FORCE);
		may = may_write(mm, start);
		count = 0;
		for (; i < image->count; i++) {
			const struct chess_probe *p = chess_image_probe(image, i);
			unsigned long at = map->base + p->offset - start;

			if (at >= PAGE_SIZE)
				break;

			if (!may || at + p->orig_len > len)
				continue;
			if (arm && !memcmp(page + at, p->orig, p->orig_len)) {
				page[at] = CHESS_ARCH_TRAP_BYTE;
				set_bit(i, map->armed);
			} else if (!arm && test_bit(i, map->armed) &&
				   page[at] == CHESS_ARCH_TRAP_BYTE) {
				page[at] = p->orig[0];
			} else {
				continue;
			}
			count++;
		}
		if (count && !write_user(task, start, page, min_t(int, len, PAGE_SIZE)))
			patched += count;
	}
	kfree(page);
	return patched;
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
	u8 *code = kvmalloc_array(image->count, CHESS_SLOT_BYTES, GFP_KERNEL);
	bool good = code && build_slots(code, image, map->base, map->slots);

	if (good)
		good = !write_user(current, map->slots, code, image->count * CHESS_SLOT_BYTES);
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

	mmap_read_lock(mm);
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
	size_t size = (size_t)image->count * CHESS_SLOT_BYTES;
	unsigned long addr[MAX_CANDIDATES], found = 0;
	u32 i, n = find_candidates(base, end, bytes, addr);
	u8 *code;

	if (!n)
		return 0;
	code = kvmalloc(2 * size, GFP_KERNEL);
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
	unsigned long *done = NULL;
	u32 armed = 0;

	/* Where a process has run for long its text is there. */
	if (!is_adopted)
		done = bitmap_zalloc(map->image->count, GFP_KERNEL);
	if (done)
		armed = chess_text_map(map->image, map->base, addr, map->armed, done);
	armed += patch_text(current, current->mm, map, true, done);
	bitmap_free(done);
	return armed;
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
	 * is set yet; patch_text() sets it before it writes.
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

/*
 * The library was unmapped and is mapped again at the same place: its text is fresh, its
 * slots are there. The first trap tells: all are written at once.
 */
static void arm_again(struct chess_map *map, unsigned long addr, bool is_adopted)
{
	u32 first = find_first_bit(map->armed, map->image->count);
	u8 byte;

	if (first == map->image->count ||
	    access_process_vm(current, map->base + map->image->chosen[first].offset, &byte, 1,
			      FOLL_FORCE) != 1 || byte == CHESS_ARCH_TRAP_BYTE)
		return;
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

	if (IS_ERR(path))
		return;
	scnprintf(text + at, size - at, "%08lx-%08lx %c%c%cp %08lx 00:00 %lu %s\n",
		  vma->vm_start, vma->vm_end,
		  vma->vm_flags & VM_READ ? 'r' : '-', vma->vm_flags & VM_WRITE ? 'w' : '-',
		  vma->vm_flags & VM_EXEC ? 'x' : '-', vma->vm_pgoff << PAGE_SHIFT,
		  file_inode(vma->vm_file)->i_ino, path);
}

#define MAPS_BYTES	SZ_32K

/* The address space as it is now: images to arm, and its text if asked for. */
static u32 scan(struct chess_task *t, struct found_map found[CHESS_MAX_MAPS], char *text)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	char *buf = text ? __getname() : NULL;
	u32 n = 0;
	VMA_ITERATOR(vmi, mm, 0);

	mmap_read_lock(mm);
	for_each_vma(vmi, vma) {
		const struct chess_image *image;
		unsigned long base;

		if (!vma->vm_file)
			continue;
		if (buf)
			print_map(text, MAPS_BYTES, vma, buf);
		if (!(vma->vm_flags & VM_EXEC) || n == CHESS_MAX_MAPS)
			continue;
		image = chess_image_find(t->group, d_real_inode(vma->vm_file->f_path.dentry));
		base = vma->vm_start - (vma->vm_pgoff << PAGE_SHIFT);
		if (!image || !image->count)
			continue;
		if (chess_text_is_private(vma))
			found[n++] = (struct found_map) { image, base, vma->vm_start, vma->vm_end };
		else
			t->group->lost += image->count;
	}
	mmap_read_unlock(mm);
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
		text = kzalloc(MAPS_BYTES, GFP_KERNEL);
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

/* Traps of @mm, the address space of @task. */
static void disarm(struct task_struct *task, struct chess_mm *mm)
{
	u32 i;

	if (mm->clean)
		return;
	for (i = 0; i < mm->nmaps; i++)
		patch_text(task, mm->mm, mm->maps[i], false, NULL);
	mm->clean = true;
}

/**
 * chess_trap_disarm() - take the traps out of the task's address space
 * @t: the task, which is current
 *
 * Several tasks of one address space may do this; the first one finds the work.
 *
 * Context: task work.
 */
void chess_trap_disarm(struct chess_task *t)
{
	if (t->mm && t->mm->mm == current->mm)
		disarm(current, t->mm);
}

/**
 * chess_trap_disarm_other() - take the traps out of the address space of a task
 * @task: the task, which sleeps perhaps
 * @mm: its traps
 *
 * Where it has another address space by now there are none.
 *
 * Context: process, may sleep; group->leaving held.
 */
void chess_trap_disarm_other(struct task_struct *task, struct chess_mm *mm)
{
	struct mm_struct *space = get_task_mm(task);

	if (!space)
		return;
	if (space == mm->mm)
		disarm(task, mm);
	mmput(space);
}
