// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Looks at processes that run, and says when some of their tasks wait for each other for
 * ever. Nothing of the processes is touched: the kernel's structures are read with BPF
 * (look.c), sums of waits are counted there (watch.c), and locks are read from the memory
 * of the processes (owner.c); alarm.c decides what is said.
 *
 * Tasks are looked at each time; open files, which may be many, only as often as takes a
 * twentieth of the time at most, and again at once when there is a cycle with one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/alarm.h"
#include "internal.h"
#include "now.h"
#include "wait/proc.h"
#include "live/view.h"

#define PROCESSES_MAX	4096
#define FULL_EVERY	CHESS_SECOND	/* at most */
#define FULL_SHARE	20		/* and a part of the time, one in so many */

struct chess_live {
	struct chess_look *look;
	struct chess_sums *sums;
	struct chess_live_opts opts;
	pid_t *tgids;
	size_t n_tgids;
	bool initial_ns;	/* numbers are those of the first pid namespace */
	struct chess_view view;
	uint64_t next_full;
	bool suspicion;
	struct chess_alarms *alarms;
};

static bool has_process(const struct chess_live *l, pid_t tgid)
{
	size_t i;

	for (i = 0; i < l->n_tgids; i++)
		if (l->tgids[i] == tgid)
			return true;
	return false;
}

static void add_process(struct chess_live *l, pid_t tgid)
{
	if (l->n_tgids < PROCESSES_MAX && !has_process(l, tgid))
		l->tgids[l->n_tgids++] = tgid;
}

/* The children of all watched tasks, and theirs: the list grows while it is walked. */
static void add_descendants(struct chess_live *l)
{
	char *text = malloc(1 << 16), name[64], *at, *end;
	struct chess_snapshot *s;
	const struct chess_look_task *t;
	size_t i, n, before;

	do {
		before = l->n_tgids;
		if (!text || chess_look_tasks(l->look, l->tgids, l->n_tgids, &s))
			break;
		t = chess_snapshot_tasks(s, &n);
		for (i = 0; i < n; i++) {
			snprintf(name, sizeof(name), "task/%u/children", t[i].tid);
			if (chess_proc_read(t[i].tgid, name, text, 1 << 16) <= 0)
				continue;
			for (at = text; strtol(at, &end, 10); at = end)
				add_process(l, strtol(at, NULL, 10));
		}
		chess_snapshot_free(s);
	} while (l->n_tgids != before);
	free(text);
}

/*
 * Watch all tasks there are. One that is born meanwhile is watched through the one that
 * makes it, or it is there at the next turn.
 */
static int watch_tasks(struct chess_live *l)
{
	const struct chess_look_task *t;
	struct chess_snapshot *s;
	bool added = true;
	size_t i, n;
	int ret = 0;

	while (added && !ret) {
		added = false;
		if (l->opts.tree)
			add_descendants(l);
		ret = chess_look_tasks(l->look, l->tgids, l->n_tgids, &s);
		if (ret)
			return ret;
		t = chess_snapshot_tasks(s, &n);
		for (i = 0; i < n && !ret; i++) {
			l->initial_ns = t[i].flags & CHESS_LOOK_TASK_INITNS;
			if (!t[i].exit_state)
				ret = chess_sums_add(l->sums, t[i].gtid, t[i].gtgid,
						     l->opts.follow, &added);
		}
		chess_snapshot_free(s);
		if (!ret && !n)
			ret = chess_set_error(ESRCH, "there is no process %d any more",
					      l->opts.pid);
	}
	return ret;
}

struct chess_live *chess_live_new(const struct chess_live_opts *o)
{
	struct chess_live *l = calloc(1, sizeof(*l));
	int ret = 0;

	if (l)
		l->tgids = calloc(PROCESSES_MAX, sizeof(*l->tgids));
	if (l && l->tgids)
		l->alarms = chess_alarms_new();
	if (!l || !l->alarms) {
		chess_live_free(l);
		chess_set_error(ENOMEM, "no memory to observe a process");
		return NULL;
	}
	memcpy(&l->opts, o, o->sz < sizeof(*o) ? o->sz : sizeof(*o));
	add_process(l, o->pid);
	l->look = chess_look_new();
	if (l->look && !chess_look_load_files(l->look))
		l->sums = chess_sums_new();
	if (!l->look || !l->sums)
		ret = -errno;
	else
		ret = watch_tasks(l);
	if (!ret && l->opts.follow && !l->initial_ns)
		ret = chess_set_error(ENOTSUP, "children to come can only be followed from the "
				      "first pid namespace; run this on the host, or without "
				      "--follow");
	if (!ret)
		return l;
	chess_live_free(l);
	errno = -ret;
	return NULL;
}

