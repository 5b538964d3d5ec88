// SPDX-License-Identifier: GPL-2.0-only
/*
 * What races need to know of memory and instructions do not tell. What is given back, or
 * mapped, or becomes the stack of a thread is new to who gets it: what was done to the bytes
 * before is over, and an access of kind FRESH says so. And an address in a shared mapping
 * means the same memory in each process that was forked from the one that made it; memory that
 * is mapped again, at another address, is recorded as where the first mapping of it has it. A
 * private mapping of a file that can only be read shows what others write to the file: it is one
 * of the same memory. One that can be written shows that, too, where it was not written yet: it is
 * a view, and a read of it perhaps one of the file (access.c).
 *
 * What a program unmaps, or has emptied, is given back as well: taking it away is recorded as a
 * free() is, and as a write besides. Of shared memory it is taken from the threads of one process
 * only, and what may no longer be written may still be read: these are recorded as accesses that a
 * call may make, which lead to points but are not races.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>
#include <linux/sched/task_stack.h>
#include <uapi/linux/shm.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "compat.h"
#include "memory.h"
#include "record.h"
#include "task.h"
#include "traps/access.h"
#include "traps/space.h"
#include "user.h"
#include "witness.h"

/* The last argument of a clone3() that makes a thread ends the block with its TLS. */
#define THREAD_BYTES	2304
/* The largest TLS between a thread's stack and its descriptor. */
#define TLS_BYTES	SZ_1M

static bool find_range(const struct chess_shared *s, u64 *address, u8 *memory, bool is_view)
{
	u32 i;

	for (i = 0; i < s->count; i++) {
		if (*address < s->range[i].start || *address >= s->range[i].end ||
		    s->range[i].is_view != is_view)
			continue;
		*memory = s->range[i].memory;
		*address += s->range[i].shift;
		return true;
	}
	return false;
}

/**
 * chess_memory_is_shared() - may another process have these bytes, too
 * @s: of the address space
 * @address: the first of them; becomes the one that records tell
 * @memory: set to the number of the memory in the run
 *
 * Context: any.
 * Return: whether the mapping is shared.
 */
bool chess_memory_is_shared(const struct chess_shared *s, u64 *address, u8 *memory)
{
	return find_range(s, address, memory, false);
}

/**
 * chess_memory_is_view() - may these bytes still be those of a file, which others write?
 * @s: of the address space
 * @address: the first of them; becomes the one in records, of the file
 * @memory: set to the number of the file's memory in the run
 *
 * Context: any.
 * Return: whether they may, and be the task's own as well.
 */
bool chess_memory_is_view(const struct chess_shared *s, u64 *address, u8 *memory)
{
	return s->views && find_range(s, address, memory, true);
}

/**
 * chess_memory_address() - an address of current's program, as records tell it
 * @t: the task, which is current and has the token
 * @address: user address
 *
 * Context: any.
 * Return: of shared memory where the first mapping has it; else see chess_task_address().
 */
u64 chess_memory_address(const struct chess_task *t, u64 address)
{
	u8 memory;

	if (t->mm && chess_mm_shared(t->mm)->count &&
	    chess_memory_is_shared(chess_mm_shared(t->mm), &address, &memory))
		return address;
	return chess_task_address(address);
}

/* Number of the memory, from 1; zero: it has none. */
static u8 find_number(const struct chess_memories *m, const struct chess_object_name *name)
{
	u32 i;

	for (i = 0; i < m->n; i++)
		if (m->v[i].name.ino == name->ino && m->v[i].name.dev == name->dev &&
		    m->v[i].name.generation == name->generation)
			return i + 1;
	return 0;
}

/* The same of one that may be new; zero: there are too many. */
static u8 number_of(struct chess_memories *m, const struct chess_object_name *name, u64 at)
{
	u8 number = find_number(m, name);

	if (number || m->n == CHESS_MAX_MEMORIES)
		return number;
	m->v[m->n].name = *name;
	m->v[m->n].at = at;
	return ++m->n;
}

/**
 * chess_memory_of_file() - is a file mapped, or was it, so that tasks share its memory?
 * @g: the group
 * @file: the file
 * @at: set to the address that its first byte has in records
 *
 * Context: any, in the task with the token.
 * Return: number of the memory in the run; zero: it is not.
 */
u8 chess_memory_of_file(const struct chess_group *g, struct file *file, u64 *at)
{
	const struct chess_object_name name = chess_record_name(chess_compat_real_inode(file));
	u8 number = find_number(&g->memories, &name);

	if (number)
		*at = g->memories.v[number - 1].at;
	return number;
}

