// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who waits for whom among tasks that run, and for ever. Of each wait all tasks that
 * could end it are found, or it counts as one that something outside ends: anything with
 * a time-out, and every call not known here. A task is stuck when all of these are stuck.
 * What is left when all others have been taken away has a cycle in it (graph.c).
 *
 * Tasks are looked at one after the other while they run, so a cycle may be made of
 * pieces of different moments. It is one if it is seen again with the same blocks: then
 * none of its tasks ran in between, and nobody else could have changed who has what.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "array.h"
#include "wait/holders.h"
#include "internal.h"
#include "wait/owner.h"
#include "wait/proc.h"
#include "live/view.h"

/* Task @i could end the wait of @w. */
static int add(struct chess_wait *w, size_t i, enum chess_hold how)
{
	return chess_holders_add(w, &(struct chess_holder) { .task = i, .how = how });
}

/* Any task of this process could; the only one surely. */
static int add_process(const struct chess_view *v, struct chess_wait *w, uint32_t tgid)
{
	size_t i, n = 0;
	int ret = 0;

	for (i = 0; i < v->n; i++)
		n += v->seen[i].tgid == tgid && !v->seen[i].exit_state;
	for (i = 0; i < v->n && !ret; i++)
		if (v->seen[i].tgid == tgid && !v->seen[i].exit_state)
			ret = add(w, i, n == 1 ? CHESS_HOLD_HAS : CHESS_HOLD_MAY);
	if (!n)
		w->outside = true;
	return ret;
}

static bool is_owner(const struct chess_view *v, size_t i, size_t from, const struct chess_owner *o)
{
	return (o->shared || v->seen[i].tgid == v->seen[from].tgid) && !v->seen[i].exit_state &&
	       chess_proc_own_id(v->seen[i].tid, "\nNSpid:") == (pid_t)o->tid;
}

/* The task the program knows by the number of the owner, -1: none. */
static ssize_t find_owner(const struct chess_view *v, size_t from, const struct chess_owner *o)
{
	const struct chess_look_task *t = chess_snapshot_task(v->shot, o->tid);
	size_t i;

	/* Numbers are the same for us, unless it has a pid namespace of its own. */
	if (t && is_owner(v, t - v->seen, from, o))
		return t - v->seen;
	for (i = 0; i < v->n; i++)
		if (is_owner(v, i, from, o))
			return i;
	return -1;
}

static int futex_holder(struct chess_view *v, size_t i, struct chess_wait *w)
{
	struct chess_live_task *t = &v->tasks[i];
	struct chess_owner o;
	ssize_t holder;

	chess_owner_find(&v->seen[i], &o);
	t->address = o.address;
	if (o.kind != CHESS_LOCK_UNKNOWN)
		t->lock = chess_lock_kind_name(o.kind);
	holder = o.tid ? find_owner(v, i, &o) : -1;
	if (holder < 0)
		return 0;
	w->outside = false;
	/* The fields of a rwlock are those of this glibc; a mutex has not changed for ever. */
	t->probably = o.kind == CHESS_LOCK_RWLOCK;
	return add(w, holder, o.kind == CHESS_LOCK_THREAD ? CHESS_HOLD_IS : CHESS_HOLD_HAS);
}

/* Who has a lock on a file: a process, or all that share the open file description. */
static int lock_holders(struct chess_view *v, size_t i, struct chess_wait *w)
{
	const struct chess_look_lock *mine = chess_snapshot_lock_wait(v->shot, v->seen[i].tid);
	const struct chess_look_lock *l = NULL;
	int ret = 0;

	if (!mine)
		return 0;
	w->outside = false;
	while (!ret && (l = chess_snapshot_conflict(v->shot, mine, l))) {
		const struct chess_look_file *f = NULL;

		if (l->kind == CHESS_LOOK_POSIX)
			ret = add_process(v, w, l->tgid);
		while (!ret && l->kind != CHESS_LOOK_POSIX &&
		       (f = chess_snapshot_holder(v->shot, l->inode, 0, f)))
			if (f->file == l->file)
				ret = add_process(v, w, f->tgid);
	}
	return ret;
}

/* Who has the other end of a pipe that is empty, or full. */
static int pipe_holders(struct chess_view *v, size_t i, struct chess_wait *w, bool writes)
{
	const struct chess_look_file *f, *end = NULL;
	unsigned int mode = writes ? CHESS_LOOK_READ : CHESS_LOOK_WRITE, used;
	int ret = 0;

	f = chess_snapshot_fd(v->shot, &v->seen[i], v->seen[i].args[0]);
	if (!f || f->kind != CHESS_LOOK_PIPE)
		return 0;
	used = f->pipe.head - f->pipe.tail;
	if (writes ? used < f->pipe.max_usage || !f->pipe.readers : used || !f->pipe.writers)
		return 0;
	w->outside = false;
	while (!ret && (end = chess_snapshot_holder(v->shot, f->object, mode, end)))
		ret = add_process(v, w, end->tgid);
	return ret;
}

