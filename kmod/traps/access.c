// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accesses of a run. The token holder alone writes them, so no lock is taken; a reader
 * takes what is below the length it loaded.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "access.h"
#include "address.h"
#include "arch_x86.h"
#include "chess.h"
#include "gate.h"
#include "image.h"
#include "memory.h"
#include "point.h"
#include "quota.h"
#include "record_push.h"
#include "settle.h"
#include "space.h"
#include "split.h"
#include "task.h"

/*
 * Accesses of one task in a row, without a decision in between and while another
 * task could go on, after which it is taken to wait in a loop. The watchdog's quantum comes
 * by time, this one at the same access in every run.
 */
#define CHESS_QUANTUM_ACCESSES	100000

/*
 * A record of so many accesses is long. From there on each site has room for so many more,
 * without reads of the address that it read last. Then its trap is taken out: else a few loops
 * would use up the record and most of the time, and what comes after them would be lost.
 */
#define CHESS_LONG_RECORD	2000000
#define CHESS_SITE_ROOM		4000

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
	a->streak = 0;
	g->memories.n = 0;
	ret = make_room(g, max) ?: cool(g, max);
	if (!ret && !a->vector && (max || a->points)) {
		a->vector = kzalloc(sizeof(*a->vector), GFP_KERNEL_ACCOUNT);
		ret = a->vector ? 0 : -ENOMEM;
	}
	if (ret)
		return ret;
	a->max = max;
	if (a->is_chosen && a->was_recording == !!max && a->was_virtual == virtual)
		return 0;
	a->is_chosen = false;
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
	bitmap_zero(a->points, CHESS_MAX_SITES);
	bitmap_from_arr64(a->points, words, bytes * BITS_PER_BYTE);
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
	       ((p->flags & CHESS_PROBE_ACCESS) && chess_access_is_point(&g->accesses, p));
}

static bool needs_vector(const struct chess_operand *op)
{
	return op->form == CHESS_FORM_GATHER || (op->flags & CHESS_OPERAND_VECTOR_MASK) ||
	       (op->form >= CHESS_FORM_GATHER && op->mask);
}

/* The lanes of an operand, or a negative errno. */
static int find_lanes(struct chess_group *g, const struct chess_operand *op,
		      const struct pt_regs *regs, struct chess_lane lanes[CHESS_LANES_MAX])
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

/* Inline, and written where it stays: this is most of what recording costs. */
static __always_inline void push_lane(struct chess_task *t, const struct chess_hit *hit,
				      const struct chess_operand *op, const struct pt_regs *regs,
				      u64 address, u64 bytes)
{
	struct chess_group *g = t->group;
	struct chess_access *e = next_entry(&g->accesses);

	if (!e)
		return;
	e->ip = regs->ip;
	e->size = min_t(u64, bytes, U32_MAX);
	e->seq = READ_ONCE(g->record.length);
	e->site = hit->probe->site;
	e->task = t->id;
	e->kind = op->flags & (CHESS_OPERAND_READ | CHESS_OPERAND_WRITE | CHESS_OPERAND_ATOMIC);
	e->memory = 0;
	if (chess_mm_shared(t->mm)->count &&
	    chess_memory_is_shared(chess_mm_shared(t->mm), &address, &e->memory))
		e->kind |= CHESS_ACCESS_SHARED;
	e->address = chess_task_address(address);
	publish(g, e);
}

/* Apart, so that only those who need them have lanes on the stack, which are cleared first. */
static noinline void push_lanes(struct chess_task *t, const struct chess_hit *hit,
				const struct chess_operand *op, const struct pt_regs *regs)
{
	struct chess_lane lanes[CHESS_LANES_MAX];
	int i, n = find_lanes(t->group, op, regs, lanes);

	if (n < 0)
		t->group->accesses.lost++;
	for (i = 0; i < n; i++)
		push_lane(t, hit, op, regs, lanes[i].address, lanes[i].size);
}

CHESS_HOT static void push_operand(struct chess_task *t, const struct chess_hit *hit,
				   const struct chess_operand *op, const struct pt_regs *regs)
{
	if (chess_arch_is_plain(op))
		push_lane(t, hit, op, regs, chess_arch_plain_address(regs, op), op->size);
	else
		push_lanes(t, hit, op, regs);
}

/* A service that was adopted is let pass: what it did before is not known. */
static bool is_running(const struct chess_task *t)
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

/**
 * chess_access_memory() - bytes are handed out, given back or taken away, or all are copied
 * @t: the task that gets them, or gives them back; current
 * @kind: CHESS_ACCESS_FRESH, CHESS_ACCESS_ALLOCATED or CHESS_ACCESS_COPIED
 * @start: the first one
 * @bytes: how many
 * @ip: where the function that does it returns to, or zero
 * @site: of that function, where it can be a point; or zero
 *
 * Context: probe, in current.
 */