/*
 * Which memory is at @start, and how far from there is its first mapping? All tasks that
 * could change this are parked, so the lock is free but for strangers who look at the address
 * space, or share it; then it is not known, which is said. Returns where the mapping ends.
 */
static unsigned long find_memory(struct chess_task *t, unsigned long start, u8 *memory, u64 *shift)
{
	struct chess_memories *m = &t->group->memories;
	const struct vm_area_struct *vma;
	unsigned long end = 0;

	*memory = 0;
	*shift = 0;
	if (!mmap_read_trylock(current->mm)) {
		chess_access_missed(t);
		return 0;
	}
	vma = vma_lookup(current->mm, start);
	if (vma && vma->vm_file) {
		u64 offset = ((u64)vma->vm_pgoff << PAGE_SHIFT) + start - vma->vm_start;
		struct chess_object_name name =
			chess_record_name(chess_compat_real_inode(vma->vm_file));

		end = vma->vm_end;
		*memory = number_of(m, &name, start - offset);
		if (*memory)
			*shift = m->v[*memory - 1].at + offset - start;
		else
			chess_access_missed(t);
	}
	mmap_read_unlock(current->mm);
	return end;
}

static void remove_mapping(struct chess_task *t, struct chess_shared *s, unsigned long start,
			   unsigned long end)
{
	u32 i;

	for (i = s->count; i--; ) {
		if (end <= s->range[i].start || start >= s->range[i].end)
			continue;
		if (start <= s->range[i].start && end >= s->range[i].end) {
			s->views -= s->range[i].is_view;
			s->range[i] = s->range[--s->count];
			continue;
		}
		if (start > s->range[i].start && end < s->range[i].end) {
			/* What comes after the hole. */
			if (s->count == CHESS_SHARED_RANGES) {
				chess_access_missed(t);
			} else {
				s->views += s->range[i].is_view;
				s->range[s->count] = s->range[i];
				s->range[s->count++].start = end;
			}
		}
		if (start > s->range[i].start)
			s->range[i].end = start;
		else
			s->range[i].start = end;
	}
}

static void add_mapping(struct chess_task *t, struct chess_shared *s, unsigned long start,
			unsigned long end, bool is_view)
{
	u64 shift;
	u8 memory;

	if (s->count == CHESS_SHARED_RANGES) {
		chess_access_missed(t);
		return;
	}
	find_memory(t, start, &memory, &shift);
	s->range[s->count].start = start;
	s->range[s->count].end = end;
	s->range[s->count].shift = shift;
	s->range[s->count].is_view = is_view;
	s->range[s->count++].memory = memory;
	s->views += is_view;
}

/* That of its heap, whose free() tells it, and of its stacks, which tasks have for themselves. */
static bool is_librarys_own(const struct pt_regs *regs)
{
	return chess_witness_is_librarys(regs) && !chess_witness_is_loaders(regs);
}

/**
 * chess_memory_caller() - where does a call that does something to memory come from?
 * @regs: user registers of current, which has returned from it
 *
 * Context: any, in current.
 * Return: where the C library's function returns to, or, of functions that have something on the
 * stack, where it is; zero: that is not known.
 */
unsigned long chess_memory_caller(const struct pt_regs *regs)
{
	unsigned long ret;

	switch (syscall_get_nr(current, (struct pt_regs *)regs)) {
	case __NR_mmap:
	case __NR_mremap:
	case __NR_creat:
	case __NR_open:
	case __NR_openat:
	case __NR_openat2:
		return regs->ip;
	default:
		return chess_user_word(regs->sp, &ret) ? ret : 0;
	}
}

/* A call changed what tasks may do with bytes, as an access of this kind. */
static void changed(struct chess_task *t, const struct pt_regs *regs, u8 kind, unsigned long start,
		    unsigned long bytes)
{
	unsigned long caller;

	if (!t->group->accesses.max || !bytes || is_librarys_own(regs))
		return;
	caller = chess_memory_caller(regs);
	if (caller)
		chess_access_memory(t, kind, start, bytes, caller, 0);
}

static bool is_shared(const struct chess_shared *s, u64 address)
{
	u8 memory;

	return chess_memory_is_shared(s, &address, &memory);
}

static bool is_view(const struct chess_shared *s, u64 address)
{
	u8 memory;

	return chess_memory_is_view(s, &address, &memory);
}

