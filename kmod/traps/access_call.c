// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses that are no instructions': what calls are asked to access, what a heap hands out and is
 * given back, what is mapped or taken away. The files of system calls (buffers.c, memory.c,
 * file_access.c, remote.c) and heap.c call.
 */
#include "access.h"
#include "chess.h"
#include "memory.h"
#include "space.h"
#include "task.h"

/**
 * chess_access_memory() - bytes are handed out, given back or taken away, or all are copied, or
 * the kernel is asked to access them
 * @t: the task that gets them, or gives them back, or asks; current
 * @kind: CHESS_ACCESS_FRESH, CHESS_ACCESS_ALLOCATED, CHESS_ACCESS_COPIED, CHESS_ACCESS_MAY_READ or
 *	CHESS_ACCESS_MAY_WRITE; with CHESS_ACCESS_SHARED where that is said of shared memory, too
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
	u64 view = start;
	u8 memory;

	if (!t->group->accesses.max)
		return;
	/* There was no memory for its traps. */
	if (!t->mm) {
		chess_access_missed(t);
		return;
	}
	if (kind == (CHESS_ACCESS_MAY_READ | CHESS_ACCESS_SHARED) &&
	    chess_memory_is_view(chess_mm_shared(t->mm), &view, &memory))
		chess_access_file(t, CHESS_ACCESS_MAY_READ, memory, view, bytes, ip);
	memory = 0;
	if (kind & CHESS_ACCESS_SHARED &&
	    !chess_memory_is_shared(chess_mm_shared(t->mm), &start, &memory))
		kind &= ~CHESS_ACCESS_SHARED;
	chess_access_push(t, (struct chess_access) {
		.address = chess_task_address(start), .ip = ip, .site = site, .kind = kind,
		.memory = memory,
	}, bytes);
}

/**
 * chess_access_piece() - a piece of what an instruction copies is read or written
 * @t: the task, which is current
 * @hit: the trap at the instruction
 * @kind: CHESS_OPERAND_READ or CHESS_OPERAND_WRITE, which accesses have, too
 * @start: the first byte
 * @bytes: how many
 *
 * Context: probe (trap of current), which has the token.
 */
void chess_access_piece(struct chess_task *t, const struct chess_hit *hit, u8 kind, u64 start,
			u64 bytes)
{
	struct chess_shared *shared = chess_mm_shared(t->mm);
	struct chess_access like = {
		.ip = hit->ip, .site = hit->probe->site, .kind = kind,
	};

	if (!t->group->accesses.max)
		return;
	like.address = start;
	if (kind & CHESS_OPERAND_READ &&
	    chess_memory_is_view(shared, &like.address, &like.memory)) {
		like.kind = CHESS_ACCESS_MAY_READ | CHESS_ACCESS_SHARED;
		chess_access_push(t, like, bytes);
		like.kind = kind;
		like.memory = 0;
	}
	if (chess_memory_is_shared(shared, &start, &like.memory))
		like.kind |= CHESS_ACCESS_SHARED;
	like.address = chess_task_address(start);
	chess_access_push(t, like, bytes);
}

/**
 * chess_access_file() - the kernel is asked to access a file that is mapped
 * @t: the task that asks; current
 * @kind: CHESS_ACCESS_MAY_READ or CHESS_ACCESS_MAY_WRITE
 * @memory: number of the file's memory in the run
 * @address: of the first byte, as records tell it
 * @bytes: how many
 * @ip: after the system call
 *
 * Context: probe (sys_enter), in current.
 */
void chess_access_file(struct chess_task *t, u8 kind, u8 memory, u64 address, u64 bytes, u64 ip)
{
	chess_access_push(t, (struct chess_access) {
		.address = address, .ip = ip, .kind = kind | CHESS_ACCESS_SHARED,
		.memory = memory,
	}, bytes);
}

/**
 * chess_access_of_task() - the kernel is asked to access the memory of a task
 * @t: the task that asks; current
 * @of: the task whose memory it is, of the same group
 * @kind: CHESS_ACCESS_MAY_READ or CHESS_ACCESS_MAY_WRITE
 * @address: of the first byte, as @of has it
 * @bytes: how many
 * @ip: after the system call
 *
 * Context: probe (sys_enter), in current.
 */
void chess_access_of_task(struct chess_task *t, const struct chess_task *of, u8 kind, u64 address,
			  u64 bytes, u64 ip)
{
	u8 memory;

	if (chess_memory_is_shared(chess_mm_shared(of->mm), &address, &memory)) {
		chess_access_file(t, kind, memory, address, bytes, ip);
		return;
	}
	chess_access_push(t, (struct chess_access) {
		.address = chess_address_in(of->task->mm, address), .ip = of->id,
		.kind = kind, .memory = CHESS_ACCESS_OF_TASK,
	}, bytes);
}
