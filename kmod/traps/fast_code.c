// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fast points: how a trap becomes a jump and a trap again, and where the code and the ring of an
 * address space are. fast.c says what they are for.
 */
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>
#include <linux/userfaultfd_k.h>
#include <linux/vmalloc.h>

#include "arch_x86.h"
#include "chess.h"
#include "compat.h"
#include "fast.h"
#include "patch.h"
#include "space.h"
#include "task.h"
#include "trap.h"

static unsigned long code_address(const struct chess_fast *f, u32 site)
{
	return f->area + site * CHESS_ARCH_FAST_BYTES;
}

static unsigned long map_area(unsigned long at)
{
	const unsigned long bytes = PAGE_SIZE + CHESS_FAST_RING_BYTES;
	unsigned long addr;

	addr = vm_mmap(NULL, at, bytes, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, 0);
	if (IS_ERR_VALUE(addr))
		return 0;
	if (addr == at && vm_mmap(NULL, addr + PAGE_SIZE, CHESS_FAST_RING_BYTES,
				  PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, 0) == addr + PAGE_SIZE)
		return addr;
	vm_munmap(addr, bytes);
	return 0;
}

/**
 * chess_fast_reserve() - have a place for the code and the ring
 * @mm: traps of the current address space
 * @map: its newest, whose traps may become jumps
 *
 * In each run, whether its tasks note points or not: programs read /proc/self/maps. Only where it
 * is in nobody's way, so what the program maps has the same addresses as without; and not where
 * slots are put.
 *
 * Context: task work; group->leaving held.
 */
void chess_fast_reserve(struct chess_mm *mm, const struct chess_map *map)
{
	static const unsigned long below[] = { SZ_512M + SZ_256M, SZ_256M, SZ_32M };
	unsigned long base = round_down(map->base, SZ_2M);
	struct chess_fast *f = &mm->fast;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(below) && !f->area; i++)
		if (base > below[i] + SZ_1M)
			f->area = map_area(base - below[i]);
	if (!f->area)
		f->area = map_area(base + SZ_512M + SZ_256M);
}

/*
 * Is it as map_area() made it? The program may have put something else there, or serve the faults
 * there itself: it need not answer.
 */
static bool is_untouched(const struct chess_fast *f)
{
	const unsigned long ring = chess_fast_ring(f);
	struct vm_area_struct *vma = vma_lookup(current->mm, ring);

	mmap_assert_locked(current->mm);
	return vma && vma_is_anonymous(vma) && !userfaultfd_armed(vma) &&
	       vma->vm_start == ring && vma->vm_end == ring + CHESS_FAST_RING_BYTES &&
	       (vma->vm_flags & (VM_EXEC | VM_WRITE | VM_MAYSHARE)) == VM_WRITE;
}

static bool pin_ring(struct chess_fast *f)
{
	long n = 0;

	if (mmap_read_lock_killable(current->mm))
		return false;
	/* Under one hold of the lock: it stays what it is. */
	if (is_untouched(f))
		n = chess_compat_pin_pages(chess_fast_ring(f), CHESS_FAST_RING_PAGES, f->pages);
	mmap_read_unlock(current->mm);
	if (n == CHESS_FAST_RING_PAGES)
		f->ring = vmap(f->pages, n, VM_MAP, PAGE_KERNEL);
	if (!f->ring) {
		if (n > 0)
			unpin_user_pages(f->pages, n);
		return false;
	}
	chess_fast_allow(f, 0);
	return true;
}

/* The code of all sites; that of the earlier ones is there already, and stays the same. */
static bool write_code(const struct chess_fast *f, u32 nsites)
{
	size_t size = nsites * CHESS_ARCH_FAST_BYTES;
	u8 *code = kmalloc(size, GFP_KERNEL_ACCOUNT);
	bool good = code;
	u32 i;

	for (i = 0; good && i < nsites; i++) {
		u8 *out = code + i * CHESS_ARCH_FAST_BYTES;
		unsigned long at = code_address(f, i);

		good = chess_slot_build(out + CHESS_ARCH_FAST_SLOT, f->sites[i].probe,
					f->sites[i].ip, at + CHESS_ARCH_FAST_SLOT);
		chess_arch_fast_build(out, at, chess_fast_ring(f), i);
	}
	good = good && chess_patch_slots(f->area, code, size);
	kfree(code);
	return good;
}

