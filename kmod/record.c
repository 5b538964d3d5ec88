// SPDX-License-Identifier: GPL-2.0-only
/*
 * The record of a run. One writer at a time (plock); readers need no lock:
 * entries below record->length never change during a run.
 */
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "arch_x86.h"
#include "chess.h"
#include "quota.h"
#include "record.h"
#include "spurious.h"
#include "traps/mapped.h"

static_assert(sizeof(struct chess_event) == 64);
static_assert(sizeof(struct chess_stack) == 144);
static_assert(sizeof(struct chess_fault) == 16);
static_assert(sizeof(struct chess_probe) == 112);
static_assert(sizeof(struct chess_segment) == 8);
static_assert(sizeof(struct chess_object_name) == 16);
static_assert(sizeof(struct chess_operand) == 24);
static_assert(sizeof(struct chess_access) == 32);

/**
 * chess_record_init() - allocate a record
 * @r: the record
 * @quota: what its owner may have
 * @capacity: events it can hold
 *
 * Context: netlink.
 * Return: 0 or -ENOMEM.
 */
int chess_record_init(struct chess_record *r, struct chess_quota *quota, u32 capacity)
{
	r->quota = quota;
	/* And the slot of one that does not fit. */
	r->events = chess_quota_alloc(quota, size_add(capacity, 1), sizeof(*r->events), 0);
	if (!r->events)
		return -ENOMEM;
	r->capacity = capacity;
	return 0;
}

/**
 * chess_record_free() - free what a record holds
 * @r: the record
 *
 * Context: process.
 */
void chess_record_free(struct chess_record *r)
{
	chess_quota_free(r->events);
	chess_quota_free(r->stacks);
	kfree(r->maps);
	chess_mapped_free(&r->mapped);
}

/**
 * chess_record_start() - begin the record of a new run
 * @r: the record of an idle group
 * @seqs: sorted numbers of events and accesses to take stack snapshots at
 * @nseqs: how many, at most CHESS_MAX_STACKS
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -ENOMEM.
 */
int chess_record_start(struct chess_record *r, const u32 *seqs, u32 nseqs)
{
	void *stacks = NULL;

	if (chess_mapped_start(&r->mapped, r->quota))
		return -ENOMEM;
	if (nseqs) {
		stacks = chess_quota_alloc(r->quota, nseqs, CHESS_STACK_SLOT, 0);
		if (!stacks)
			return -ENOMEM;
		memcpy(r->seqs, seqs, nseqs * sizeof(*seqs));
	}
	chess_quota_free(r->stacks);
	r->stacks = stacks;
	r->nseqs = nseqs;
	for (r->next = 0; r->next < nseqs && seqs[r->next] < CHESS_STACK_AT_ACCESS; r->next++)
		;
	kfree(r->maps);
	r->maps = NULL;
	r->dropped = 0;
	WRITE_ONCE(r->length, 0);
	return 0;
}

/**
 * chess_record_overflow_locked() - count an event that does not fit
 * @g: the group
 *
 * Context: any, group->plock held.
 */
void chess_record_overflow_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (!g->record.dropped++)
		g->notices.due |= BIT(CHESS_NOTICE_OVERFLOW);
	g->lost++;
}

/* The snapshot number @seq, or NULL if nobody asked for it. */
static struct chess_stack *slot_of(const struct chess_record *r, u32 seq)
{
	u32 i;

	for (i = 0; i < r->nseqs; i++)
		if (r->seqs[i] == seq)
			return r->stacks + i * CHESS_STACK_SLOT;
	return NULL;
}

/* Pages that are not present are left out: the copy ends there. Return: its length. */
static u32 copy_stack(void *to, u32 room, unsigned long sp)
{
	u32 size = 0;

	while (size < room) {
		unsigned long from = sp + size;
		u32 chunk = min_t(u32, PAGE_SIZE - offset_in_page(from), room - size);

		if (copy_from_user_nofault(to + size, (void __user *)from, chunk))
			break;
		size += chunk;
	}
	return size;
}

/**
 * chess_record_stack() - keep the user stack of current, if it was asked for
 * @g: the group
 * @seq: event it belongs to, or CHESS_STACK_AT_ACCESS and the number of an access
 * @regs: user registers of current
 *
 * Context: probe of current, on its way from user mode or back; the token is held, so
 * there is one writer.
 */
