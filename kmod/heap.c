// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pieces of a heap that are handed out and given back, as accesses.
 *
 * Heaps of glibc say how large a piece is in front of it; the traps at free() and where
 * malloc() returns read it there. Bytes are fresh from free() on and not from malloc() on: an
 * access after free is not compared with those before, but with free() itself and with those
 * of the next owner. Other heaps are not known.
 */
#include <linux/string.h>
#include <linux/uaccess.h>

#include "arch_x86.h"
#include "chess.h"
#include "heap.h"
#include "task.h"
#include "traps/access.h"
#include "traps/space.h"
#include "traps/trap.h"
#include "user.h"

/* glibc: in front of a piece of a heap; the lowest bits are flags. */
#define CHUNK_FLAGS	7UL
#define CHUNK_MMAPPED	2UL
#define CHUNK_MIN	32UL
#define CHUNK_MAX	(1UL << 40)

static unsigned long piece_at(const struct chess_probe *p, const struct pt_regs *regs)
{
	if (p->flags & CHESS_PROBE_FREE)
		return chess_arch_function_arg(regs, 1);
	return p->object_arg ? chess_arch_function_arg(regs, p->object_arg) :
			       chess_arch_function_result(regs);
}

/* Where it returns to, and whether the piece is one. */
static bool find_piece(const struct chess_probe *p, const struct pt_regs *regs,
		       struct chess_piece *out)
{
	unsigned long size, head;

	out->start = piece_at(p, regs);
	out->bytes = 0;
	if (!out->start || !chess_user_word(out->start - sizeof(size), &size))
		return false;
	head = size & CHUNK_MMAPPED ? 2 * sizeof(size) : sizeof(size);
	size &= ~CHUNK_FLAGS;
	/* No piece of a heap is like that: the program is wrong, or has one of its own. */
	if (size < CHUNK_MIN || size > CHUNK_MAX)
		return false;
	out->bytes = size - head;
	return true;
}

/* A call with a displacement of 32 bits, to the trap. It was just executed. */
static bool is_own_call(const struct chess_probe *p, const struct pt_regs *regs, unsigned long ret)
{
	u8 call[5];
	s32 rel;

	if (!(p->flags & CHESS_PROBE_OWN) ||
	    copy_from_user_nofault(call, (void __user *)(ret - sizeof(call)), sizeof(call)))
		return false;
	memcpy(&rel, call + 1, sizeof(rel));
	return call[0] == 0xe8 && ret + rel == regs->ip;
}

/**
 * chess_heap_piece() - the piece that a heap is about to be given back
 * @p: the trap, with CHESS_PROBE_FREE
 * @regs: user registers at it
 * @out: the piece
 *
 * Context: probe, in current.
 * Return: false: there is none.
 */
bool chess_heap_piece(const struct chess_probe *p, const struct pt_regs *regs,
			struct chess_piece *out)
{
	return find_piece(p, regs, out) && chess_user_word(regs->sp, &out->ret) &&
	       !is_own_call(p, regs, out->ret);
}

/**
 * chess_heap_called() - glibc's heap is given a piece back, or hands one out
 * @t: the task, which is current and has the token
 * @p: the trap, which says which piece it is and where it is recorded
 * @regs: its user registers, the return address where the stack pointer is
 *
 * What is handed out and not understood is recorded without a size, so that nobody takes it for
 * memory that is still free; so is nothing, which tells that realloc() failed.
 *
 * Context: probe (trap of current), IRQs off.
 */
void chess_heap_called(struct chess_task *t, const struct chess_probe *p,
		       const struct pt_regs *regs)
{
	u8 kind = CHESS_ACCESS_ALLOCATED;
	struct chess_piece piece;

	if (p->flags & CHESS_PROBE_FREE) {
		kind = CHESS_ACCESS_FRESH |
		       (p->flags & CHESS_PROBE_RESIZE ? CHESS_ACCESS_ALLOCATED : 0);
		if (!chess_heap_piece(p, regs, &piece))
			return;
	} else {
		find_piece(p, regs, &piece);
		if (!chess_user_word(regs->sp, &piece.ret))
			return;
	}
	chess_access_memory(t, kind, piece.start, piece.bytes, piece.ret, p->site);
}

/**
 * chess_heap_not_freed() - a task leaves a slot for a signal or a debugger
 * @t: the task, which is current and has chess_task.mm
 * @regs: its user registers, ip at an instruction of the program again
 *
 * Where that is the first one of free(), it was recorded and not done: it is hit once more.
 * Until then the piece is not free.
 *
 * Context: any, in the task itself.
 */
void chess_heap_not_freed(struct chess_task *t, const struct pt_regs *regs)
{
	const struct chess_hit *hit = chess_mm_find(t, regs->ip);
	struct chess_piece piece;

	if (hit && (hit->probe->flags & CHESS_PROBE_FREE) &&
	    chess_heap_piece(hit->probe, regs, &piece))
		chess_access_memory(t, CHESS_ACCESS_ALLOCATED, piece.start, piece.bytes,
				    piece.ret, 0);
}
