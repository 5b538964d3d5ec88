// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces with traps: which there are, found when one is hit, and who shares them.
 *
 * fork copies the text with its traps, and the slots at the same addresses, so
 * the child's chess_mm takes over the maps of its parent's.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "arch_x86.h"
#include "chess.h"
#include "group.h"
#include "space.h"
#include "trap.h"

static noinline bool look_up(const struct chess_mm *mm, u32 nmaps, unsigned long ip,
			     struct chess_hit *hit)
{
	u32 i = nmaps;

	/* The newest first: it is right where a library was unmapped and another
	 * one came to its place.
	 */
	while (i--) {
		const struct chess_map *map = mm->maps[i];
		u32 n;

		/* Where offset 0 would be below address 0 both wrap, and the offset is right. */
		n = chess_image_at(map->image, ip - map->base);
		if (n == map->image->count || !test_bit(n, map->armed))
			continue;
		hit->ip = ip;
		hit->nmaps = nmaps;
		hit->probe = chess_image_probe(map->image, n);
		hit->operands = hit->probe->flags & CHESS_PROBE_ACCESS ?
				chess_image_operands(map->image, n) : NULL;
		hit->slot = map->slots + n * CHESS_SLOT_BYTES;
		return true;
	}
	return false;
}

/**
 * chess_mm_find() - the trap at an address of current's address space
 * @t: the task, which is current and has chess_task.mm
 * @ip: the address
 *
 * Most traps are hit again and again: the last ones are remembered. What is armed stays
 * known as long as the address space, and is only ever covered by a newer map.
 *
 * Context: probe (trap of current), IRQs off.
 * Return: it, until the next call; NULL: there is none.
 */
const struct chess_hit *chess_mm_find(struct chess_task *t, unsigned long ip)
{
	struct chess_hit *hit = &t->traps.hits[(ip ^ ip >> 4) % CHESS_HITS];
	const struct chess_mm *mm = t->mm;
	/* Pairs with smp_store_release() in arm_image(). */
	u32 nmaps = smp_load_acquire(&mm->nmaps);

	if (likely(hit->ip == ip && hit->nmaps == nmaps))
		return hit;
	return look_up(mm, nmaps, ip, hit) ? hit : NULL;
}

/**
 * chess_mm_forget() - forget the traps a task hit
 * @t: the task: it is new, or its address space is
 *
 * Context: process; nobody else has the task, or it is current.
 */
void chess_mm_forget(struct chess_task *t)
{
	unsigned int i;

	/* No address of a trap. */
	for (i = 0; i < CHESS_HITS; i++)
		t->traps.hits[i].ip = ULONG_MAX;
}

/**
 * chess_mm_leave_slot() - have ip at an instruction of the program, not at a copy of it
 * @mm: traps of the current address space
 * @regs: user registers; changed where ip is in a slot
 *
 * Before somebody looks at them: a signal handler, a debugger, a core dump. What the copy
 * has done is done; what it has not is to be done by the instruction, whose trap is hit
 * once more.
 *
 * Context: any, in the task itself.
 * Return: whether that is at a function with CHESS_PROBE_JUMP whose point is taken.
 */
bool chess_mm_leave_slot(const struct chess_mm *mm, struct pt_regs *regs)
{
	/* Pairs with smp_store_release() in arm_image(). */
	u32 i = smp_load_acquire(&mm->nmaps);

	if (chess_fast_leave_slot(mm, regs))
		return true;
	while (i--) {
		const struct chess_map *map = mm->maps[i];
		unsigned long at = regs->ip - map->slots, n = at / CHESS_SLOT_BYTES, ip;
		const struct chess_probe *p;

		if (n >= map->image->count)
			continue;
		p = chess_image_probe(map->image, n);
		ip = map->base + map->image->chosen[n].offset;
		chess_arch_leave_slot(regs, p, ip, at % CHESS_SLOT_BYTES);
		return (p->flags & CHESS_PROBE_JUMP) && regs->ip == ip;
	}
	return false;
}

static void map_release(struct kref *ref)
{
	kvfree(container_of(ref, struct chess_map, ref));
}

static void mm_free_fn(struct work_struct *work)
{
	struct chess_mm *mm = container_of(to_rcu_work(work), struct chess_mm, rwork);
	u32 i;

	chess_fast_free(mm);
	for (i = 0; i < mm->nmaps; i++)
		kref_put(&mm->maps[i]->ref, map_release);
	if (mm->mm)
		mmdrop(mm->mm);
	kfree(mm);
}

static void mm_release(struct kref *ref)
{
	struct chess_mm *mm = container_of(ref, struct chess_mm, ref);

	INIT_RCU_WORK(&mm->rwork, mm_free_fn);
	queue_rcu_work(chess_wq, &mm->rwork);
}

/**
 * chess_mm_put() - drop a reference
 * @mm: traps of an address space, or NULL
 *
 * Context: any but NMI.
 */
void chess_mm_put(struct chess_mm *mm)
{
	if (mm)
		kref_put(&mm->ref, mm_release);
}

/**
 * chess_mm_create() - memory for the traps of an address space
 *
 * Context: process, may sleep.
 * Return: an empty one with one reference, or NULL.
 */
struct chess_mm *chess_mm_create(void)
{
	struct chess_mm *mm = kzalloc(sizeof(*mm), GFP_KERNEL_ACCOUNT);

	if (mm)
		kref_init(&mm->ref);
	return mm;
}

/**
 * chess_mm_get() - take a reference
 * @mm: traps of an address space; its task is kept by RCU or the caller
 *
 * Context: any.
 * Return: the same, or NULL where the last one is gone.
 */
struct chess_mm *chess_mm_get(struct chess_mm *mm)
{
	return mm && kref_get_unless_zero(&mm->ref) ? mm : NULL;
}

/**
 * chess_mm_share() - give an adopted task the traps of its address space
 * @t: the task; @t->group->tasks holds those that are in already
 * @space: its address space; a reference is taken
 *
 * All tasks of one address space must have its traps before the first one is armed.
 *
 * Context: any, group->plock held.
 */
void chess_mm_share(struct chess_task *t, struct mm_struct *space)
{
	struct chess_task *other;

	list_for_each_entry(other, &t->group->tasks, entry)
		if (other->mm && other->mm->mm == space) {
			kref_get(&other->mm->ref);
			t->mm = other->mm;
			return;
		}
	mmgrab(space);
	t->mm = t->spare_mm;
	t->mm->mm = space;
	t->spare_mm = NULL;
}

/**
 * chess_mm_forked() - the child's traps are its parent's
 * @parent: the creating task, which is current
 * @child: its child; @child->task is set
 *
 * Context: probe (sched_process_fork).
 */
void chess_mm_forked(struct chess_task *parent, struct chess_task *child)
{
	struct chess_mm *from = parent->mm, *to;
	u32 i;

	if (child->task->mm == from->mm) {
		kref_get(&from->ref);
		child->mm = from;
		return;
	}
	to = child->spare_mm;
	child->spare_mm = NULL;
	if (!to) {
		child->group->lost++;
		return;
	}
	mmgrab(child->task->mm);
	to->mm = child->task->mm;
	for (i = 0; i < from->nmaps; i++) {
		to->maps[i] = from->maps[i];
		kref_get(&to->maps[i]->ref);
	}
	to->nmaps = from->nmaps;
	to->rests = from->rests;
	to->shared = from->shared;
	to->rings = from->rings;
	chess_fast_forked(from, to);
	child->mm = to;
}