void chess_live_free(struct chess_live *l)
{
	if (!l)
		return;
	chess_view_clear(&l->view);
	chess_alarms_free(l->alarms);
	chess_sums_free(l->sums);
	chess_look_free(l->look);
	free(l->tgids);
	free(l);
}

static void find_followed(struct chess_live *l)
{
	uint32_t *gtgids;
	size_t i, n;

	if (!l->opts.follow)
		return;
	gtgids = calloc(PROCESSES_MAX, sizeof(*gtgids));
	n = gtgids ? chess_sums_processes(l->sums, gtgids, PROCESSES_MAX) : 0;
	/* Those that ended go away with it. */
	for (i = 0, l->n_tgids = n ? 0 : l->n_tgids; i < n; i++)
		add_process(l, gtgids[i]);
	free(gtgids);
}

/*
 * What was found out of an object stays true as long as the task waits for it. Both looks
 * have their tasks in the order of their numbers.
 */
static void keep_objects(struct chess_view *new, struct chess_view *old)
{
	size_t i, k = 0;

	for (i = 0; i < new->n && !new->full; i++) {
		struct chess_live_task *t = &new->tasks[i];

		while (k < old->n && old->tasks[k].tid < t->tid)
			k++;
		if (k == old->n || !t->call || !chess_view_same_block(t, &old->tasks[k]))
			continue;
		t->object = old->tasks[k].object;
		old->tasks[k].object = NULL;
		if (!t->holder) {
			t->holder = old->tasks[k].holder;
			t->probably = old->tasks[k].probably;
		}
	}
}

int chess_live_update(struct chess_live *l, size_t *alarms)
{
	uint64_t start = chess_now_ns(), took;
	bool full = start >= l->next_full || (l->suspicion && l->view.full), alive = false;
	struct chess_snapshot *s;
	struct chess_view view;
	size_t i;
	int ret;

	*alarms = chess_alarms_count(l->alarms);
	find_followed(l);
	ret = full ? chess_look_take(l->look, l->tgids, l->n_tgids, &s) :
		     chess_look_tasks(l->look, l->tgids, l->n_tgids, &s);
	if (!ret)
		ret = chess_view_make(&view, s, full, l->sums);
	if (ret)
		return ret;
	for (i = 0; i < view.n; i++)
		alive |= view.tasks[i].state != 'Z';
	/* What was seen last stays to be shown. */
	if (!alive) {
		chess_view_clear(&view);
		return chess_set_error(ESRCH, "process %d has ended", l->opts.pid);
	}
	keep_objects(&view, &l->view);
	chess_view_clear(&l->view);
	l->view = view;
	if (full) {
		took = chess_now_ns() - start;
		l->next_full = start + (took * FULL_SHARE > FULL_EVERY ? took * FULL_SHARE :
					FULL_EVERY);
	}
	ret = chess_alarms_judge(l->alarms, &l->view, &l->suspicion);
	*alarms = chess_alarms_count(l->alarms);
	return ret;
}

const struct chess_live_task *chess_live_tasks(const struct chess_live *l, size_t *n)
{
	*n = l->view.n;
	return l->view.tasks;
}

const struct chess_live_task *chess_live_find(const struct chess_live *l, uint32_t gtid)
{
	size_t i;

	for (i = 0; i < l->view.n; i++)
		if (l->view.seen[i].gtid == gtid)
			return &l->view.tasks[i];
	return NULL;
}

struct chess_stack *chess_live_stack(const struct chess_live *l, uint32_t tid)
{
	size_t i;

	for (i = 0; i < l->view.n; i++)
		if (l->view.tasks[i].tid == tid)
			return chess_view_stack(&l->view, i);
	return NULL;
}

