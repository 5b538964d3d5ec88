// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accesses of a run, as they are recorded; access_point.c has those that are points. The
 * token holder alone writes them, so no lock is taken; a reader takes what is below the length it
 * loaded.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "access.h"
#include "address.h"
#include "arch_x86.h"
#include "chess.h"
#include "gate.h"
#include "heap.h"
#include "image.h"
#include "memory.h"
#include "point.h"
#include "quota.h"
#include "record_push.h"
#include "settle.h"
#include "space.h"
#include "task.h"
#include "wait_loop.h"

/*
 * A record of so many accesses is long. From there on each site has room for so many more,
 * without reads of the address that it read last. Then its trap is taken out: else a few loops
 * would use up the record and most of the time, and what comes after them would be lost. With
 * four times as many a run of a sort of 140,000 lines, 0.6 s, took 12 s under emulation, and 40 s
 * more to be searched for races.
 */
#define CHESS_LONG_RECORD	500000
#define CHESS_SITE_ROOM		1000

/* Frames are not that large. */
#define STACK_JUMP		SZ_8M

/**
 * chess_access_free() - free what a group holds for its accesses
 * @g: the group
 *
 * Context: process; nobody else has the group.
 */
void chess_access_free(struct chess_group *g)
{
	chess_quota_free(g->accesses.entries);
	chess_quota_free(g->accesses.points);
	chess_quota_free(g->accesses.heats);
	kfree(g->accesses.vector);
	kfree(g->accesses.loop);
}

/* All sites are cold. */
static int cool(struct chess_group *g, u32 max)
{
	struct chess_accesses *a = &g->accesses;

	if (!a->heats && max > CHESS_LONG_RECORD) {
		a->heats = chess_quota_alloc(g->quota, CHESS_MAX_SITES, sizeof(*a->heats), 0);
		if (!a->heats)
			return -ENOMEM;
		a->is_hot = true;
	}
	if (a->is_hot)
		memset(a->heats, 0, CHESS_MAX_SITES * sizeof(*a->heats));
	a->is_hot = false;
	return 0;
}

static int make_room(struct chess_group *g, u32 max)
{
	struct chess_accesses *a = &g->accesses;
	struct chess_access *entries;

	if (max <= a->capacity)
		return 0;
	entries = chess_quota_alloc(g->quota, max, sizeof(*entries), 0);
	if (!entries)
		return -ENOMEM;
	chess_quota_free(a->entries);
	a->entries = entries;
	a->capacity = max;
	return 0;
}

/* What a run with accesses works with; both stay until the group goes. */
static int make_scratch(struct chess_accesses *a)
{
	if (!a->vector)
		a->vector = kzalloc(sizeof(*a->vector), GFP_KERNEL_ACCOUNT);
	if (!a->loop)
		a->loop = kzalloc(sizeof(*a->loop), GFP_KERNEL_ACCOUNT);
	return a->vector && a->loop ? 0 : -ENOMEM;
}

/**
 * chess_access_start() - before a run
 * @g: an idle group
 * @max: record so many accesses at most
 * @virtual: the run's time is the group's
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -ENOMEM.
 */
int chess_access_start(struct chess_group *g, u32 max, bool virtual)
{
	struct chess_accesses *a = &g->accesses;
	int ret;

	lockdep_assert_held(&g->lock);
	WRITE_ONCE(a->length, 0);
	a->lost = 0;
	a->max = 0;
	g->memories.n = 0;
	ret = make_room(g, max) ?: cool(g, max);
	if (!ret && (max || a->points))
		ret = make_scratch(a);
	if (ret)
		return ret;
	if (a->loop)
		chess_wait_loop_forget(a->loop);
	a->max = max;
	chess_rest_start(&a->rest);
	if (a->is_chosen && a->was_recording == !!max && a->was_virtual == virtual)
		return 0;
	a->is_chosen = false;
	/* What it hits traps by. */
	chess_kept_drop(g);
	a->was_virtual = virtual;
	ret = chess_image_choose_all(g);
	if (ret)
		return ret;
	a->is_chosen = true;
	a->was_recording = max;
	return 0;
}

