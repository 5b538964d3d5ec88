// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file that is mapped shared is memory: what a call reads of it or writes to it is an access of
 * the task that makes the call, at the place where the mapping has it. A call may do less than it
 * is asked for: such an access leads to points at those it is unordered with, and is not taken for
 * a race. What comes after the end of a file that was shortened is gone from where it is mapped.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sizes.h>
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
 * chess_file_bytes() - bytes of a file may be accessed
 * @t: the task that asks for it, which is current and has the token
 * @regs: its user registers
 * @fd: descriptor of the file
 * @kind: CHESS_ACCESS_MAY_READ or CHESS_ACCESS_MAY_WRITE
 * @offset: of the first byte; -1: the position that the file has
 * @bytes: how many; no more than CHESS_BUFFER_BYTES count
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_file_bytes(struct chess_task *t, const struct pt_regs *regs, int fd, u8 kind,
		      loff_t offset, u64 bytes)
{
	struct file *file = bytes ? fget(fd) : NULL;
	u8 memory;
	u64 at;

	if (!file)
		return;
	memory = chess_memory_of_file(t->group, file, &at);
	if (memory && kind == W && file->f_flags & O_APPEND)
		offset = i_size_read(file_inode(file));
	else if (memory && offset == -1)
		offset = file->f_pos;
	fput(file);
	if (memory)
		chess_access_file(t, kind, memory, at + offset,
				  min_t(u64, bytes, CHESS_BUFFER_BYTES), regs->ip);
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

static bool may_end_file(const struct pt_regs *regs, long nr)
{
	unsigned long flags;

	switch (nr) {
	case __NR_open:
		return chess_arch_syscall_arg(regs, 1) & O_TRUNC;
	case __NR_openat:
		return chess_arch_syscall_arg(regs, 2) & O_TRUNC;
	case __NR_openat2:
		/* The first word of struct open_how, as it is now. */
		return !chess_user_word(chess_arch_syscall_arg(regs, 2), &flags) || flags & O_TRUNC;
	default:
		return true;
	}
}

/* The file that may have been shortened, with a reference; NULL: it has no descriptor. */
static struct file *ended_file(const struct pt_regs *regs, long nr, long ret)
{
	if (nr == __NR_truncate)
		return NULL;
	return fget(nr == __NR_ftruncate ? chess_arch_syscall_arg(regs, 0) : ret);
}

/*
 * A file that is mapped shared, in whichever process: what was after its end is gone, and the rest
 * of its last page has zeros.
 */
static void memory_ended(struct chess_task *t, struct file *file, unsigned long caller)
{
	loff_t size = i_size_read(file_inode(file));
	u64 at;
	u8 memory = chess_memory_of_file(t->group, file, &at);

	if (!memory) {
		if (t->group->memories.n == CHESS_MAX_MEMORIES)
			chess_access_missed(t);
		return;
	}
	if (!PAGE_ALIGNED(size))
		chess_access_file(t, CHESS_ACCESS_MAY_WRITE, memory, at + size,
				  PAGE_ALIGN(size) - size, caller);
	chess_access_file(t, CHESS_ACCESS_FRESH | CHESS_ACCESS_WRITE, memory,
			  at + PAGE_ALIGN(size), SZ_1G, caller);
}

/* By a path: which memory of the run it was is not known, so it may have been any. */
static void any_memory_ended(struct chess_task *t, unsigned long caller)
{
	const struct chess_memories *m = &t->group->memories;
	u32 i;

	for (i = 0; i < m->n; i++)
		chess_access_file(t, CHESS_ACCESS_MAY_WRITE, i + 1, m->v[i].at, SZ_1M, caller);
}

/* The mappings that this process has for itself. */
static void mappings_ended(struct chess_task *t, unsigned long caller)
{
	const u8 kind = CHESS_ACCESS_FRESH | CHESS_ACCESS_WRITE;
	unsigned long start;
	struct vm_area_struct *vma;
	loff_t end, begin;
	VMA_ITERATOR(vmi, current->mm, 0);

	for_each_vma(vmi, vma) {
		if (!vma->vm_file || vma->vm_flags & VM_MAYSHARE ||
		    !S_ISREG(file_inode(vma->vm_file)->i_mode))
			continue;
		end = PAGE_ALIGN(i_size_read(file_inode(vma->vm_file)));
		begin = (loff_t)vma->vm_pgoff << PAGE_SHIFT;
		if (begin + (vma->vm_end - vma->vm_start) <= end)
			continue;
		start = end > begin ? vma->vm_start + (end - begin) : vma->vm_start;
		chess_access_memory(t, kind, start, vma->vm_end - start, caller, 0);
	}
}

/**
 * chess_file_ended() - a call that may shorten a file returned
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call: truncate, ftruncate, creat, open, openat or openat2
 * @ret: what it returned
 *
 * After the end of a file its mappings have no pages. Of mappings that only this process has, what
 * is mapped is asked, since an overlay opens a file of its own for it.
 *
 * Context: probe (sys_exit).
 */
void chess_file_ended(struct chess_task *t, const struct pt_regs *regs, long nr, long ret)
{
	unsigned long caller;
	struct file *file;

	if (!t->mm || IS_ERR_VALUE(ret) || READ_ONCE(t->group->token) != t ||
	    !t->group->accesses.max || !may_end_file(regs, nr))
		return;
	caller = chess_memory_caller(regs);
	/* As in find_memory() of memory.c. */
	if (!caller || !mmap_read_trylock(current->mm)) {
		chess_access_missed(t);
		return;
	}
	mappings_ended(t, caller);
	mmap_read_unlock(current->mm);
	file = ended_file(regs, nr, ret);
	if (!file) {
		any_memory_ended(t, caller);
		return;
	}
	memory_ended(t, file, caller);
	fput(file);
}
