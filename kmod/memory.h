/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a program's memory: what processes share, and what is handed out again.
 */
#ifndef _CHESS_MEMORY_H
#define _CHESS_MEMORY_H

#include <linux/types.h>
#include <uapi/linux/chess.h>
#include <uapi/linux/chess_record.h>

struct chess_group;
struct chess_task;
struct inode;
struct pt_regs;

#define CHESS_MAX_MEMORIES	64

/**
 * struct chess_memories - what processes of a run share, by first mapping
 * @n: how many
 * @v: number N at index N - 1
 * @v.name: of the file, which memory without a name has, too
 * @v.at: address that its first byte would have in its first mapping
 *
 * Used by the token holder alone.
 */
struct chess_memories {
	u32 n;
	struct {
		struct chess_object_name name;
		u64 at;
	} v[CHESS_MAX_MEMORIES];
};

#define CHESS_SHARED_RANGES	64

/**
 * struct chess_shared - mappings that other processes may have as well
 * @count: how many
 * @views: how many of them are views
 * @range: where; end is after the last byte. Memory @memory of the run, zero where there are
 *	too many, is recorded as if it were @shift bytes further on, where its first mapping
 *	has it. A view is a private mapping of a file that can be written: what is not
 *	written yet shows the file
 *
 * Of one address space; used by the token holder alone.
 */
struct chess_shared {
	u32 count;
	u32 views;
	struct {
		unsigned long start;
		unsigned long end;
		u64 shift;
		u8 memory;
		bool is_view;
	} range[CHESS_SHARED_RANGES];
};

void chess_memory_break(struct chess_task *t, const struct pt_regs *regs);
void chess_memory_mapped(struct chess_task *t, const struct pt_regs *regs, long nr, long ret);
unsigned long chess_memory_caller(const struct pt_regs *regs);
void chess_memory_created(struct chess_task *t, bool copied);
u8 chess_memory_of_file(const struct chess_group *g, struct file *file, u64 *at);
bool chess_memory_is_view(const struct chess_shared *s, u64 *address, u8 *memory);
bool chess_memory_is_shared(const struct chess_shared *s, u64 *address, u8 *memory);
u64 chess_memory_address(const struct chess_task *t, u64 address);

#endif /* _CHESS_MEMORY_H */
