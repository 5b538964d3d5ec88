// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See depend.h. A process with one thread that shares no memory with another process has more to
 * itself than threads have: not only its memory and what sync functions do there, but also which
 * descriptor means what, the actions of its signals, its working directory. Others change these, or
 * find out about them, only by ops that depend on everything (signals, ptrace() and the like, what
 * is looked up in /proc) and by ending. Calls that make, move or take away names of files, or
 * change rights to them, depend on everything, too. So of what such a process does, this matters
 * to no other process:
 *
 * - functions of the C library, and accesses to memory;
 * - looking up a path, and opening a file to read it. A named pipe is no such file: the first of
 *   its ends that is opened has to wait, which happens.c notices, or is opened without waiting;
 * - calls that change nothing but which descriptors there are: the end of a pipe that one stands
 *   for is still open afterwards. What close() and dup2() close is on its inode if that is a pipe;
 *   a file is the same for others whether it is open or not. Only a program that is open to be
 *   written cannot be executed.
 *
 * Four objects stand for what remains. The process itself: its ops read it, and the end of a child
 * writes it, by a signal; so does a child that has its memory when it executes a program, as it
 * lets its creator go on. ENDS: the end of a process writes it, and waits for children read it.
 * PIPES: an end and the execution of a program write it, as both close descriptors; ops on pipes
 * read it. And the numbers that tasks are given. An end still depends on everything where the
 * process had children, or its creator has ended, so that others inherit from it.
 *
 * Memory is not a process's own if both it and its creator can write a mapping (the SPAWN event
 * says whether that is so), or if it maps a file that is opened to be read and written, or comes
 * from elsewhere. Where there may be such memory no process counts as apart any more. What is read
 * of a file, by path or in a mapping, changes when the file is written: a write to a file that has
 * a name depends on everything.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/chess_record.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array.h"
#include "internal.h"
#include "record/decision.h"
#include "record/depend.h"

enum {
	ENDS = 0x100,	/* which processes have ended */
	PIPES,		/* which ends of pipes are open */
	SELF,		/* process P is SELF + P */
};

/* Devices of files that no path leads to: pipes, and what memfd_create() makes. */
static bool has_paths(uint64_t dev)
{
	static uint64_t without[2];
	static bool known;
	struct stat st;
	int fd[2], i;

	if (!known) {
		if (!pipe2(fd, O_CLOEXEC)) {
			without[0] = fstat(fd[0], &st) ? 0 : st.st_dev;
			close(fd[0]);
			close(fd[1]);
		}
		fd[0] = memfd_create("device", MFD_CLOEXEC);
		if (fd[0] >= 0) {
			without[1] = fstat(fd[0], &st) ? 0 : st.st_dev;
			close(fd[0]);
		}
		known = true;
	}
	for (i = 0; i < 2; i++)
		if (dev == without[i])
			return false;
	return dev != CHESS_DEVICE_NAMELESS;
}

/**
 * chess_device_class() - what stands for a device where its number means nothing
 * @dev: as stat(2) gives it
 *
 * Return: one of CHESS_DEVICE_*.
 */
uint32_t chess_device_class(uint64_t dev)
{
	if (chess_is_node_device(dev))
		return CHESS_DEVICE_NODES;
	if (!chess_is_plain_device(dev))
		return CHESS_DEVICE_OTHER;
	return has_paths(dev) ? CHESS_DEVICE_PLAIN : CHESS_DEVICE_NAMELESS;
}

/* It fails unless the path leads to a directory. O_TMPFILE makes a file, and has that bit, too. */
static bool opens_directory(const struct chess_event *e)
{
	return (e->arg & O_TMPFILE) == O_DIRECTORY && (e->arg & O_ACCMODE) == O_RDONLY;
}

/* A file may be mapped by this descriptor so that what is written there is seen by others. */
static bool may_be_mapped(const struct chess_event *e)
{
	switch (e->nr) {
	case SYS_open: case SYS_openat:
		if (opens_directory(e))
			return false;
		/* A named pipe can be opened without waiting for the other end. */
		if (e->arg & O_NONBLOCK)
			return true;
		return (e->arg & O_ACCMODE) != O_RDONLY && (e->arg & O_ACCMODE) != O_WRONLY;
	case SYS_openat2: case SYS_memfd_create: case SYS_recvmsg: case SYS_recvmmsg:
		return true;
	default:
		return false;
	}
}