void chess_access_memory(struct chess_task *t, u8 kind, u64 start, u64 bytes, u64 ip,
			 u32 site)
{
	u8 memory = 0;

	if (!t->group->accesses.max || !is_running(t) || READ_ONCE(t->group->token) != t)
		return;
	/* A program may claim more of its memory than there can be. */
	bytes = min_t(u64, bytes, TASK_SIZE_MAX);
	if (kind & CHESS_ACCESS_SHARED)
		chess_memory_is_shared(chess_mm_shared(t->mm), &start, &memory);
	do {
		struct chess_access *e = next_entry(&t->group->accesses);
		/* The size has 32 bits. */
		u32 part = min_t(u64, bytes, SZ_1G);

		if (!e)
			return;
		*e = (struct chess_access) {
			.address = chess_task_address(start),
			.ip = ip,
			.size = part,
			.seq = READ_ONCE(t->group->record.length),
			.site = site,
			.task = t->id,
			.kind = kind,
			.memory = memory,
		};
		publish(t->group, e);
		start += part;
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

	if (!g->accesses.max || !is_running(t) || READ_ONCE(g->token) != t)
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

/*
 * Nobody else can go on, and the task makes one access after the other: it may wait for a
 * timer. As in watchdog.c, but at the same access in every run.
 */
static void spin_alone(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_accesses *a = &g->accesses;

	if (!(READ_ONCE(g->timers.narmed) | READ_ONCE(g->timers.ncpu)))
		return;
	g->watchdog.spin = 0;
	if (a->decisions != READ_ONCE(g->decisions)) {
		a->decisions = g->decisions;
		a->streak = 0;
	}
	if (++a->streak < CHESS_QUANTUM_ACCESSES)
		return;
	/* Once a loop, it need not be found to be one again soon. */
	a->streak -= CHESS_QUANTUM_ACCESSES / 100;
	chess_point_spun(t);
}

/* At its quantum the task stays at the trap, and is here once more after the decision. */
static bool used_up_quantum(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_accesses *a = &g->accesses;

	if (READ_ONCE(g->enabled.count) < 2) {
		spin_alone(t);
		return false;
	}
	g->watchdog.user = 0;
	if (a->decisions != READ_ONCE(g->decisions)) {
		a->decisions = g->decisions;
		a->streak = 0;
	}
	if (++a->streak < CHESS_QUANTUM_ACCESSES)
		return false;
	a->streak = 0;
	chess_gate_quantum(t);
	return true;
}

/*
 * Not where it reads one address again and again: the task may wait in a loop there, which
 * ends at a number of accesses. Nor where it orders others, or is a point.
 */
static bool is_retiring(struct chess_group *g, const struct chess_hit *hit,
			const struct pt_regs *regs)
{
	const struct chess_operand *op = hit->operands;
	struct chess_accesses *a = &g->accesses;
	u8 kinds = op[0].flags | op[1].flags;
	struct chess_heat *heat;
	u32 address;

	if (!a->heats || hit->probe->id || hit->probe->flags != CHESS_PROBE_ACCESS ||
	    (kinds & CHESS_OPERAND_ATOMIC) || !chess_arch_is_plain(op) ||
	    chess_access_is_point(a, hit->probe))
		return false;
	a->is_hot = true;
	heat = &a->heats[hit->probe->site];
	address = chess_arch_plain_address(regs, op);
	heat->count += heat->last != address || (kinds & CHESS_OPERAND_WRITE);
	heat->last = address;
	if (heat->count <= CHESS_SITE_ROOM)
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

	if (!t->group->accesses.max || !is_running(t))
		return true;
	/* First: it is here once more after that, and a piece is given back once. */
	if (op && op->size && used_up_quantum(t))
		return false;
	if (hit->probe->flags & (CHESS_PROBE_FREE | CHESS_PROBE_ALLOCATED))
		chess_memory_heap(t, hit->probe, regs);
	if (!op || !op->size)
		return true;
	if (unlikely(READ_ONCE(t->group->accesses.length) >= CHESS_LONG_RECORD) &&
	    is_retiring(t->group, hit, regs)) {
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

/*
 * Could another task go on here, or a timer go off? Most accesses are made while nobody
 * else is there, and would fill the record. It must follow from the past alone: a task that
 * is about to die counts until its end is recorded.
 */
static bool is_alone(struct chess_task *t)
{
	struct chess_group *g = t->group;
	bool alone;

	if (READ_ONCE(g->enabled.count) > 1)
		return false;
	raw_spin_lock(&g->plock);
	alone = g->enabled.count == 1 && !g->timed.count && !g->spurious.tasks.count &&
		!g->nwoken &&
		!(g->timers.narmed && (g->flags & CHESS_RUN_FLAGS_EARLY_TIMERS)) &&
		list_empty(&g->killed) && !chess_settle_others_dying_locked(g, t->id);
	raw_spin_unlock(&g->plock);
	return alone;
}

/* What an instruction accesses: from the first byte to after the last one; free() a piece. */
struct span {
	u64 start;
	u64 end;
	u64 ret;	/* of free(): where it returns to */
};

static void widen(struct span *s, u64 address, u64 bytes)
{
	s->start = min(s->start, address);
	s->end = max(s->end, address + bytes);
}

/* Apart, as push_lanes() is. */
static noinline void widen_by_lanes(struct span *s, struct chess_group *g,
				    const struct chess_operand *op, const struct pt_regs *regs)
{
	struct chess_lane lanes[CHESS_LANES_MAX];
	int i, n = find_lanes(g, op, regs, lanes);

	for (i = 0; i < n; i++)
		widen(s, lanes[i].address, lanes[i].size);
}

/* Of all operands; false: there is none. */
static bool find_span(struct chess_task *t, const struct chess_hit *hit,
		      const struct pt_regs *regs, struct span *s)
{
	int k;

	*s = (struct span) { .start = U64_MAX };
	if (hit->probe->flags & CHESS_PROBE_FREE) {
		struct chess_piece piece;

		if (!chess_memory_piece(hit->probe, regs, &piece))
			return false;
		*s = (struct span) {
			.start = piece.start, .end = piece.start + piece.bytes, .ret = piece.ret,
		};
		return true;
	}
	for (k = 0; k < CHESS_PROBE_OPERANDS && hit->operands[k].size; k++) {
		const struct chess_operand *op = &hit->operands[k];

		if (chess_arch_is_plain(op))
			widen(s, chess_arch_plain_address(regs, op), op->size);
		else
			widen_by_lanes(s, t->group, op, regs);
	}
	return s->end;
}

static u8 op_of(u8 kinds)
{
	if (!(kinds & CHESS_OPERAND_WRITE))
		return CHESS_OP_LOAD;
	return kinds & CHESS_OPERAND_READ ? CHESS_OP_UPDATE : CHESS_OP_STORE;
}

/**
 * chess_access_take() - the task is at an access: a point, if its site is one
 * @t: the task, which is current
 * @hit: the trap
 * @regs: its registers, ip at the instruction
 *
 * Context: probe (trap of current), IRQs off.
 * Return: enum chess_take.
 */
enum chess_take chess_access_take(struct chess_task *t, const struct chess_hit *hit,
				  const struct pt_regs *regs)
{
	bool splits = hit->operands && chess_split_wants(t, hit);
	enum chess_take take;
	struct span span;
	u8 kinds;

	if (!is_running(t))
		return CHESS_TAKE_GO;
	if (READ_ONCE(t->group->token) != t)
		return CHESS_TAKE_AGAIN;
	if (!hit->operands || !chess_access_is_point(&t->group->accesses, hit->probe))
		return CHESS_TAKE_GO;
	if (is_alone(t)) {
		if (!t->group->accesses.max)
			spin_alone(t);
		return CHESS_TAKE_GO;
	}
	if (!find_span(t, hit, regs, &span))
		return CHESS_TAKE_GO;
	kinds = hit->probe->flags & CHESS_PROBE_FREE ? CHESS_OPERAND_WRITE :
		hit->operands[0].flags | hit->operands[1].flags;
	if (splits)
		kinds &= t->split.step < CHESS_SPLIT_LOADED ? ~CHESS_OPERAND_WRITE :
								~CHESS_OPERAND_READ;
	/* All fields, here: see take_point() in syscalls.c. */
	take = chess_point_take(t, &(struct chess_event) {
		.seq = 0, .type = CHESS_EVENT_POINT, .op = op_of(kinds),
		.flags = CHESS_OPF_PROBE | (kinds & CHESS_OPERAND_WRITE ? CHESS_OPF_WRITE : 0),
		.object_kind = CHESS_OBJECT_ADDRESS, .task = t->id, .chosen = CHESS_TASK_NONE,
		.nr = hit->probe->site, .enabled = 0, .object = chess_memory_address(t, span.start),
		.ip = regs->ip, .caller = span.ret, .arg = span.end - span.start, .timed = 0,
	}, regs);
	if (splits && take != CHESS_TAKE_AGAIN)
		chess_split_taken(t, hit, regs);
	return take;
}