/**
 * chess_access_set_points() - set which sites are points
 * @g: an idle group
 * @words: site N is bit N % 64 of word N / 64
 * @bytes: of @words; at most CHESS_MAX_SITES / 8
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -ENOMEM.
 */
int chess_access_set_points(struct chess_group *g, const u64 *words, u32 bytes)
{
	struct chess_accesses *a = &g->accesses;

	lockdep_assert_held(&g->lock);
	if (!a->points && !bytes)
		return 0;
	if (!a->points)
		a->points = chess_quota_alloc(g->quota, BITS_TO_LONGS(CHESS_MAX_SITES),
					      sizeof(*a->points), 0);
	if (!a->points)
		return -ENOMEM;
	/* A point of the new ones may be before where it is. */
	chess_kept_drop(g);
	bitmap_zero(a->points, CHESS_MAX_SITES);
	bitmap_from_arr64(a->points, words, bytes * BITS_PER_BYTE);
	a->has_points = !bitmap_empty(a->points, CHESS_MAX_SITES);
	a->is_chosen = a->is_chosen && a->was_recording;
	return 0;
}

/**
 * chess_access_wants() - is a trap to be armed in the next run
 * @g: the group
 * @p: the trap
 *
 * Context: netlink, group->lock held.
 * Return: whether it is.
 */
bool chess_access_wants(const struct chess_group *g, const struct chess_probe *p)
{
	if (p->flags & CHESS_PROBE_TSC)
		return g->accesses.was_virtual;
	return p->id || g->accesses.max ||
	       (p->flags & CHESS_PROBE_AWAIT_END && g->accesses.has_points) ||
	       ((p->flags & CHESS_PROBE_ACCESS) && chess_access_is_point(&g->accesses, p));
}

static bool needs_vector(const struct chess_operand *op)
{
	return op->form == CHESS_FORM_GATHER || (op->flags & CHESS_OPERAND_VECTOR_MASK) ||
	       (op->form >= CHESS_FORM_GATHER && op->mask);
}

/**
 * chess_access_lanes() - what an operand accesses
 * @g: the group
 * @op: the operand
 * @regs: registers of current, ip at the instruction
 * @lanes: CHESS_LANES_MAX of them, filled in
 *
 * Context: probe (trap of current), which has the token.
 * Return: how many lanes, or a negative errno.
 */
int chess_access_lanes(struct chess_group *g, const struct chess_operand *op,
		       const struct pt_regs *regs, struct chess_lane *lanes)
{
	struct chess_vector *v = g->accesses.vector;
	struct chess_regs r;

	chess_arch_operand_regs(regs, op, &r);
	if (needs_vector(op) && chess_arch_read_vector(v)) {
		r.vector = (const u8 (*)[64])v->vector;
		r.vectors = v->vectors;
		r.opmask = v->has_opmask ? v->opmask : NULL;
	}
	return chess_operand_lanes(op, &r, lanes);
}

/* Where the next access is written, and published after it; NULL: there is no room. */
static struct chess_access *next_entry(struct chess_accesses *a)
{
	u32 n = READ_ONCE(a->length);

	if (likely(n < a->max))
		return &a->entries[n];
	a->lost++;
	return NULL;
}

/* By its place: should the watchdog give the token away meanwhile no length is beyond it. */
static __always_inline void publish(struct chess_group *g, const struct chess_access *e)
{
	struct chess_accesses *a = &g->accesses;
	u32 n = e - a->entries + 1;

	chess_record_at_access(g, n);
	/* Pairs with smp_load_acquire() in put_accesses(). */
	smp_store_release(&a->length, n);
}