/* Calls of class OTHER that give a task no memory and no descriptor. */
static bool gives_nothing(uint32_t nr)
{
	switch (nr) {
	case SYS_prctl: case SYS_prlimit64: case SYS_getrlimit: case SYS_setrlimit:
	case SYS_getpriority: case SYS_setpriority: case SYS_sched_getparam:
	case SYS_sched_setparam: case SYS_sched_getscheduler: case SYS_sched_setscheduler:
	case SYS_getpgrp: case SYS_getpgid: case SYS_setpgid: case SYS_getsid: case SYS_setsid:
	case SYS_getrusage: case SYS_sched_getaffinity: case SYS_sched_setaffinity:
	case SYS_uname: case SYS_capget: case SYS_capset: case SYS_get_robust_list:
	case SYS_getuid: case SYS_geteuid: case SYS_getgid: case SYS_getegid:
	case SYS_getresuid: case SYS_getresgid: case SYS_getgroups: case SYS_setgroups:
	case SYS_setuid: case SYS_setgid: case SYS_setreuid: case SYS_setregid:
	case SYS_setresuid: case SYS_setresgid: case SYS_setfsuid: case SYS_setfsgid:
	case SYS_sync: case SYS_syncfs: case SYS_chown: case SYS_lchown: case SYS_fchownat:
	case SYS_utime: case SYS_utimes: case SYS_statfs:
	case SYS_setxattr: case SYS_getxattr: case SYS_listxattr:
		return true;
	default:
		return false;
	}
}

/* Calls of class OTHER after which the end of a process may do more to others. */
static bool concerns_ends(const struct chess_event *e)
{
	switch (e->nr) {
	case SYS_setpgid: case SYS_setsid:
		return true;
	case SYS_prctl:
		return e->object == PR_SET_PDEATHSIG || e->object == PR_SET_CHILD_SUBREAPER;
	default:
		return false;
	}
}

static bool may_share(const struct chess_event *e)
{
	if (e->flags & CHESS_OPF_PROBE)
		return e->op == CHESS_OP_CUSTOM;
	return may_be_mapped(e) || e->op == CHESS_OP_IPC || e->nr == SYS_ptrace ||
	       (e->op == CHESS_OP_OTHER && !gives_nothing(e->nr));
}

static bool writes_file(const struct chess_record *r, const struct chess_event *e)
{
	if ((e->flags & CHESS_OPF_PROBE) || e->object_kind != CHESS_OBJECT_INODE ||
	    !has_paths(chess_record_object_dev(r, e->object)))
		return false;
	switch (e->nr) {
	case SYS_write: case SYS_pwrite64: case SYS_writev: case SYS_pwritev: case SYS_pwritev2:
	case SYS_ftruncate: case SYS_fallocate:
		return true;
	default:
		return false;
	}
}

/**
 * chess_apart_note() - what a point says about what processes share
 * @d: what is known; points have to be shown in their order
 * @r: the record
 * @e: the point
 *
 * Return: true: the op depends on everything. Nothing was shared before, and now it is; or it
 * writes a file, of whatever task, while others count as apart that may have it mapped.
 */
bool chess_apart_note(struct chess_depend *d, const struct chess_record *r,
		      const struct chess_event *e)
{
	bool shared = d->shares;

	d->shares |= may_share(e);
	d->signals |= chess_event_sends_signal(e);
	d->ends_matter |= !(e->flags & CHESS_OPF_PROBE) && concerns_ends(e);
	d->writers |= e->op == CHESS_OP_OPEN &&
		      ((e->arg & O_ACCMODE) != O_RDONLY || e->nr == SYS_creat);
	if (d->shares)
		return !shared;
	return d->processes && writes_file(r, e);
}

/**
 * chess_apart_spawn() - a task was created
 * @d: what is known, with room for the new task
 * @e: the event that says so
 */