/* Tasks that still use it race with that. The loader takes away a plug-in: dlclose(). */
static void taken_away(struct chess_task *t, const struct chess_shared *s,
		       const struct pt_regs *regs, unsigned long start, unsigned long bytes)
{
	/* Other processes keep what is shared. */
	if (is_shared(s, start))
		/* Nor is it the library's own: sem_close() unmaps what the program has. */
		chess_access_memory(t, CHESS_ACCESS_MAY_WRITE | CHESS_ACCESS_SHARED, start, bytes,
				    regs->ip, 0);
	else
		changed(t, regs, CHESS_ACCESS_FRESH | CHESS_ACCESS_WRITE, start, bytes);
}

/* A private mapping that could only be read: what is written to it from now on is its own. */
static void becomes_view(struct chess_task *t, struct chess_shared *s, unsigned long start,
			 unsigned long end)
{
	const struct vm_area_struct *vma;
	bool shared;

	if (!is_shared(s, start))
		return;
	/* As in find_memory(). */
	if (!mmap_read_trylock(current->mm)) {
		chess_access_missed(t);
		return;
	}
	vma = vma_lookup(current->mm, start);
	shared = vma && vma->vm_flags & VM_MAYSHARE;
	mmap_read_unlock(current->mm);
	if (shared)
		return;
	remove_mapping(t, s, start, end);
	add_mapping(t, s, start, end, true);
}

static void protected(struct chess_task *t, struct chess_shared *s,
		      const struct pt_regs *regs, unsigned long start, unsigned long bytes)
{
	unsigned long may = chess_arch_syscall_arg(regs, 2);

	if (may & PROT_WRITE)
		becomes_view(t, s, start, start + bytes);
	else if (!(may & PROT_READ))
		taken_away(t, s, regs, start, bytes);
	else
		changed(t, regs, CHESS_ACCESS_MAY_READ | CHESS_ACCESS_SHARED, start, bytes);
}

static void attached(struct chess_task *t, struct chess_shared *s, const struct pt_regs *regs,
		     unsigned long start)
{
	u64 shift;
	u8 memory;
	unsigned long end = find_memory(t, start, &memory, &shift);

	if (chess_arch_syscall_arg(regs, 2) & SHM_REMAP && end > start)
		taken_away(t, s, regs, start, end - start);
	remove_mapping(t, s, start, end);
	if (end > start)
		add_mapping(t, s, start, end, false);
}

static void detached(struct chess_task *t, struct chess_shared *s, const struct pt_regs *regs,
		     unsigned long start)
{
	unsigned long end;
	u32 i;

	for (i = 0; i < s->count; i++)
		if (s->range[i].start == start) {
			end = s->range[i].end;
			taken_away(t, s, regs, start, end - start);
			remove_mapping(t, s, start, end);
			return;
		}
}

/* What a mapping shows of what others do. */
enum shows { SHOWS_NOTHING, IS_VIEW, IS_SHARED };

static void mapped(struct chess_task *t, struct chess_shared *s, unsigned long start,
		   unsigned long bytes, enum shows shows)
{
	/* No call maps that much: one that was not executed was said to have. */
	if (bytes > TASK_SIZE_MAX)
		return;
	remove_mapping(t, s, start, start + bytes);
	if (shows)
		add_mapping(t, s, start, start + bytes, shows == IS_VIEW);
	/* What others have is not new to them. */
	if (shows != IS_SHARED)
		chess_access_memory(t, CHESS_ACCESS_FRESH, start, bytes, 0, 0);
}

/* The loader maps libraries, which nobody changes. */
static enum shows shows_others(const struct pt_regs *regs)
{
	unsigned long may = chess_arch_syscall_arg(regs, 2), how = chess_arch_syscall_arg(regs, 3);

	if ((how & MAP_TYPE) == MAP_SHARED || (how & MAP_TYPE) == MAP_SHARED_VALIDATE)
		return IS_SHARED;
	if ((how & MAP_TYPE) != MAP_PRIVATE || how & MAP_ANONYMOUS || may & PROT_EXEC ||
	    !(may & PROT_READ) || chess_witness_is_loaders(regs))
		return SHOWS_NOTHING;
	return may & PROT_WRITE ? IS_VIEW : IS_SHARED;
}