/* What was not written of a view is the file's, so it is perhaps read there. */
static noinline void push_view(struct chess_task *t, const struct chess_hit *hit,
			       const struct pt_regs *regs, u64 address, u64 bytes)
{
	struct chess_access *e;
	u8 memory;

	if (!chess_memory_is_view(chess_mm_shared(t->mm), &address, &memory))
		return;
	e = next_entry(&t->group->accesses);
	if (!e)
		return;
	*e = (struct chess_access) {
		.address = address, .ip = regs->ip, .size = min_t(u64, bytes, U32_MAX),
		.seq = READ_ONCE(t->group->record.length), .site = hit->probe->site,
		.task = t->id, .kind = CHESS_ACCESS_MAY_READ | CHESS_ACCESS_SHARED,
		.memory = memory,
	};
	publish(t->group, e);
}

/* Inline, and written where it stays: this is most of what recording costs. */
static __always_inline void push_lane(struct chess_task *t, const struct chess_hit *hit,
				      u8 kind, const struct pt_regs *regs,
				      u64 address, u64 bytes)
{
	struct chess_group *g = t->group;
	struct chess_access *e;

	if (unlikely(chess_mm_shared(t->mm)->views) && kind & CHESS_OPERAND_READ)
		push_view(t, hit, regs, address, bytes);
	e = next_entry(&g->accesses);
	if (!e)
		return;
	e->ip = regs->ip;
	e->size = min_t(u64, bytes, U32_MAX);
	e->seq = READ_ONCE(g->record.length);
	e->site = hit->probe->site;
	e->task = t->id;
	e->kind = kind & (CHESS_OPERAND_READ | CHESS_OPERAND_WRITE | CHESS_OPERAND_ATOMIC);
	e->memory = 0;
	if (chess_mm_shared(t->mm)->count &&
	    chess_memory_is_shared(chess_mm_shared(t->mm), &address, &e->memory))
		e->kind |= CHESS_ACCESS_SHARED;
	e->address = chess_task_address(address);
	publish(g, e);
}

/* Of what is perhaps accessed: a write, where it may be one. */
static u8 kind_perhaps(const struct chess_operand *op)
{
	return op->flags & CHESS_OPERAND_WRITE ? CHESS_ACCESS_MAY_WRITE : CHESS_ACCESS_MAY_READ;
}

/* Apart, so that only those who need them have lanes on the stack, which are cleared first. */
static noinline void push_lanes(struct chess_task *t, const struct chess_hit *hit,
				const struct chess_operand *op, const struct pt_regs *regs)
{
	struct chess_lane lanes[CHESS_LANES_MAX];
	int i, n = chess_access_lanes(t->group, op, regs, lanes);

	if (n < 0)
		t->group->accesses.lost++;
	for (i = 0; i < n; i++)
		push_lane(t, hit, i && op->flags & CHESS_OPERAND_PERHAPS ? kind_perhaps(op) :
			  op->flags, regs, lanes[i].address, lanes[i].size);
}

CHESS_HOT static void push_operand(struct chess_task *t, const struct chess_hit *hit,
				   const struct chess_operand *op, const struct pt_regs *regs)
{
	if (chess_arch_is_plain(op))
		push_lane(t, hit, op->flags, regs, chess_arch_plain_address(regs, op), op->size);
	else
		push_lanes(t, hit, op, regs);
}

/**
 * chess_access_is_running() - do the accesses of a task count
 * @t: the task
 *
 * A service that was adopted is let pass: what it did before is not known.
 *
 * Context: any.
 * Return: whether they do.
 */
bool chess_access_is_running(const struct chess_task *t)
{
	return READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING &&
	       !t->group->adoption.process;
}

/**
 * chess_access_missed() - something that belongs into the record of accesses is not in it
 * @t: the task, which is current and has the token
 *
 * Context: probe, in current.
 */
void chess_access_missed(struct chess_task *t)
{
	if (t->group->accesses.max)
		t->group->accesses.lost++;
}

static bool is_recorded(const struct chess_task *t)
{
	return t->group->accesses.max && chess_access_is_running(t) &&
	       READ_ONCE(t->group->token) == t;
}

/**
 * chess_access_push() - an access of so many bytes
 * @t: the task, which is current
 * @like: all of it but what is known here: size, seq and task
 * @bytes: how many
 *
 * Who has no token, as one that is being killed, does nothing that others could find.
 *
 * Context: probe, in current.
 */
