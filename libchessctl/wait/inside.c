// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What BPF adds to the waits of blocked tasks. All of it is for people to read: which
 * verdict a run has does not depend on it, so that it is the same without BPF.
 */
#include <errno.h>
#include <stdlib.h>

#include "wait/inside.h"
#include "internal.h"

static int look_at(struct chess_look *l, const struct chess_snapshot *s,
		   const struct chess_task_info *tasks, size_t n_tasks, struct chess_wait *w)
{
	const struct chess_look_task *t = chess_snapshot_task(s, w->pid);
	int ret = 0;

	if (!t || !t->state || (t->flags & CHESS_LOOK_TASK_RUNS))
		return 0;
	if (!w->kernel)
		ret = chess_kstack_text(l, t, &w->kernel);
	if (!ret && !w->object)
		ret = chess_kobject_text(s, t, tasks, n_tasks, &w->object);
	return ret;
}

static bool needs_files(const struct chess_snapshot *s, const struct chess_wait *waits, size_t n)
{
	const struct chess_look_task *t;
	size_t i;

	for (i = 0; i < n; i++) {
		t = chess_snapshot_task(s, waits[i].pid);
		if (t && !waits[i].object && chess_kobject_needs_files(t))
			return true;
	}
	return false;
}

int chess_waits_look(struct chess_look *l, const struct chess_task_info *tasks, size_t n_tasks,
		     struct chess_wait *waits, size_t n)
{
	pid_t *tids = calloc(n_tasks ? n_tasks : 1, sizeof(*tids));
	struct chess_snapshot *s;
	size_t i;
	int ret;

	if (!tids)
		return chess_set_error(ENOMEM, "no memory for a list of tasks");
	for (i = 0; i < n_tasks; i++)
		tids[i] = tasks[i].pid;
	ret = chess_look_tasks(l, tids, n_tasks, &s);
	if (!ret && needs_files(s, waits, n)) {
		chess_snapshot_free(s);
		ret = chess_look_take(l, tids, n_tasks, &s);
	}
	free(tids);
	if (ret)
		return ret;
	for (i = 0; i < n && !ret; i++)
		ret = look_at(l, s, tasks, n_tasks, &waits[i]);
	chess_snapshot_free(s);
	return ret;
}
