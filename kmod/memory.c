// SPDX-License-Identifier: GPL-2.0-only
/*
 * What races need to know of memory and instructions do not tell. What is given back, or
 * mapped, or becomes the stack of a thread is new to who gets it: what was done to the bytes
 * before is over, and an access of kind FRESH says so. And an address in a shared mapping
 * means the same memory in each process that was forked from the one that made it.
 *
 * Heaps of glibc say how large a piece is in front of it; the traps at free() and where
 * malloc() returns read it there. Bytes are fresh from free() on and not from malloc() on: an
 * access after free is not compared with those before, but with those of the next owner.
 * Other heaps are not known.
 */
#include <linux/mman.h>
#include <linux/uaccess.h>
#include <linux/sched/task_stack.h>
#include <asm/unistd.h>

#include "access.h"
#include "arch_x86.h"
#include "memory.h"
#include "space.h"
#include "trap.h"

/* The last argument of a clone3() that makes a thread ends the block with its TLS. */
#define THREAD_BYTES	2304
/* The largest TLS between a thread's stack and its descriptor. */
#define TLS_BYTES	SZ_1M

/* glibc: in front of a piece of a heap; the lowest bits are flags. */
#define CHUNK_FLAGS	7UL
#define CHUNK_MMAPPED	2UL
#define CHUNK_MIN	32UL
#define CHUNK_MAX	(1UL << 40)

/**
 * chess_memory_is_shared() - may another process have these bytes, too
 * @s: of the address space
 * @address: the first of them
 *
 * Context: any.
 * Return: whether the mapping is shared.
 */
bool chess_memory_is_shared(const struct chess_shared *s, u64 address)
{
	u32 i;

	for (i = 0; i < s->count; i++)
		if (address >= s->range[i].start && address < s->range[i].end)
			return true;
	return false;
}

/* Of a range that is unmapped in its middle the part behind is given up. */
static void remove_mapping(struct chess_shared *s, unsigned long start, unsigned long end)
{
	u32 i;

	for (i = s->count; i--; ) {
		if (end <= s->range[i].start || start >= s->range[i].end)
			continue;
		if (start > s->range[i].start)
			s->range[i].end = start;
		else if (end < s->range[i].end)
			s->range[i].start = end;
		else
			s->range[i] = s->range[--s->count];
	}
}

/* Returns whether there was room. */
static bool add_mapping(struct chess_shared *s, unsigned long start, unsigned long end)
{
	if (s->count == CHESS_SHARED_RANGES)
		return false;
	s->range[s->count].start = start;
	s->range[s->count++].end = end;
	return true;
}

static void mapped(struct chess_task *t, struct chess_shared *s, unsigned long start,
		   unsigned long bytes, bool shared)
{
	remove_mapping(s, start, start + bytes);
	if (shared && !add_mapping(s, start, start + bytes))
		chess_access_missed(t);
	/* What others have is not new to them. */
	if (!shared)
		chess_access_memory(t, CHESS_ACCESS_FRESH, start, bytes, 0);
}

/**
 * chess_memory_mapped() - a call that changes mappings returned
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 * @ret: what it returned
 *
 * Context: probe (sys_exit).
 */
void chess_memory_mapped(struct chess_task *t, const struct pt_regs *regs, long nr, long ret)
{
	struct chess_shared *s = t->mm ? chess_mm_shared(t->mm) : NULL;
	unsigned long start = chess_arch_syscall_arg(regs, 0);
	unsigned long bytes = PAGE_ALIGN(chess_arch_syscall_arg(regs, 1));
	unsigned long type = chess_arch_syscall_arg(regs, 3) & MAP_TYPE;
	bool was_shared;

	if (!s || IS_ERR_VALUE(ret) || READ_ONCE(t->group->token) != t)
		return;
	switch (nr) {
	case __NR_mmap:
		mapped(t, s, ret, bytes, type == MAP_SHARED || type == MAP_SHARED_VALIDATE);
		break;
	case __NR_munmap:
		remove_mapping(s, start, start + bytes);
		break;
	case __NR_mremap:
		was_shared = chess_memory_is_shared(s, start);
		remove_mapping(s, start, start + bytes);
		bytes = PAGE_ALIGN(chess_arch_syscall_arg(regs, 2));
		/* What it held is at the new place and no news; only the place is. */
		mapped(t, s, ret, bytes, was_shared);
		break;
	}
}

/**
 * chess_memory_created() - the task created another one
 * @t: the task, which is current
 * @copied: the other has a copy of its memory, and does not share it
 *
 * A thread's stack is new: the C library keeps those of threads that ended and gives them
 * out again.
 *
 * Context: probe (sched_process_fork).
 */
void chess_memory_created(struct chess_task *t, bool copied)
{
	const struct pt_regs *regs = task_pt_regs(current);
	/* The first eight words of struct clone_args, up to and with tls. */
	u64 args[8], end;

	if (copied) {
		chess_access_memory(t, CHESS_ACCESS_COPIED, 0, 0, 0);
		return;
	}
	if (!t->group->accesses.max ||
	    syscall_get_nr(current, task_pt_regs(current)) != __NR_clone3 ||
	    copy_from_user_nofault(args, (void __user *)chess_arch_syscall_arg(regs, 0),
				   sizeof(args)) || !args[5])
		return;
	end = args[5] + args[6];
	if (args[7] - end < TLS_BYTES)
		end = args[7] + THREAD_BYTES;
	chess_access_memory(t, CHESS_ACCESS_FRESH, args[5], end - args[5], 0);
}

static bool read_word(unsigned long from, unsigned long *word)
{
	return !copy_from_user_nofault(word, (void __user *)from, sizeof(*word));
}

static unsigned long piece_at(const struct chess_probe *p, const struct pt_regs *regs)
{
	if (p->flags & CHESS_PROBE_FREE)
		return chess_arch_function_arg(regs, 1);
	return p->object_arg ? chess_arch_function_arg(regs, p->object_arg) :
			       chess_arch_function_result(regs);
}

/**
 * chess_memory_heap() - glibc's heap is given a piece back, or hands one out
 * @t: the task, which is current and has the token
 * @p: the trap, which says which and where the piece is told
 * @regs: its user registers, the return address where the stack pointer is
 *
 * Context: probe (trap of current), IRQs off.
 */
void chess_memory_heap(struct chess_task *t, const struct chess_probe *p,
		       const struct pt_regs *regs)
{
	unsigned long start = piece_at(p, regs), size, head, ret;

	if (!start || !read_word(start - sizeof(size), &size) ||
	    !read_word(regs->sp, &ret))
		return;
	head = size & CHUNK_MMAPPED ? 2 * sizeof(size) : sizeof(size);
	size &= ~CHUNK_FLAGS;
	/* No piece of a heap is like that: the program is wrong, or has one of its own. */
	if (size < CHUNK_MIN || size > CHUNK_MAX)
		return;
	chess_access_memory(t, p->flags & CHESS_PROBE_FREE ? CHESS_ACCESS_FRESH :
			    CHESS_ACCESS_ALLOCATED, start, size - head, ret);
}
