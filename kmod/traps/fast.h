/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fast points: points at sync functions that a task notes by itself, without entering the kernel.
 */
#ifndef _CHESS_FAST_H
#define _CHESS_FAST_H

#include <linux/compiler.h>
#include <linux/mm_types.h>
#include <uapi/linux/chess_record.h>

struct chess_hit;
struct chess_map;
struct chess_mm;
struct chess_task;
struct pt_regs;

/* Places that note: one for each op class, of which few are eligible. */
#define CHESS_FAST_SITES	8
#define CHESS_FAST_RING_PAGES	8
#define CHESS_FAST_RING_BYTES	(CHESS_FAST_RING_PAGES * PAGE_SIZE)

/**
 * struct chess_fast_head - the beginning of the ring, in memory of the program
 * @budget: how many points the task may note; negative: it has tried more often
 * @pad: zero
 * @next: address of the next entry
 * @rest: up to the size of an entry
 */
struct chess_fast_head {
	s32 budget;
	u32 pad;
	u64 next;
	u64 rest[2];
};

/**
 * struct chess_fast_entry - a point, as the task noted it
 * @object: first argument
 * @ret: return address
 * @sp: stack pointer
 * @site: which of chess_fast.sites
 * @pad: not written
 */
struct chess_fast_entry {
	u64 object;
	u64 ret;
	u64 sp;
	u32 site;
	u32 pad;
};

/* The head has the place of the first. */
#define CHESS_FAST_ENTRIES	(CHESS_FAST_RING_BYTES / sizeof(struct chess_fast_entry) - 1)

/**
 * struct chess_fast_site - a trap that has become a jump
 * @probe: the trap
 * @map: of which map
 * @n: which of those chosen
 * @ip: its address
 */
struct chess_fast_site {
	const struct chess_probe *probe;
	struct chess_map *map;
	u32 n;
	unsigned long ip;
};

/**
 * struct chess_fast - fast points of one address space
 * @area: address of a page with their code, which the ring follows; zero: there is none,
 *	as no trap may become a jump or no room was found
 * @pages: of the ring, pinned
 * @ring: where the kernel has them; NULL: this address space is a copy (fork) and has not pinned
 *	its own yet
 * @sites: filled in order, never changed once published
 * @nsites: published sites, written with smp_store_release()
 * @hits: of traps that may become a jump
 * @failed: it did not work out, and is not tried again
 *
 * Written in task work, under group->leaving, or while nobody else has it.
 */
struct chess_fast {
	unsigned long area;
	struct page *pages[CHESS_FAST_RING_PAGES];
	struct chess_fast_head *ring;
	struct chess_fast_site sites[CHESS_FAST_SITES];
	u32 nsites;
	u32 hits;
	bool failed;
};

/**
 * struct chess_fast_task - fast points of a task
 * @granted: so many it may note; zero: nothing is noted that the record has not. One task of a
 *	group at most has another value, the one with the token
 * @wanted: address of a trap that is to become a jump, or zero
 *
 * Only touched by the task itself.
 */
struct chess_fast_task {
	u32 granted;
	unsigned long wanted;
};

/**
 * chess_fast_ring() - where the program has the ring
 * @f: fast points of its address space, with an area
 *
 * Context: any.
 * Return: its address.
 */
static inline unsigned long chess_fast_ring(const struct chess_fast *f)
{
	return f->area + PAGE_SIZE;
}

/**
 * chess_fast_allow() - have the ring empty
 * @f: fast points of the current address space, with a ring
 * @budget: how many points may be noted there
 *
 * Context: any.
 */
static inline void chess_fast_allow(const struct chess_fast *f, s32 budget)
{
	WRITE_ONCE(f->ring->next, chess_fast_ring(f) + sizeof(*f->ring));
	WRITE_ONCE(f->ring->budget, budget);
}

/**
 * chess_fast_site_of() - the jump at an address
 * @f: fast points of an address space
 * @ip: the address
 *
 * Context: any.
 * Return: it, or NULL: there is none.
 */
static inline const struct chess_fast_site *chess_fast_site_of(const struct chess_fast *f,
							       unsigned long ip)
{
	u32 i;

	for (i = 0; i < f->nsites; i++)
		if (f->sites[i].ip == ip)
			return &f->sites[i];
	return NULL;
}

void chess_fast_reserve(struct chess_mm *mm, const struct chess_map *map);
bool chess_fast_may_note(const struct chess_task *t);
unsigned long chess_fast_origin(const struct chess_mm *mm, unsigned long ip);
void chess_fast_hit(struct chess_task *t, const struct chess_hit *hit);
u32 chess_fast_drain(struct chess_task *t);
bool chess_fast_leave_slot(const struct chess_mm *mm, struct pt_regs *regs);
void chess_fast_prepare(struct chess_task *t);
bool chess_fast_retire(struct chess_mm *mm, bool is_own);
void chess_fast_forked(const struct chess_mm *from, struct chess_mm *to);
void chess_fast_free(struct chess_mm *mm);

#endif /* _CHESS_FAST_H */
