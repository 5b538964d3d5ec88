/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * look.c, snapshot.c: what blocked tasks wait on, as the kernel's own
 * structures say, read through the BPF programs of bpf/. docs/bpf.md says what is
 * read, what it costs and what it cannot see.
 *
 * A struct chess_look is used by one thread at a time. A snapshot does not change
 * and outlives the chess_look it came from.
 */
#ifndef CHESSCTL_LOOK_H
#define CHESSCTL_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../bpf/look.bpf.h"
#include "chessctl/chessctl.h"

struct chess_snapshot;

/* look.c */

/* chess_look_new() and chess_look_free() are in chessctl.h. */

/**
 * chess_look_take() - read the state of tasks and of what they may wait on
 * @l: the programs
 * @tids: tasks wanted; the number of a process stands for all of its tasks
 * @n: how many, at most CHESS_LOOK_WANTED
 * @out: the snapshot, to be freed with chess_snapshot_free()
 *
 * Tasks, then files, then System V IPC are read one after another and without
 * stopping anybody: it is one state only if nothing moved meanwhile. A caller who
 * cannot know that takes two and compares what matters.
 *
 * Files are those of all processes that are visible in the caller's pid namespace.
 * A wanted task that is gone is left out.
 *
 * Return: 0 or -errno with chess_error(): -E2BIG too many tasks, -ENOMEM
 */
int chess_look_take(struct chess_look *l, const pid_t *tids, size_t n,
		    struct chess_snapshot **out);

/**
 * chess_look_load_files() - load what only chess_look_take() needs
 * @l: the programs
 *
 * Its first call does so otherwise, which takes a second in a VM: too long where it is to say
 * what is at this moment.
 *
 * Return: as chess_look_new(), as -errno
 */
int chess_look_load_files(struct chess_look *l);

/**
 * chess_look_tasks() - the same of tasks alone
 * @l: the programs
 * @tids: as chess_look_take()
 * @n: as there
 * @out: a snapshot without files, locks and System V IPC
 *
 * What it costs does not depend on what is open, so that it can be asked often.
 *
 * Return: as chess_look_take()
 */
int chess_look_tasks(struct chess_look *l, const pid_t *tids, size_t n,
		     struct chess_snapshot **out);

/**
 * chess_look_names() - names of the functions on a task's kernel stack
 * @l: the programs
 * @t: a task of a snapshot
 * @out: a name for each address of @t->stack, "NAME+0xOFFSET/0xSIZE", " [MODULE]" after it;
 *	an address of no function stands there in hexadecimal
 *
 * Return: 0 or -errno with chess_error()
 */
int chess_look_names(struct chess_look *l, const struct chess_look_task *t,
		     struct chess_look_names *out);

/**
 * chess_look_note_wakers() - note who wakes these tasks, until the next call or the end
 * @l: the programs
 * @tids: tasks; all tasks of their processes are watched, later ones too
 * @n: how many; 0 ends it
 *
 * What was noted before is forgotten. Costs each wake-up on the machine a look-up;
 * see docs/bpf.md.
 *
 * Return: 0 or -errno with chess_error()
 */
int chess_look_note_wakers(struct chess_look *l, const pid_t *tids, size_t n);

/* snapshot.c */

/* What a snapshot lacks, because there was more than is read. */
#define CHESS_LOST_CHILDREN	1	/* the task has CHESS_LOOK_TASK_LOST */
#define CHESS_LOST_FILES	2
#define CHESS_LOST_OBJECTS	4	/* locks, members or waiting tasks of an object */
#define CHESS_LOST_IPC		8

/**
 * chess_snapshot_free() - free a snapshot
 * @s: may be NULL
 */
void chess_snapshot_free(struct chess_snapshot *s);

/**
 * chess_snapshot_lost() - was everything read?
 * @s: a snapshot
 *
 * Return: CHESS_LOST_* of what is incomplete, 0 for none
 */
unsigned int chess_snapshot_lost(const struct chess_snapshot *s);

/*
 * All of one kind; *n is how many. Tasks are in order of tid, files in that of
 * object, locks in that of inode, members in that of the set, waits in message
 * queues in that of object, IPC in that of namespace, kind (semaphores before
 * queues), id.
 */