void chess_access_push(struct chess_task *t, struct chess_access like, u64 bytes)
{
	if (!is_recorded(t))
		return;
	/* A program may claim more of its memory than there can be. */
	bytes = min_t(u64, bytes, TASK_SIZE_MAX);
	do {
		struct chess_access *e = next_entry(&t->group->accesses);
		/* The size has 32 bits. */
		u32 part = min_t(u64, bytes, SZ_1G);

		if (!e)
			return;
		*e = like;
		e->size = part;
		e->seq = READ_ONCE(t->group->record.length);
		e->task = t->id;
		publish(t->group, e);
		like.address += part;
		bytes -= part;
	} while (bytes);
}

/**
 * chess_access_tell() - something about signals
 * @t: the task, which is current
 * @what: what happened
 * @sig: number of the signal, or zero
 * @set: see enum chess_told
 * @how: see enum chess_told
 *
 * Who has no token, as one that is being killed, does nothing that others could find.
 *
 * Context: probe, in current.
 */
void chess_access_tell(struct chess_task *t, enum chess_told what, u32 sig, u64 set, u64 how)
{
	struct chess_group *g = t->group;
	struct chess_access *e;

	if (what == CHESS_TOLD_SENT || what == CHESS_TOLD_ARMED)
		chess_rest_end(&g->accesses.rest);
	if (!is_recorded(t))
		return;
	e = next_entry(&g->accesses);
	if (!e)
		return;
	*e = (struct chess_access) {
		.address = set,
		.ip = how,
		.size = what,
		.seq = READ_ONCE(g->record.length),
		.site = sig,
		.task = t->id,
		.kind = CHESS_ACCESS_TOLD,
	};
	publish(g, e);
}

/**
 * chess_access_see_stack() - which frames of a stack have ended since the task's last point?
 * @t: the task, which is current and at a point
 * @sp: its stack pointer
 *
 * Other tasks may still have pointers to what was there. A task that goes to another stack, as
 * to that of a signal handler, is not on its way back from functions.
 *
 * Context: probe, in current.
 */
void chess_access_see_stack(struct chess_task *t, unsigned long sp)
{
	unsigned long was = t->traps.sp;

	t->traps.sp = sp;
	if (was && sp > was && sp - was < STACK_JUMP)
		chess_access_tell(t, CHESS_TOLD_POPPED, 0, chess_task_address(was),
				  chess_task_address(sp));
}

/* Of the access that a task is about to make; zero where it does not follow from registers. */
static u64 address_of(const struct chess_operand *op, const struct pt_regs *regs)
{
	return op->size && chess_arch_is_plain(op) ? chess_arch_plain_address(regs, op) : 0;
}

/**
 * chess_access_alone() - nobody else can go on, and the task makes an access
 * @t: the task, which is current and has the token
 * @op: what it accesses
 * @regs: its registers, ip at the instruction
 *
 * In a loop it may wait for a timer. As in watchdog.c, but at the same access in every run.
 *
 * Context: probe (trap of current).
 */
void chess_access_alone(struct chess_task *t, const struct chess_operand *op,
			const struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_wait_loop *l = g->accesses.loop;

	if (!chess_rest_has_timers(g))
		return;
	g->watchdog.spin = 0;
	if (!chess_wait_loop_turned(l, READ_ONCE(g->decisions), address_of(op, regs)))
		return;
	chess_wait_loop_goes_on(l);
	chess_point_spun(t);
}

/* At its quantum the task stays at the trap, and is here once more after the decision. */
static bool used_up_quantum(struct chess_task *t, const struct chess_operand *op,
			    const struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_wait_loop *l = g->accesses.loop;

	if (READ_ONCE(g->enabled.count) < 2) {
		chess_access_alone(t, op, regs);
		return false;
	}
	g->watchdog.user = 0;
	if (!chess_wait_loop_turned(l, READ_ONCE(g->decisions), address_of(op, regs)))
		return false;
	chess_wait_loop_forget(l);
	chess_gate_quantum(t);
	return true;
}