void chess_apart_spawn(struct chess_depend *d, const struct chess_event *e)
{
	uint16_t process = e->task < d->tasks ? d->task[e->task].process : 0;
	struct chess_depend_task *t = &d->task[e->object];

	t->process = process;
	t->parent = process;
	d->task[process].creates |= e->arg <= CHESS_SPAWN_BORROWS;
	switch (e->arg) {
	case CHESS_SPAWN_APART:
		t->process = e->object;
		break;
	case CHESS_SPAWN_BORROWS:
		t->borrows = true;
		break;
	case 0:
		d->shares = true;
		break;
	default:
		d->task[process].threads = true;
	}
}

/**
 * chess_apart_executed() - a task executed a program
 * @d: what is known
 * @task: which
 */
void chess_apart_executed(struct chess_depend *d, uint16_t task)
{
	struct chess_depend_task *t = task < d->tasks ? &d->task[task] : NULL;

	if (!t || !t->borrows)
		return;
	t->borrows = false;
	t->process = task;
}

/**
 * chess_is_apart() - does a task have memory, descriptors and actions of signals to itself?
 * @d: what is known
 * @task: which
 *
 * Return: whether it does; always false while there is one process.
 */
bool chess_is_apart(const struct chess_depend *d, uint16_t task)
{
	return d->processes && !d->shares && !d->watches && task < d->tasks &&
	       !d->task[d->task[task].process].threads;
}

/**
 * chess_apart_waits_to_open() - a task waits; does it do so to open a file?
 * @d: what is known
 * @task: which
 *
 * Return: whether the file is a pipe that has a name, whose opening depends on others after all.
 */
bool chess_apart_waits_to_open(const struct chess_depend *d, uint16_t task)
{
	return task < d->tasks && d->task[task].opens;
}

static bool is_own_function(const struct chess_event *e)
{
	switch (e->op) {
	case CHESS_OP_LOCK: case CHESS_OP_TRYLOCK: case CHESS_OP_UNLOCK:
	case CHESS_OP_RDLOCK: case CHESS_OP_WRLOCK: case CHESS_OP_BARRIER: case CHESS_OP_ONCE:
	case CHESS_OP_COND_WAIT: case CHESS_OP_COND_SIGNAL: case CHESS_OP_COND_BROADCAST:
	case CHESS_OP_SEM_WAIT: case CHESS_OP_SEM_POST: case CHESS_OP_INIT: case CHESS_OP_DESTROY:
	case CHESS_OP_OTHER:
		return true;
	default:
		return chess_event_is_access(e);
	}
}

static enum chess_apart_op of_open(const struct chess_event *e)
{
	uint64_t plain = O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW | O_LARGEFILE | O_NOCTTY;

	/* opendir() has it. */
	if (opens_directory(e))
		plain |= O_NONBLOCK;
	return e->arg & ~plain ? CHESS_APART_NOT : CHESS_APART_QUIET;
}

static enum chess_apart_op of_control(const struct chess_event *e)
{
	switch (e->arg) {
	case F_GETFD: case F_SETFD: case F_GETFL: case F_DUPFD: case F_DUPFD_CLOEXEC:
		return CHESS_APART_QUIET;
	default:
		return CHESS_APART_NOT;
	}
}

/* The inode that a call works on; 0: none, or that is not known. */
static uint64_t inode_of(const struct chess_event *e)
{
	switch (e->nr) {
	case SYS_dup2: case SYS_dup3:
		return e->arg & CHESS_ARG_OTHER ? 0 : e->arg;
	case SYS_newfstatat: case SYS_statx:
		return e->arg & CHESS_ARG_EMPTY_PATH ? e->arg & ~CHESS_ARG_EMPTY_PATH : 0;
	default:
		return e->object_kind == CHESS_OBJECT_INODE ? e->object : 0;
	}
}

static enum chess_apart_op of_inode(const struct chess_record *r, const struct chess_event *e)
{
	uint64_t inode = inode_of(e);

	return inode && chess_is_plain_device(chess_record_object_dev(r, inode)) ?
	       CHESS_APART_INODE : CHESS_APART_NOT;
}