/* What it held is at the new place and no news; only the place is, or what it has grown by. */
static void moved(struct chess_task *t, struct chess_shared *s, const struct pt_regs *regs,
		  unsigned long start, unsigned long to)
{
	unsigned long old = PAGE_ALIGN(chess_arch_syscall_arg(regs, 1));
	unsigned long new = PAGE_ALIGN(chess_arch_syscall_arg(regs, 2));
	enum shows shows = is_shared(s, start) ? IS_SHARED :
			   is_view(s, start) ? IS_VIEW : SHOWS_NOTHING;

	if (to != start)
		taken_away(t, s, regs, start, old);
	else if (new < old)
		taken_away(t, s, regs, start + new, old - new);
	if (chess_arch_syscall_arg(regs, 3) & MREMAP_FIXED)
		taken_away(t, s, regs, to, new);
	if (to != start || shows) {
		remove_mapping(t, s, start, start + old);
		mapped(t, s, to, new, shows);
	} else if (new > old) {
		mapped(t, s, to + old, new - old, SHOWS_NOTHING);
	}
}

static void advised(struct chess_task *t, const struct chess_shared *s,
		    const struct pt_regs *regs, unsigned long start, unsigned long bytes)
{
	switch (chess_arch_syscall_arg(regs, 2)) {
	case MADV_DONTNEED:
	case MADV_DONTNEED_LOCKED:
	case MADV_FREE:
		taken_away(t, s, regs, start, bytes);
		break;
	case MADV_REMOVE:
		chess_access_memory(t, CHESS_ACCESS_MAY_WRITE | CHESS_ACCESS_SHARED, start, bytes,
				    regs->ip, 0);
		break;
	}
}

/**
 * chess_memory_break() - the end of the data segment is about to be moved
 * @t: the task, which is current and has the token
 * @regs: its user registers at sys_enter
 *
 * Who shrinks it takes memory away. The heap gives back what was freed, which is known, but a
 * call of sbrk() looks the same: it leads to points at accesses which are not ordered with it.
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_memory_break(struct chess_task *t, const struct pt_regs *regs)
{
	unsigned long to = chess_arch_syscall_arg(regs, 0), from = current->mm->brk, caller;

	if (to < current->mm->start_brk || PAGE_ALIGN(to) >= PAGE_ALIGN(from))
		return;
	to = PAGE_ALIGN(to);
	caller = chess_memory_caller(regs);
	if (caller && !is_librarys_own(regs))
		chess_access_memory(t, CHESS_ACCESS_FRESH | CHESS_ACCESS_WRITE, to,
				    PAGE_ALIGN(from) - to, caller, 0);
	else
		chess_access_memory(t, CHESS_ACCESS_MAY_WRITE, to, PAGE_ALIGN(from) - to,
				    regs->ip, 0);
}

/**
 * chess_memory_mapped() - a call that changes mappings, or what they hold, returned
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

	if (!s || IS_ERR_VALUE(ret) || READ_ONCE(t->group->token) != t)
		return;
	switch (nr) {
	case __NR_mmap:
		if (chess_arch_syscall_arg(regs, 3) & MAP_FIXED)
			taken_away(t, s, regs, ret, bytes);
		mapped(t, s, ret, bytes, shows_others(regs));
		break;
	case __NR_munmap:
		taken_away(t, s, regs, start, bytes);
		remove_mapping(t, s, start, start + bytes);
		break;
	case __NR_mremap:
		moved(t, s, regs, start, ret);
		break;
	case __NR_shmat:
		attached(t, s, regs, ret);
		break;
	case __NR_shmdt:
		detached(t, s, regs, start);
		break;
	case __NR_mprotect:
	case __NR_pkey_mprotect:
		protected(t, s, regs, start, bytes);
		break;
	case __NR_madvise:
		advised(t, s, regs, start, bytes);
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
		chess_access_memory(t, CHESS_ACCESS_COPIED, 0, 0, 0, 0);
		return;
	}
	if (!t->group->accesses.max ||
	    syscall_get_nr(current, task_pt_regs(current)) != __NR_clone3 ||
	    copy_from_user_nofault(args, (void __user *)chess_arch_syscall_arg(regs, 0),
				   sizeof(args)) || !args[5])
		return;
	/* It was read again: the kernel may have been given something else. */
	if (args[5] > TASK_SIZE_MAX || args[6] > TASK_SIZE_MAX)
		return;
	end = args[5] + args[6];
	if (args[7] - end < TLS_BYTES)
		end = args[7] + THREAD_BYTES;
	chess_access_memory(t, CHESS_ACCESS_FRESH, args[5], end - args[5], 0, 0);
}
