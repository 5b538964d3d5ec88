// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file that is mapped shared is memory: what a call reads of it or writes to it is an access of
 * the task that makes the call, at the place where the mapping has it. A call may do less than it
 * is asked for: such an access leads to points at those it is unordered with, and is not taken for
 * a race.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>
#include <uapi/linux/falloc.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "buffers.h"
#include "chess.h"
#include "compat.h"
#include "file_access.h"
#include "memory.h"
#include "task.h"
#include "traps/access.h"

/* How it is accessed. */
#define R	CHESS_ACCESS_MAY_READ
#define W	CHESS_ACCESS_MAY_WRITE

/*
 * Where: at the position that the file has; that an argument says, or what it points to where that
 * is not NULL; or where fallocate() takes bytes away or moves them.
 */
enum place { NO_FILE, AT_POSITION, AT_ARGUMENT, AT_POINTER, AT_HOLE };

#define MOVES_BYTES	(FALLOC_FL_COLLAPSE_RANGE | FALLOC_FL_INSERT_RANGE)
#define CHANGES_BYTES	(FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE | MOVES_BYTES)

#define MODE_ARG	1
#define FLAGS_ARG	5

/* Bytes that no argument counts: vectors. */
#define VECTORS		0

#define FILES		2

/* The numbers of the arguments: a descriptor, the offset, how many bytes. */
static const struct file_use {
	u8 kind;
	u8 place;
	u8 file;
	u8 offset;
	u8 bytes;
} uses[][FILES] = {
	[__NR_read]		= { { R, AT_POSITION, 0, 0, 2 } },
	[__NR_pread64]		= { { R, AT_ARGUMENT, 0, 3, 2 } },
	[__NR_readv]		= { { R, AT_POSITION, 0, 0, VECTORS } },
	[__NR_preadv]		= { { R, AT_ARGUMENT, 0, 3, VECTORS } },
	[__NR_preadv2]		= { { R, AT_ARGUMENT, 0, 3, VECTORS } },
	[__NR_write]		= { { W, AT_POSITION, 0, 0, 2 } },
	[__NR_pwrite64]		= { { W, AT_ARGUMENT, 0, 3, 2 } },
	[__NR_writev]		= { { W, AT_POSITION, 0, 0, VECTORS } },
	[__NR_pwritev]		= { { W, AT_ARGUMENT, 0, 3, VECTORS } },
	[__NR_pwritev2]		= { { W, AT_ARGUMENT, 0, 3, VECTORS } },
	[__NR_fallocate]	= { { W, AT_HOLE, 0, 2, 3 } },
	[__NR_sendfile]		= { { R, AT_POINTER, 1, 2, 3 }, { W, AT_POSITION, 0, 0, 3 } },
	[__NR_splice]		= { { R, AT_POINTER, 0, 1, 4 }, { W, AT_POINTER, 2, 3, 4 } },
	[__NR_copy_file_range]	= { { R, AT_POINTER, 0, 1, 4 }, { W, AT_POINTER, 2, 3, 4 } },
};

/* pwritev2() alone has flags, and other calls anything there. */
static bool appends(const struct file *file, const struct pt_regs *regs, long nr)
{
	rwf_t flags = 0;

	if (nr == __NR_pwritev2)
		flags = (__force rwf_t)chess_arch_syscall_arg(regs, FLAGS_ARG);
	if (flags & RWF_NOAPPEND)
		return false;
	return file->f_flags & O_APPEND || flags & RWF_APPEND;
}

/* Negative: it is not known. */
static loff_t offset_in(const struct file *file, const struct file_use *use,
			const struct pt_regs *regs, long nr)
{
	loff_t given = chess_arch_syscall_arg(regs, use->offset);
	const void __user *from = (const void __user *)given;

	if (use->place == AT_HOLE)
		return given;
	/* At the end, whatever offset is given: pwrite(2), "BUGS". */
	if (use->kind == W && appends(file, regs, nr))
		return i_size_read(file_inode(file));
	if (use->place == AT_POINTER && from)
		return copy_from_user_nofault(&given, from, sizeof(given)) ? -1 : given;
	/* preadv2() and pwritev2() have -1 for the position. */
	return use->place == AT_ARGUMENT && given != -1 ? given : file->f_pos;
}

/* How many bytes; what vectors stand for is not counted. */
static u64 bytes_in(const struct file_use *use, const struct pt_regs *regs)
{
	u64 bytes = use->bytes == VECTORS ? CHESS_BUFFER_BYTES :
					    chess_arch_syscall_arg(regs, use->bytes);

	if (use->place == AT_HOLE) {
		unsigned int mode = chess_arch_syscall_arg(regs, MODE_ARG);

		if (!(mode & CHANGES_BYTES))
			return 0;
		if (mode & MOVES_BYTES)
			return CHESS_BUFFER_BYTES;
	}
	return min_t(u64, bytes, CHESS_BUFFER_BYTES);
}

static void access_file(struct chess_task *t, const struct file_use *use,
			const struct pt_regs *regs, long nr)
{
	u64 bytes = bytes_in(use, regs), at;
	struct file *file;
	loff_t offset;
	u8 memory;

	file = bytes ? fget(chess_arch_syscall_arg(regs, use->file)) : NULL;
	if (!file)
		return;
	memory = chess_memory_of_file(t->group, file, &at);
	offset = memory ? offset_in(file, use, regs, nr) : 0;
	fput(file);
	if (offset < 0)
		chess_access_missed(t);
	else if (memory)
		chess_access_file(t, use->kind, memory, at + offset, bytes, regs->ip);
}

/**
 * chess_file_access() - a call is about to be made: what it accesses of files is recorded
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * An offset in memory that is not present is not known: that counts as an access that is missing.
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_file_access(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	unsigned int i;

	if ((unsigned long)nr >= ARRAY_SIZE(uses) || !t->group->memories.n)
		return;
	nr = array_index_nospec(nr, ARRAY_SIZE(uses));
	for (i = 0; i < FILES && uses[nr][i].place != NO_FILE; i++)
		access_file(t, &uses[nr][i], regs, nr);
}