const struct chess_look_task *chess_snapshot_tasks(const struct chess_snapshot *s, size_t *n);
const struct chess_look_file *chess_snapshot_files(const struct chess_snapshot *s, size_t *n);
const struct chess_look_lock *chess_snapshot_locks(const struct chess_snapshot *s, size_t *n);
const struct chess_look_member *chess_snapshot_members(const struct chess_snapshot *s,
							size_t *n);
const struct chess_look_mq_wait *chess_snapshot_mq_waits(const struct chess_snapshot *s,
							 size_t *n);
const struct chess_look_ipc *chess_snapshot_ipc(const struct chess_snapshot *s, size_t *n);

/* The task with this number, NULL: not wanted, or gone. */
const struct chess_look_task *chess_snapshot_task(const struct chess_snapshot *s, pid_t tid);

/* What descriptor @fd of @task is, NULL: closed, or of a kind that is not read. */
const struct chess_look_file *chess_snapshot_fd(const struct chess_snapshot *s,
						const struct chess_look_task *task, int fd);

/* Was this process, or one of its tasks, among the wanted? */
bool chess_snapshot_is_wanted(const struct chess_snapshot *s, pid_t tgid);

/**
 * chess_snapshot_holder() - who has an object open
 * @s: a snapshot
 * @object: of a chess_look_file, a chess_look_member, a chess_look_lock (inode)
 * @mode: CHESS_LOOK_READ, CHESS_LOOK_WRITE or both: open for one of them; 0: anyhow
 * @after: what the last call returned, NULL for the first
 *
 * A file shared between processes or descriptors comes once for each descriptor.
 * Not seen: descriptors on their way through a unix socket, and in io_uring.
 *
 * Return: the next one, NULL: no more
 */
const struct chess_look_file *chess_snapshot_holder(const struct chess_snapshot *s,
						    uint64_t object, unsigned int mode,
						    const struct chess_look_file *after);

/* Like it, but only what processes that are not wanted have open. */
const struct chess_look_file *chess_snapshot_outsider(const struct chess_snapshot *s,
						      uint64_t object, unsigned int mode,
						      const struct chess_look_file *after);

/**
 * chess_snapshot_peer() - a descriptor of the other end of a socket
 * @s: a snapshot
 * @end: a unix, TCP or UDP socket
 * @after: what the last call returned, NULL for the first
 *
 * A unix socket's peer is known exactly. Of others it is a socket of the same
 * network namespace with the addresses exchanged; of a datagram socket that is not
 * connected itself it must be bound to the address this one sends to.
 *
 * Return: the next one, NULL: no more, none, on another machine, or not accepted yet
 */
const struct chess_look_file *chess_snapshot_peer(const struct chess_snapshot *s,
						  const struct chess_look_file *end,
						  const struct chess_look_file *after);

/* The lock that task @tid waits for, NULL: none. */
const struct chess_look_lock *chess_snapshot_lock_wait(const struct chess_snapshot *s,
						       pid_t tid);

/**
 * chess_snapshot_conflict() - who holds a lock that keeps this one away
 * @s: a snapshot
 * @lock: one that waits
 * @after: what the last call returned, NULL for the first
 *
 * Return: the next held lock of another owner that overlaps, one of the two for
 * writing; NULL: no more
 */
const struct chess_look_lock *chess_snapshot_conflict(const struct chess_snapshot *s,
						      const struct chess_look_lock *lock,
						      const struct chess_look_lock *after);

/* The first member of an epoll set (its object); *n is how many follow each other. */
const struct chess_look_member *chess_snapshot_set(const struct chess_snapshot *s,
						   uint64_t epoll, size_t *n);

/* What look.c builds a snapshot with; see there. */
struct chess_snapshot *chess_snapshot_new(const pid_t *tids, size_t n);
int chess_snapshot_add_task(struct chess_snapshot *s, const struct chess_look_task *t);
void chess_snapshot_set_waker(struct chess_snapshot *s, size_t i,
			      const struct chess_look_waker *w);
int chess_snapshot_add_record(struct chess_snapshot *s, const void *record, size_t left);
int chess_snapshot_add_ipc(struct chess_snapshot *s, const struct chess_look_ipc_table *t);
void chess_snapshot_finish(struct chess_snapshot *s);

#endif /* CHESSCTL_LOOK_H */