/* Nothing that another task or a timer does could end a loop, or it comes to new words. */
static bool is_computing(const struct chess_group *g)
{
	if (READ_ONCE(g->enabled.count) < 2 && !chess_rest_has_timers(g))
		return true;
	return chess_wait_loop_is_none(g->accesses.loop);
}

/*
 * Not where it reads one address again and again, unless the task computes: it may wait in a loop
 * there, which ends at a number of accesses. Nor where it orders others, or is a point.
 */
static bool is_retiring(struct chess_group *g, const struct chess_hit *hit,
			const struct pt_regs *regs)
{
	const struct chess_operand *op = hit->operands;
	struct chess_accesses *a = &g->accesses;
	u8 kinds = op[0].flags | op[1].flags;
	struct chess_heat *heat;
	u32 address;
	bool moves;

	if (!a->heats || hit->probe->id || hit->probe->flags != CHESS_PROBE_ACCESS ||
	    (kinds & CHESS_OPERAND_ATOMIC) || !chess_arch_is_plain(op) ||
	    chess_access_is_point(a, hit->probe))
		return false;
	a->is_hot = true;
	heat = &a->heats[hit->probe->site];
	address = chess_arch_plain_address(regs, op);
	moves = heat->last != address || (kinds & CHESS_OPERAND_WRITE) || is_computing(g);
	heat->last = address;
	heat->count += moves;
	if (!moves || (heat->count <= CHESS_SITE_ROOM && READ_ONCE(a->length) < a->max))
		return false;
	/* Another address space has its own trap there. */
	heat->count = 0;
	return true;
}

/* The trap is taken out on the way to user mode: at the same access in every run. */
static noinline void retire(struct chess_task *t, const struct chess_hit *hit)
{
	struct chess_access *e;

	t->traps.retired = hit->ip;
	chess_work_queue(&t->chore, current, TWA_RESUME);
	t->group->accesses.lost++;
	e = next_entry(&t->group->accesses);
	if (!e)
		return;
	*e = (struct chess_access) {
		.size = CHESS_TOLD_RETIRED,
		.ip = hit->ip,
		.seq = READ_ONCE(t->group->record.length),
		.site = hit->probe->site,
		.task = t->id,
		.kind = CHESS_ACCESS_TOLD,
	};
	publish(t->group, e);
}

/* Before that the traps of a task that is alone come to rest. */
static __always_inline bool is_long(struct chess_task *t)
{
	u32 length = READ_ONCE(t->group->accesses.length);

	if (unlikely(length >= t->group->accesses.rest.due))
		chess_rest_begin(t);
	return length >= CHESS_LONG_RECORD;
}

/**
 * chess_access_record() - the task is about to access memory
 * @t: the task, which is current and has the token
 * @hit: the trap
 * @regs: its registers, ip at the instruction
 *
 * Context: probe (trap of current), IRQs off.
 * Return: false: not yet; there is a decision before it, taken on the way to user mode.
 */
bool chess_access_record(struct chess_task *t, const struct chess_hit *hit,
			 const struct pt_regs *regs)
{
	const struct chess_operand *op = hit->operands;
	bool swap;

	if (!t->group->accesses.max || !chess_access_is_running(t))
		return true;
	/* First: it is here once more after that, and a piece is given back once. */
	if (op && op->size && used_up_quantum(t, op, regs))
		return false;
	if (hit->probe->flags & (CHESS_PROBE_FREE | CHESS_PROBE_ALLOCATED))
		chess_heap_called(t, hit->probe, regs);
	if (!op || !op->size)
		return true;
	if (unlikely(is_long(t)) && is_retiring(t->group, hit, regs)) {
		retire(t, hit);
		return true;
	}
	/* What it reads comes first. */
	swap = op[1].size && !(op[0].flags & CHESS_OPERAND_READ);
	push_operand(t, hit, &op[swap], regs);
	if (op[1].size)
		push_operand(t, hit, &op[!swap], regs);
	return true;
}
