/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Locks on a file: which processes hold them, and which tasks wait for them. Leases are not read.
 */
#ifndef CHESS_LOCK_BPF_H
#define CHESS_LOCK_BPF_H

#include "common.bpf.h"

/* Not all of @object was read. */
static __noinline int put_lost(struct seq_file *seq, __u64 object)
{
	struct chess_look_member lost = { .type = CHESS_LOOK_LOST, .object = object };

	bpf_seq_write(seq, &lost, sizeof(lost));
	return 0;
}

#define FL_FLOCK		2
#define FL_OFDLCK		1024
#define F_WRLCK			1

/*
 * By a member, and all of it by way of struct file_lock: libbpf looks for a type that the kernel
 * does not have among those of its modules, too, which takes more than two capabilities.
 */
static __always_inline bool has_core(void)
{
	struct file_lock *fl = NULL;

	return bpf_core_field_exists(fl->c);
}

/* The lock whose core is at address l. */
#define OF_CORE(l) ((struct file_lock *)((void *)(l) - bpf_core_field_offset(struct file_lock, c)))

/*
 * Of a lock at address l: a member, and where one stands. The copy of l keeps the
 * compiler from relocating our own structures as well.
 */
#define LOCK(l, field) ({								\
	void *l_ = (void *)(l);								\
	has_core() ?									\
		(__u64)BPF_CORE_READ(OF_CORE(l_), c.flc_##field) :			\
		(__u64)BPF_CORE_READ((struct file_lock___before_core *)l_, fl_##field); \
})
#define LOCK_OFFSET(field) (has_core() ?						\
	bpf_core_field_offset(struct file_lock, c.flc_##field) -			\
		bpf_core_field_offset(struct file_lock, c) :				\
	bpf_core_field_offset(struct file_lock___before_core, fl_##field))

struct lock_walk {
	struct seq_file *seq;
	__u64 inode;
	__u64 head, at;		/* the list of locks */
	__u64 root, waiter;	/* the tree of requests that wait for one of them */
	__u32 left;		/* records; more than a page or so may not come of one file */
	__u32 climb;
	__u32 lost;
};

/* Who sleeps on the queue of a request: the first in it. */
static __always_inline struct task_struct *lock_sleeper(__u64 l)
{
	__u64 head = l + LOCK_OFFSET(wait) + bpf_core_field_offset(struct wait_queue_head, head);
	struct list_head *at = (void *)head;
	struct wait_queue_entry *e;

	at = BPF_CORE_READ(at, next);
	if (!at || (__u64)at == head)
		return NULL;
	e = (void *)at - bpf_core_field_offset(*e, entry);
	return BPF_CORE_READ(e, private);
}

static __always_inline void put_lock(struct lock_walk *w, __u64 l, bool waiting)
{
	struct chess_look_lock r = { .type = CHESS_LOOK_LOCK, .inode = w->inode, .id = l };
	struct file_lock___before_core *old = (void *)l;
	__u32 flags = LOCK(l, flags);
	struct task_struct *sleeper;

	if (!w->left) {
		w->lost = 1;
		return;
	}
	w->left--;
	r.kind = flags & FL_FLOCK ? CHESS_LOOK_FLOCK :
		 flags & FL_OFDLCK ? CHESS_LOOK_OFD : CHESS_LOOK_POSIX;
	r.write = LOCK(l, type) == F_WRLCK;
	r.waiting = waiting;
	r.file = LOCK(l, file);
	r.owner = LOCK(l, owner);
	r.blocker = LOCK(l, blocker);
	r.gtgid = LOCK(l, pid);
	if (has_core()) {
		r.start = BPF_CORE_READ(OF_CORE(l), fl_start);
		r.end = BPF_CORE_READ(OF_CORE(l), fl_end);
	} else {
		r.start = BPF_CORE_READ(old, fl_start);
		r.end = BPF_CORE_READ(old, fl_end);
	}
	sleeper = waiting ? lock_sleeper(l) : NULL;
	if (sleeper) {
		r.tid = task_number(sleeper);
		r.tgid = task_number(leader(sleeper));
	}
	bpf_seq_write(w->seq, &r, sizeof(r));
}

/*
 * A request that conflicts with one that waits already waits for that one, so
 * they are a tree: down to the first that waits for it, else to the next beside, else up.
 */
static long next_waiter(__u32 i, void *arg)
{
	struct lock_walk *w = arg;
	__u64 first, parent, next;

	if (!w->climb) {
		put_lock(w, w->waiter, true);
		first = list_at(w->waiter + LOCK_OFFSET(blocked_requests));
		if (first && first != w->waiter + LOCK_OFFSET(blocked_requests)) {
			w->waiter = first - LOCK_OFFSET(blocked_member);
			return 0;
		}
	}
	parent = LOCK(w->waiter, blocker);
	next = list_at(w->waiter + LOCK_OFFSET(blocked_member));
	if (!parent || !next) {
		w->waiter = w->root;
		return 1;
	}
	w->climb = next == parent + LOCK_OFFSET(blocked_requests);
	w->waiter = w->climb ? parent : next - LOCK_OFFSET(blocked_member);
	return w->waiter == w->root;
}

static long next_lock(__u32 i, void *arg)
{
	struct lock_walk *w = arg;
	__u64 l, first;

	if (!w->at || w->at == w->head)
		return 1;
	l = w->at - LOCK_OFFSET(list);
	put_lock(w, l, false);
	first = list_at(l + LOCK_OFFSET(blocked_requests));
	if (first && first != l + LOCK_OFFSET(blocked_requests)) {
		w->root = l;
		w->climb = 0;
		w->waiter = first - LOCK_OFFSET(blocked_member);
		bpf_loop(2 * CHESS_LOOK_LOCKS, next_waiter, w, 0);
		if (w->waiter != w->root)
			w->lost = 1;
	}
	w->at = list_at(l + LOCK_OFFSET(list));
	return 0;
}

static __always_inline void walk_locks(struct seq_file *seq, struct inode *inode)
{
	struct file_lock_context *c = BPF_CORE_READ(inode, i_flctx);
	struct lock_walk w = {
		.seq = seq, .inode = (__u64)inode, .left = unknown(2 * CHESS_LOOK_LOCKS),
	};

	w.head = (__u64)c + bpf_core_field_offset(*c, flc_flock);
	w.at = list_at(w.head);
	bpf_loop(CHESS_LOOK_LOCKS + 1, next_lock, &w, 0);
	if (w.at != w.head)
		w.lost = 1;
	w.head = (__u64)c + bpf_core_field_offset(*c, flc_posix);
	w.at = list_at(w.head);
	bpf_loop(CHESS_LOOK_LOCKS + 1, next_lock, &w, 0);
	if (w.at != w.head || w.lost)
		put_lost(seq, (__u64)inode);
}

#endif /* CHESS_LOCK_BPF_H */