/* One descriptor less. */
static enum chess_apart_op of_close(const struct chess_record *r, const struct chess_event *e)
{
	uint64_t inode = inode_of(e);
	uint32_t class = chess_device_class(inode ? chess_record_object_dev(r, inode) : 0);

	if (class == CHESS_DEVICE_PLAIN || class == CHESS_DEVICE_NODES)
		return CHESS_APART_QUIET;
	return of_inode(r, e);
}

/* A call about the caller itself. */
static enum chess_apart_op of_caller(const struct chess_event *e)
{
	return e->object_kind == CHESS_OBJECT_PID && !e->object ? CHESS_APART_QUIET :
	       CHESS_APART_NOT;
}

static enum chess_apart_op of_end(const struct chess_depend *d, const struct chess_event *e)
{
	const struct chess_depend_task *t = &d->task[e->task];

	/* The first task of all has a creator that is not in the record. */
	if (t->process != e->task || !e->task || t->creates || d->ends_matter ||
	    d->task[t->parent].ended)
		return CHESS_APART_NOT;
	return CHESS_APART_END;
}

/* What an op of a task is about that is apart. */
static enum chess_apart_op op_of(const struct chess_depend *d, const struct chess_record *r,
				 const struct chess_event *e)
{
	if (e->op == CHESS_OP_CREATE || e->op == CHESS_OP_FORK)
		return CHESS_APART_CREATE;
	if (e->flags & CHESS_OPF_PROBE)
		return e->nr && is_own_function(e) ? CHESS_APART_QUIET : CHESS_APART_NOT;
	switch (e->nr) {
	case SYS_open: case SYS_openat:
		return of_open(e);
	case SYS_newfstatat: case SYS_statx:
		if (e->arg & CHESS_ARG_EMPTY_PATH)
			return of_inode(r, e);
		return e->arg ? CHESS_APART_NOT : CHESS_APART_QUIET;
	case SYS_stat: case SYS_lstat: case SYS_access: case SYS_faccessat: case SYS_faccessat2:
	case SYS_readlink: case SYS_readlinkat:
		return e->arg ? CHESS_APART_NOT : CHESS_APART_QUIET;
	case SYS_dup2: case SYS_dup3:
		return e->arg ? of_close(r, e) : CHESS_APART_QUIET;
	case SYS_fcntl:
		return of_control(e);
	case SYS_close:
		/* No descriptor, such as -1. */
		if (e->object_kind == CHESS_OBJECT_FD && e->object > INT_MAX)
			return CHESS_APART_QUIET;
		return of_close(r, e);
	case SYS_prlimit64: case SYS_getpgid: case SYS_getsid:
	case SYS_sched_getaffinity: case SYS_sched_setaffinity:
		return of_caller(e);
	case SYS_getcwd: case SYS_chdir: case SYS_fchdir: case SYS_umask: case SYS_dup:
	case SYS_pipe: case SYS_pipe2: case SYS_rt_sigaction: case SYS_rt_sigprocmask:
	case SYS_sigaltstack: case SYS_getuid: case SYS_geteuid: case SYS_getgid:
	case SYS_getegid: case SYS_getpgrp: case SYS_getrlimit: case SYS_uname:
		return CHESS_APART_QUIET;
	case SYS_wait4: case SYS_waitid: case SYS_getppid:
		return CHESS_APART_WAIT;
	case SYS_read: case SYS_pread64: case SYS_readv: case SYS_preadv: case SYS_preadv2:
	case SYS_write: case SYS_pwrite64: case SYS_writev: case SYS_pwritev: case SYS_pwritev2:
	case SYS_fstat: case SYS_ftruncate: case SYS_fallocate: case SYS_lseek: case SYS_fsync:
	case SYS_fdatasync:
		return of_inode(r, e);
	case SYS_execve: case SYS_execveat:
		return d->writers ? CHESS_APART_NOT : CHESS_APART_EXEC;
	case SYS_exit: case SYS_exit_group:
		return of_end(d, e);
	default:
		return CHESS_APART_NOT;
	}
}

/**
 * chess_apart_at() - a task is at a point
 * @d: what is known of it
 * @r: the record
 * @e: the point, shown to chess_apart_note() before
 */
