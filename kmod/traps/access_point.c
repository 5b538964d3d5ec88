// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses that are points: where a run says that a site is one, and another task could go on.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "access.h"
#include "address.h"
#include "arch_x86.h"
#include "chess.h"
#include "copy.h"
#include "heap.h"
#include "image.h"
#include "memory.h"
#include "point.h"
#include "settle.h"
#include "space.h"
#include "split.h"
#include "task.h"

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
	int i, n = chess_access_lanes(g, op, regs, lanes);

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

		if (!chess_heap_piece(hit->probe, regs, &piece))
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

/* Is it a point where the task only waits? */
static bool awaits(struct chess_task *t, const struct chess_hit *hit)
{
	u8 turns = hit->operands->awaits;

	return turns && t->group->flags & CHESS_RUN_FLAGS_YIELD_AWAIT &&
	       chess_await_turn(&t->traps.await, hit->probe->site, turns);
}

/* May the kernel write there by itself, as to the rings of io_uring, or a process outside? */
static bool is_shared(unsigned long address)
{
	const struct vm_area_struct *vma;
	bool yes;

	/* As in chess_witness_is_librarys(). */
	rcu_read_lock();
	vma = vma_lookup(current->mm, address);
	yes = !vma || vma->vm_flags & VM_SHARED;
	rcu_read_unlock();
	return yes;
}

/* Does it wait for ever, if it is alone? By real time it may be a short time. */
static bool waits_for_ever(const struct chess_task *t, const struct chess_hit *hit,
			   const struct pt_regs *regs)
{
	return t->group->flags & CHESS_RUN_FLAGS_VIRTUAL_TIME &&
	       chess_arch_is_plain(hit->operands) &&
	       !is_shared(chess_arch_plain_address(regs, hit->operands));
}

static u64 low_bytes(u64 value, unsigned int bytes)
{
	return bytes < sizeof(value) ? value & (BIT_ULL(bytes * BITS_PER_BYTE) - 1) : value;
}

/**
 * chess_access_exchange() - an atomic instruction in a loop that waits is executed now
 * @t: the task, which is current and has the token
 * @hit: the trap, with chess_operand.await_op
 * @regs: its registers, ip at the instruction
 *
 * Where that changes what is in memory the turn is not like the last one.
 *
 * Context: probe (trap of current), IRQs off.
 */
void chess_access_exchange(struct chess_task *t, const struct chess_hit *hit,
			   const struct pt_regs *regs)
{
	const struct chess_operand *op = hit->operands;
	u64 was = 0, becomes;

	if (chess_arch_is_plain(op) && op->size <= sizeof(was) &&
	    !copy_from_user_nofault(&was, (void __user *)chess_arch_plain_address(regs, op),
				    op->size)) {
		becomes = low_bytes(chess_arch_general(regs, op->await_source), op->size);
		if (was == becomes || (op->await_op == CHESS_AWAIT_CMPXCHG &&
				       was != low_bytes(regs->ax, op->size)))
			return;
	}
	chess_await_leave(&t->traps.await);
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
	enum chess_take take;
	struct span span;
	bool copies, splits, yields;
	u8 kinds;

	if (!chess_access_is_running(t))
		return CHESS_TAKE_GO;
	if (READ_ONCE(t->group->token) != t)
		return CHESS_TAKE_AGAIN;
	if (!hit->operands || !chess_access_is_point(&t->group->accesses, hit->probe))
		return CHESS_TAKE_GO;
	yields = awaits(t, hit);
	/* One that waits for ever shows that in the record. */
	if (is_alone(t) && !(yields && waits_for_ever(t, hit, regs))) {
		if (!t->group->accesses.max) {
			chess_access_alone(t, hit->operands, regs);
			chess_rest_at_point(t);
		}
		return CHESS_TAKE_GO;
	}
	copies = chess_copy_wants(t, hit, regs);
	if (t->copy.missing)
		return CHESS_TAKE_AGAIN;
	if (!copies && !find_span(t, hit, regs, &span))
		return CHESS_TAKE_GO;
	kinds = hit->probe->flags & CHESS_PROBE_FREE ? CHESS_OPERAND_WRITE :
		hit->operands[0].flags | hit->operands[1].flags;
	if (copies) {
		span.ret = 0;
		kinds = chess_copy_step(t, &span.start, &span.end);
	}
	splits = chess_split_wants(t, hit);
	if (splits)
		kinds &= t->split.step < CHESS_SPLIT_LOADED ? ~CHESS_OPERAND_WRITE :
								~CHESS_OPERAND_READ;
	/* All fields, here: see take_point() in syscalls.c. */
	take = chess_point_take(t, &(struct chess_event) {
		.seq = 0, .type = CHESS_EVENT_POINT, .op = op_of(kinds),
		.flags = CHESS_OPF_PROBE | (kinds & CHESS_OPERAND_WRITE ? CHESS_OPF_WRITE : 0) |
			 (yields ? CHESS_OPF_YIELD : 0),
		.object_kind = CHESS_OBJECT_ADDRESS, .task = t->id, .chosen = CHESS_TASK_NONE,
		.nr = hit->probe->site, .enabled = 0, .object = chess_memory_address(t, span.start),
		.ip = regs->ip, .caller = span.ret, .arg = span.end - span.start, .timed = 0,
	}, regs);
	if (splits && take != CHESS_TAKE_AGAIN)
		chess_split_taken(t, hit, regs);
	return take;
}