/* Any child that ends; all threads of a process wait for those of all. */
static int child_holders(struct chess_view *v, size_t i, struct chess_wait *w)
{
	pid_t tgid = v->seen[i].tgid;
	size_t k;
	int ret = 0;

	for (k = 0; k < v->n; k++)
		if (v->seen[k].tgid == v->seen[i].tgid &&
		    (v->seen[k].children_outside || v->seen[k].children_dead ||
		     v->seen[k].flags & CHESS_LOOK_TASK_LOST))
			return 0;
	w->outside = false;
	for (k = 0; k < v->n && !ret; k++)
		if (v->seen[k].tid == v->seen[k].tgid &&
		    chess_proc_parent(v->seen[k].tgid) == tgid)
			ret = add_process(v, w, v->seen[k].tgid);
	return ret;
}

static int file_holders(struct chess_view *v, size_t i, struct chess_wait *w)
{
	switch (v->tasks[i].nr) {
	case SYS_read: case SYS_readv:
		return pipe_holders(v, i, w, false);
	case SYS_write: case SYS_writev:
		return pipe_holders(v, i, w, true);
	case SYS_flock: case SYS_fcntl:
		return lock_holders(v, i, w);
	case SYS_wait4: case SYS_waitid:
		return child_holders(v, i, w);
	}
	return 0;
}

int chess_stuck_find_holders(struct chess_view *v)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < v->n && !ret; i++) {
		struct chess_live_task *t = &v->tasks[i];
		struct chess_wait *w = &v->waits[i];

		w->task = i;
		w->outside = true;
		if (!chess_view_is_blocked(&v->seen[i]) ||
		    v->seen[i].flags & CHESS_LOOK_TASK_COMPAT)
			continue;
		if (t->nr == SYS_futex)
			ret = futex_holder(v, i, w);
		else if (v->full)
			ret = file_holders(v, i, w);
		if (t->timed)
			w->outside = true;
		if (w->n_holders != 1)
			continue;
		t->holder = v->seen[w->holders->task].tid;
		t->probably |= w->holders->how > CHESS_HOLD_IS;
	}
	return ret;
}

/* Takes away whoever may be let go by a task that is not stuck, until nobody is left so. */
static void find_stuck(const struct chess_view *v, bool *stuck)
{
	bool changed = true;
	size_t i, k;

	for (i = 0; i < v->n; i++)
		stuck[i] = !v->waits[i].outside && v->waits[i].n_holders;
	while (changed) {
		changed = false;
		for (i = 0; i < v->n; i++)
			for (k = 0; stuck[i] && k < v->waits[i].n_holders; k++)
				if (!stuck[v->waits[i].holders[k].task]) {
					stuck[i] = false;
					changed = true;
				}
	}
}

static int add_cycle(struct chess_live_cycle **cycles, size_t *n, const struct chess_wait *left,
		     const size_t *way, size_t length)
{
	struct chess_live_cycle *more;
	size_t i;

	if (chess_array_resize(cycles, *n + 1, sizeof(*more)))
		return -ENOMEM;
	more = &(*cycles)[*n];
	*more = (struct chess_live_cycle) { .task = calloc(length, sizeof(*way)), .n = length };
	if (!more->task)
		return -ENOMEM;
	for (i = 0; i < length; i++)
		more->task[i] = left[way[i]].task;
	(*n)++;
	return 0;
}

/* Leaves out of @left the tasks of a cycle. Return: how many remain. */
static size_t take_away(struct chess_wait *left, size_t n, const struct chess_live_cycle *c)
{
	size_t i, k, kept = 0;

	for (i = 0; i < n; i++) {
		for (k = 0; k < c->n && c->task[k] != left[i].task; k++)
			;
		if (k == c->n)
			left[kept++] = left[i];
	}
	return kept;
}

int chess_stuck_find_cycles(const struct chess_view *v, struct chess_live_cycle **cycles, size_t *n)
{
	struct chess_wait *left = calloc(v->n + 1, sizeof(*left));
	bool *stuck = calloc(v->n + 1, sizeof(*stuck));
	size_t *way = calloc(v->n + 1, sizeof(*way));
	size_t i, n_left = 0, length;
	int ret = left && stuck && way ? 0 : -ENOMEM;

	*cycles = NULL;
	*n = 0;
	if (!ret)
		find_stuck(v, stuck);
	for (i = 0; !ret && i < v->n; i++)
		if (stuck[i])
			left[n_left++] = v->waits[i];
	while (!ret && (length = chess_waits_cycle(left, n_left, way))) {
		ret = add_cycle(cycles, n, left, way, length);
		if (!ret)
			n_left = take_away(left, n_left, &(*cycles)[*n - 1]);
	}
	if (!ret && *n)
		(*cycles)[0].behind = n_left;
	free(left);
	free(stuck);
	free(way);
	return ret ? chess_set_error(ENOMEM, "no memory for a wait-for graph") : 0;
}

void chess_stuck_free(struct chess_live_cycle *cycles, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(cycles[i].task);
	free(cycles);
}