void chess_apart_at(struct chess_depend *d, const struct chess_record *r,
		    const struct chess_event *e)
{
	struct chess_depend_task *t = &d->task[e->task];

	t->about = chess_is_apart(d, e->task) ? op_of(d, r, e) : CHESS_APART_NOT;
	t->opens = t->about == CHESS_APART_QUIET && e->op == CHESS_OP_OPEN;
	t->ends = e->op == CHESS_OP_EXIT;
	t->waited = false;
}

static int add(struct chess_depend *d, struct chess_op *op, uint64_t number, bool read)
{
	int64_t i = chess_objects_find(&d->objects, CHESS_OBJECT_NONE, number);

	if (i < 0)
		return i;
	op->only_read |= read << op->n;
	op->object[op->n++] = i;
	return 0;
}

/**
 * chess_apart_pipe() - what else does an op on an inode depend on?
 * @d: what is known
 * @r: the record
 * @op: it gets an object more if processes that are apart may close ends of this
 * @inode: a pipe, or a file
 *
 * Return: 0 or -ENOMEM.
 */
int chess_apart_pipe(struct chess_depend *d, const struct chess_record *r, struct chess_op *op,
		     uint64_t inode)
{
	if (!d->processes || has_paths(chess_record_object_dev(r, inode)))
		return 0;
	return add(d, op, PIPES, true);
}

static int add_inode(struct chess_depend *d, const struct chess_record *r, struct chess_op *op,
		     uint64_t inode)
{
	int64_t i = chess_objects_find(&d->objects, CHESS_OBJECT_INODE, inode);

	if (i < 0)
		return i;
	op->object[op->n++] = i;
	return chess_apart_pipe(d, r, op, inode);
}

/**
 * chess_apart_objects() - what such an op depends on
 * @d: what is known
 * @r: the record
 * @e: its point
 * @op: without objects so far; they are added
 *
 * Return: 0 or -ENOMEM.
 */
int chess_apart_objects(struct chess_depend *d, const struct chess_record *r,
			const struct chess_event *e, struct chess_op *op)
{
	const struct chess_depend_task *t = &d->task[e->task];
	enum chess_apart_op about = t->about;
	bool ends = about == CHESS_APART_END;
	/* Its creator goes on. */
	bool returns = about == CHESS_APART_EXEC && t->borrows;
	int ret;

	op->write = ends || about == CHESS_APART_CREATE || about == CHESS_APART_EXEC ||
		    (about == CHESS_APART_INODE && op->write);
	ret = add(d, op, SELF + (ends ? t->parent : t->process), !ends && !returns);
	if (!ret && (ends || about == CHESS_APART_WAIT))
		ret = add(d, op, ENDS, !ends);
	if (!ret && (ends || about == CHESS_APART_EXEC))
		ret = add(d, op, PIPES, false);
	if (!ret && about == CHESS_APART_CREATE)
		ret = add(d, op, CHESS_THREADS, false);
	return ret || about != CHESS_APART_INODE ? ret : add_inode(d, r, op, inode_of(e));
}

/**
 * chess_apart_blocked() - a task has to wait
 * @d: what is known of it
 * @task: which
 *
 * Return: true: maybe not for what its op is about: that is over, or never waits, or signals were
 * sent. One may have stopped the task, which other processes notice, as they do when it continues.
 */
bool chess_apart_blocked(struct chess_depend *d, uint16_t task)
{
	struct chess_depend_task *t = d->processes && task < d->tasks ? &d->task[task] : NULL;
	bool stopped = t && (t->waited || t->about == CHESS_APART_QUIET || d->signals);

	if (t)
		t->waited = true;
	return stopped;
}

/**
 * chess_apart_ended() - a task has taken its last step
 * @d: what is known
 * @task: which
 *
 * Return: false: there is another process, and a signal has ended the task, not its last op.
 */
bool chess_apart_ended(struct chess_depend *d, uint16_t task)
{
	if (!d->processes || task >= d->tasks)
		return true;
	d->task[task].ended = true;
	return d->task[task].ends;
}