void chess_record_stack(struct chess_group *g, u32 seq, const struct pt_regs *regs)
{
	struct chess_stack *stack = slot_of(&g->record, seq);

	if (!stack)
		return;
	chess_arch_dwarf_regs(regs, stack->regs);
	stack->size = copy_stack(stack + 1, CHESS_STACK_BYTES, regs->sp);
	chess_spurious_hide(stack + 1, stack->size, regs->sp);
	stack->seq = seq;
}

/* Of which signals the kernel says an address; one that was sent has none. */
static bool has_address(const struct kernel_siginfo *info)
{
	switch (info->si_signo) {
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGTRAP:
		return info->si_code > 0 && info->si_code != SI_KERNEL;
	default:
		return false;
	}
}

/**
 * chess_record_fault() - keep the signal that ends current, and its user stack, if that was
 *	asked for
 * @g: the group
 * @task: id of current
 * @info: the signal
 * @regs: user registers of current
 *
 * Context: probe of current (signal_deliver), sighand->siglock held. Each task has a slot of
 * its own and is the only one that writes there.
 */
void chess_record_fault(struct chess_group *g, u32 task, const struct kernel_siginfo *info,
			const struct pt_regs *regs)
{
	struct chess_stack *stack = slot_of(&g->record, CHESS_STACK_AT_FAULT | task);
	struct chess_fault *fault;

	if (!stack)
		return;
	chess_arch_dwarf_regs(regs, stack->regs);
	fault = (struct chess_fault *)(stack + 1);
	fault->address = has_address(info) ? (unsigned long)info->si_addr : 0;
	fault->code = info->si_code;
	fault->signal = info->si_signo;
	stack->size = sizeof(*fault) +
		      copy_stack(fault + 1, CHESS_STACK_BYTES - sizeof(*fault), regs->sp);
	chess_spurious_hide(fault + 1, stack->size - sizeof(*fault), regs->sp);
	stack->seq = CHESS_STACK_AT_FAULT | task;
}

static u32 number_of_locked(struct chess_group *g, const struct chess_object_name *name)
	__must_hold(&g->plock)
{
	u32 i;

	lockdep_assert_held(&g->plock);
	for (i = 0; i < g->inodes.n; i++)
		if (g->inodes.names[i].ino == name->ino && g->inodes.names[i].dev == name->dev &&
		    g->inodes.names[i].generation == name->generation)
			return i + 1;
	if (g->inodes.n == CHESS_MAX_INODES)
		return 0;
	g->inodes.names[i] = *name;
	/* Pairs with smp_load_acquire() in put_record(). */
	smp_store_release(&g->inodes.n, i + 1);
	return i + 1;
}

/**
 * chess_record_name() - what tells an inode from all others
 * @inode: the inode
 *
 * Context: any.
 * Return: its name.
 */
struct chess_object_name chess_record_name(const struct inode *inode)
{
	/*
	 * An overlay has the numbers of several file systems under one device: they
	 * may collide. What its inode stands for is the key it is found by, and stays
	 * when the file is copied up.
	 */
	if (inode->i_sb->s_magic == OVERLAYFS_SUPER_MAGIC && inode->i_private)
		inode = inode->i_private;
	return (struct chess_object_name) {
		.dev = new_encode_dev(inode->i_sb->s_dev),
		.generation = inode->i_generation,
		.ino = inode->i_ino,
	};
}

/**
 * chess_record_inode_locked() - canonical number of an inode
 * @g: the group
 * @inode: the inode
 *
 * Numbers go by first access in the run, so they are equal in runs that make
 * the same accesses, whatever the file system's own numbers are. The
 * generation tells a reused inode number from its first use.
 *
 * Context: any, group->plock held.
 * Return: the number from 1, or 0 when the table is full.
 */
u32 chess_record_inode_locked(struct chess_group *g, const struct inode *inode)
	__must_hold(&g->plock)
{
	struct chess_object_name name = chess_record_name(inode);

	lockdep_assert_held(&g->plock);
	return number_of_locked(g, &name);
}

/**
 * chess_record_id_locked() - canonical number of a System V IPC object
 * @g: the group
 * @kind: which sort
 * @id: the system's number, which grows from run to run
 *
 * Context: any, group->plock held.
 * Return: the number from 1, one series with inodes; 0 when the table is full.
 */
u32 chess_record_id_locked(struct chess_group *g, u32 kind, u64 id)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	/* No file system has this device. */
	return number_of_locked(g, &(struct chess_object_name) {
		.dev = U32_MAX, .generation = kind, .ino = id,
	});
}
