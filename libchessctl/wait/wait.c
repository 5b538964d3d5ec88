// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What each blocked task waits in, in words, whether something outside the group can
 * end the wait, and which of its tasks come into question (holders.c). The runner calls
 * this when no task is enabled; if nothing outside can help, that is a deadlock.
 *
 * The kernel is asked, through /proc/TID/syscall: which call, which arguments. A
 * table (wait_call.c) says how each call waits; what is not in it counts as ended
 * from outside. So does everything with a time-out, and a stopped task. A signal
 * somebody may send by hand does not count, not for pause(), sigwait() and signalfd either: it
 * could end any wait, and nothing would ever be a deadlock. A timer of the program's own
 * that may still send one does (has_timer()).
 *
 * Where time is virtual the module has taken the time-out out of the arguments, and
 * of a sleep the call is another one: the record says who has a deadline, and its
 * last point which call it was.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "wait/holders.h"
#include "internal.h"
#include "wait/proc.h"
#include "wait/wait.h"
#include "wait/wait_inquiry.h"

/*
 * Has the program asked for a signal at some time? alarm() and itimers are in no
 * file of /proc; that the call was made is in the record, as is timer_settime().
 */
static bool has_timer(const struct chess_record *r)
{
	size_t i, n = r ? chess_record_length(r) : 0;

	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type != CHESS_EVENT_POINT || (e->flags & CHESS_OPF_PROBE))
			continue;
		if (e->nr == SYS_alarm || e->nr == SYS_setitimer || e->nr == SYS_timer_settime)
			return true;
	}
	return false;
}

/* Does the end of the record say that @task waits with a deadline of the group's? */
static bool has_deadline(const struct chess_record *r, uint32_t task)
{
	size_t i = r ? chess_record_length(r) : 0;

	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task == task &&
		    (e->type == CHESS_EVENT_TIMEOUT || e->type == CHESS_EVENT_WAKE))
			return false;
		if (CHESS_EVENT_IS_TURN(e->type))
			return e->chosen != task && chess_record_timed(r, i, task);
	}
	return false;
}

static bool inquire(struct wait_inquiry *q)
{
	static const char timeout[] = ", with a time-out";
	bool outside = chess_wait_call(q);
	size_t n;

	if (!q->timed)
		return outside;
	n = strlen(q->text);
	if (n < sizeof(timeout) || strcmp(q->text + n + 1 - sizeof(timeout), timeout))
		chess_wait_say(q, "%s", timeout);
	return true;
}

/* Return: the process of each task, and after them room for the list of @in. */
static pid_t *find_processes(const struct chess_task_info *tasks, size_t n,
			     struct chess_inside *in)
{
	pid_t *tgids = calloc(n ? n : 1, 2 * sizeof(*tgids));
	size_t i;

	if (!tgids) {
		chess_set_error(ENOMEM, "no memory for a list of processes");
		return NULL;
	}
	in->n = 0;
	in->tgid = tgids + n;
	for (i = 0; i < n; i++) {
		tgids[i] = chess_proc_tgid(tasks[i].pid);
		if (tgids[i] && !chess_inside_has(in, tgids[i]))
			in->tgid[in->n++] = tgids[i];
	}
	return tgids;
}

int chess_waits_inspect(const struct chess_task_info *tasks, size_t n_tasks,
			const struct chess_record *r, bool real_time, struct chess_wait **out,
			size_t *n, bool *stuck)
{
	struct chess_wait *waits = calloc(n_tasks ? n_tasks : 1, sizeof(*waits));
	/* Timers on the group's clock have all gone off when nobody is enabled. */
	bool timer = real_time && has_timer(r);
	struct chess_inside in;
	size_t i, found = 0;
	pid_t *tgids;
	int err = 0;

	*out = NULL;
	*n = 0;
	*stuck = false;
	if (!waits)
		return chess_set_error(ENOMEM, "no memory for a list of waits");
	tgids = find_processes(tasks, n_tasks, &in);
	if (!tgids) {
		free(waits);
		return -ENOMEM;
	}
	*stuck = n_tasks;
	for (i = 0; i < n_tasks; i++) {
		struct chess_wait *w = &waits[found];
		struct wait_inquiry q = {
			.tasks = tasks, .n_tasks = n_tasks, .tgids = tgids, .in = in, .record = r,
			.wait = w, .task = &tasks[i], .tgid = tgids[i],
		};

		if (tasks[i].state != CHESS_TASK_STATE_BLOCKED) {
			*stuck = false;
			continue;
		}
		if (r)
			q.point = chess_record_last_point(r, chess_record_length(r), tasks[i].id);
		q.timed = has_deadline(r, tasks[i].id);
		w->task = tasks[i].id;
		w->pid = tasks[i].pid;
		w->asked = true;
		w->outside = inquire(&q) || timer;
		w->seq = q.point ? q.point->seq : 0;
		w->text = strdup(q.text);
		found++;
		if (w->outside)
			*stuck = false;
		if (!w->text)
			q.err = chess_set_error(ENOMEM, "no memory for a list of waits");
		if (q.err)
			err = q.err;
	}
	free(tgids);
	if (!err)
		err = chess_holders_determine(r, waits, found);
	if (err) {
		chess_waits_free(waits, found);
		*stuck = false;
		return err;
	}
	*out = waits;
	*n = found;
	return 0;
}

int chess_waits_collect(struct chess_ctl *c, uint32_t group, const struct chess_record *r,
			bool real_time, struct chess_wait **out, size_t *n, bool *stuck)
{
	struct chess_task_info *tasks;
	int count, ret;

	*out = NULL;
	*n = 0;
	*stuck = false;
	count = chess_task_list(c, group, &tasks);
	if (count < 0)
		return count;
	ret = chess_waits_inspect(tasks, count, r, real_time, out, n, stuck);
	free(tasks);
	return ret;
}

void chess_waits_free(struct chess_wait *waits, size_t n)
{
	size_t i;

	for (i = 0; waits && i < n; i++) {
		free(waits[i].holders);
		free(waits[i].kernel);
		free(waits[i].object);
		free(waits[i].text);
	}
	free(waits);
}