static bool find_trap(const struct chess_mm *mm, unsigned long ip, struct chess_fast_site *site)
{
	u32 i, n;

	/* The newest first, as where traps are looked for. */
	for (i = mm->nmaps; i--; ) {
		struct chess_map *map = mm->maps[i];

		n = chess_image_at(map->image, ip - map->base);
		if (n == map->image->count || !test_bit(n, map->armed))
			continue;
		*site = (struct chess_fast_site) {
			.probe = chess_image_probe(map->image, n), .map = map, .n = n, .ip = ip,
		};
		return true;
	}
	return false;
}

/* From a trap to a jump. Returns whether it is one now. */
static bool add_site(struct chess_mm *mm, unsigned long ip)
{
	struct chess_fast *f = &mm->fast;
	struct chess_fast_site *site = &f->sites[f->nsites];
	struct chess_patch w = { .mm = mm->mm, .arm = true, .is_own = true };
	u8 jump[CHESS_ARCH_JUMP_BYTES];

	if (f->nsites == CHESS_FAST_SITES || !find_trap(mm, ip, site) ||
	    !chess_arch_jump(jump, ip, code_address(f, f->nsites)) ||
	    !write_code(f, f->nsites + 1))
		return false;
	w.map = site->map;
	/* Pairs with smp_load_acquire() in site_at(). */
	smp_store_release(&f->nsites, f->nsites + 1);
	return chess_patch_jump(&w, site->n, jump);
}

/**
 * chess_fast_prepare() - have the trap that a task hits often become a jump
 * @t: the task, which is current
 *
 * Context: task work; group->leaving held.
 */
void chess_fast_prepare(struct chess_task *t)
{
	unsigned long ip = t->traps.fast.wanted;
	struct chess_fast *f;
	bool good;

	t->traps.fast.wanted = 0;
	/* Nobody else of the address space is executed while it has the token. */
	if (!t->mm || t->mm->mm != current->mm || READ_ONCE(t->group->token) != t ||
	    !chess_fast_may_note(t))
		return;
	f = &t->mm->fast;
	good = !f->failed && f->area && (f->ring || pin_ring(f)) &&
	       (chess_fast_site_of(f, ip) || add_site(t->mm, ip));
	/* Traps work as well. */
	f->failed |= !good;
}

/**
 * chess_fast_retire() - make jumps traps again, before these are taken out
 * @mm: traps of the address space
 * @is_own: current is a task of it
 *
 * Context: process, may sleep; group->leaving held.
 * Return: false where one could not be written.
 */
bool chess_fast_retire(struct chess_mm *mm, bool is_own)
{
	bool good = true;
	u32 i;

	for (i = 0; i < mm->fast.nsites; i++)
		good &= chess_patch_jump(&(struct chess_patch) {
			.mm = mm->mm, .map = mm->fast.sites[i].map, .is_own = is_own,
		}, mm->fast.sites[i].n, NULL);
	return good;
}

/**
 * chess_fast_forked() - the text of a new process is its parent's, with the jumps
 * @from: traps of the parent
 * @to: traps of the child, which has references to the same maps
 *
 * Context: probe (sched_process_fork).
 */
void chess_fast_forked(const struct chess_mm *from, struct chess_mm *to)
{
	to->fast = from->fast;
	to->fast.ring = NULL;
}

/**
 * chess_fast_free() - let go of the ring
 * @mm: traps of an address space that nobody has
 *
 * Context: process.
 */
void chess_fast_free(struct chess_mm *mm)
{
	if (!mm->fast.ring)
		return;
	vunmap(mm->fast.ring);
	unpin_user_pages_dirty_lock(mm->fast.pages, CHESS_FAST_RING_PAGES, true);
}