const struct chess_live_alarm *chess_live_alarm(const struct chess_live *l, size_t i)
{
	return chess_alarms_get(l->alarms, i);
}

void chess_live_lost(struct chess_live *l, uint64_t *tasks, uint64_t *objects)
{
	struct chess_watch_lost lost = chess_sums_lost(l->sums);

	*tasks = lost.tasks;
	*objects = lost.sums;
}

/* The row of what a task waits on now; NULL: there is no memory for a new one. */
static struct chess_sums_row *row_of(struct chess_sums_row *rows, size_t *n,
				     const struct chess_watch_key *key)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (!memcmp(&rows[i].key, key, sizeof(*key)))
			return &rows[i];
	rows[*n] = (struct chess_sums_row) { .key = *key };
	return &rows[(*n)++];
}

/* Waits that go on count until now; @waiting: of each row. */
static void add_waiting(struct chess_live *l, struct chess_sums_row *rows, size_t *n,
			uint32_t *waiting)
{
	uint64_t now = chess_now_ns(), waited;
	struct chess_watch_task noted;
	struct chess_sums_row *row;
	size_t i;

	for (i = 0; i < l->view.n; i++) {
		if (!l->view.tasks[i].since ||
		    !chess_sums_task(l->sums, l->view.seen[i].gtid, &noted) || !noted.since)
			continue;
		row = row_of(rows, n, &noted.key);
		waited = now > noted.since ? now - noted.since : 0;
		row->sum.waits++;
		row->sum.wait_ns += waited;
		if (waited > row->sum.longest_ns)
			row->sum.longest_ns = waited;
		waiting[row - rows]++;
	}
}

static int by_wait(const void *a, const void *b)
{
	const struct chess_live_object *x = a, *y = b;

	return x->wait_ns < y->wait_ns ? 1 : x->wait_ns > y->wait_ns ? -1 : 0;
}

/* Processes are known by the reader's numbers; 0: not a watched one any more. */
static uint32_t reader_tgid(const struct chess_live *l, uint32_t gtgid)
{
	size_t i;

	for (i = 0; i < l->view.n; i++)
		if (l->view.seen[i].gtgid == gtgid)
			return l->view.seen[i].tgid;
	return l->initial_ns ? gtgid : 0;
}

int chess_live_objects(struct chess_live *l, struct chess_live_object **objects, size_t *n)
{
	struct chess_sums_row *rows, *more;
	struct chess_live_object *o;
	uint32_t *waiting;
	size_t i, n_rows;
	int ret = chess_sums_rows(l->sums, &rows, &n_rows);

	*objects = NULL;
	*n = 0;
	if (ret)
		return ret;
	more = reallocarray(rows, n_rows + l->view.n + 1, sizeof(*rows));
	waiting = calloc(n_rows + l->view.n + 1, sizeof(*waiting));
	o = calloc(n_rows + l->view.n + 1, sizeof(*o));
	if (!more || !waiting || !o) {
		free(more ? more : rows);
		free(waiting);
		free(o);
		return chess_set_error(ENOMEM, "no memory for a list of objects");
	}
	rows = more;
	add_waiting(l, rows, &n_rows, waiting);
	for (i = 0; i < n_rows; i++) {
		const struct chess_watch_key *k = &rows[i].key;
		const struct chess_watch_sum *s = &rows[i].sum;

		o[i] = (struct chess_live_object) {
			.tgid = reader_tgid(l, k->gtgid), .nr = k->nr, .word = k->word,
			.waits = s->waits, .wait_ns = s->wait_ns, .longest_ns = s->longest_ns,
			.waiting = waiting[i], .holds = s->holds, .hold_ns = s->hold_ns,
			.longest_hold_ns = s->longest_hold_ns,
		};
		o[i].text = chess_view_call_text(o[i].tgid, k->nr, k->word, k->ino);
	}
	qsort(o, n_rows, sizeof(*o), by_wait);
	free(rows);
	free(waiting);
	*objects = o;
	*n = n_rows;
	return 0;
}

void chess_live_objects_free(struct chess_live_object *objects, size_t n)
{
	size_t i;

	for (i = 0; objects && i < n; i++)
		free(objects[i].text);
	free(objects);
}
