// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A run on its way, until its last task is gone: what the module says of it, whether it
 * is stuck or goes round, and its end where it will not end. See runner_internal.h.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "internal.h"
#include "wait/look.h"
#include "module/nl.h"
#include "now.h"
#include "run/runner_internal.h"
#include "wait/wait.h"

/* Tasks that were sent SIGKILL are gone at once unless they wait for a device. */
#define KILL_MS		10000
/* An idle program that waits for something outside is looked at again this soon,
 * then half as often each time.
 */
#define IDLE_MS		10
#define IDLE_MAX_MS	1000
/* The runs so far show how long the program may have to wait: this many times as long is enough. */
#define IDLE_RUNS	20
#define IDLE_LEAST_MS	5000

static int kill_run(struct progress *w)
{
	int ret;

	if (w->killed)
		return 0;
	w->killed = true;
	w->end = chess_now_us() + KILL_MS * 1000LL;
	ret = chess_run_stop(w->r->ctl, w->r->group, CHESS_STOP_FLAGS_KILL);
	w->out->ended = ret != -ENOENT;
	/* It may have ended while we made up our mind; then END is under way. */
	return ret == -ENOENT ? 0 : ret;
}

static int inspect_tasks(struct progress *w, struct chess_wait *waits, size_t n)
{
	struct chess_task_info *tasks;
	int ret = chess_task_list(w->r->ctl, w->r->group, &tasks);

	if (ret < 0)
		return ret;
	ret = chess_waits_look(w->r->look, tasks, ret, waits, n);
	free(tasks);
	return ret;
}

/*
 * What the kernel knows of what they wait on, and where they sleep. A report without that
 * is still one.
 */
static void look_into_kernel(struct progress *w, struct chess_wait *waits, size_t n)
{
	if (!w->explains || w->r->opts.no_bpf || w->out->unseen)
		return;
	if (!w->r->look)
		w->r->look = chess_look_new();
	if (!w->r->look || inspect_tasks(w, waits, n))
		w->out->unseen = strdup(chess_error());
}

/*
 * Something outside could end the wait, and does not. A program that waits for a terminal or the
 * network does so in its first run, too, which is given all of the time, unless it has nobody to
 * wait for as yet (@for_anybody). By the machine's clock it may sleep for as long as it likes.
 */
static bool is_left_alone(struct progress *w, uint32_t events, bool for_anybody)
{
	int64_t now = chess_now_us(), most = w->r->longest_us * IDLE_RUNS;

	if (!w->idle_since || w->idle_at != events) {
		w->idle_since = now;
		w->idle_at = events;
	}
	if (most < IDLE_LEAST_MS * 1000LL)
		most = IDLE_LEAST_MS * 1000LL;
	return !w->r->patient && !w->r->opts.real_time &&
	       (w->r->longest_us || for_anybody) && now - w->idle_since > most;
}

/* Is each wait that can be ended from outside for a process that has not come yet? */
static bool wait_for_anybody(const struct chess_wait *waits, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (waits[i].outside && !waits[i].for_anybody)
			return false;
	return true;
}

/*
 * Is it stuck for good? What the tasks wait in is looked up without stopping
 * anybody, so the answer only counts if nothing happened meanwhile.
 */
static int inspect_idle(struct progress *w)
{
	struct chess_group_info before, after;
	struct chess_run_result *out = w->out;
	struct chess_wait *waits;
	size_t n;
	bool stuck, for_anybody;
	int ret;

	ret = chess_group_get(w->r->ctl, w->r->group, &before);
	if (ret || before.state != CHESS_GROUP_STATE_RUNNING || before.token != CHESS_TASK_NONE)
		return ret;
	ret = chess_runner_keep_record(w);
	if (!ret)
		ret = chess_waits_collect(w->r->ctl, w->r->group, w->full ? NULL : out->record,
					  w->r->opts.real_time, &waits, &n, &stuck);
	if (ret)
		return ret;
	if (stuck) {
		look_into_kernel(w, waits, n);
		ret = chess_group_get(w->r->ctl, w->r->group, &after);
	}
	if (!ret && stuck && after.events == before.events &&
	    after.state == CHESS_GROUP_STATE_RUNNING && after.token == CHESS_TASK_NONE) {
		w->facts.deadlock = true;
		out->waits = waits;
		out->n_waits = n;
		return kill_run(w);
	}
	for_anybody = wait_for_anybody(waits, n);
	chess_waits_free(waits, n);
	chess_record_free(out->record);
	out->record = NULL;
	if (!ret && is_left_alone(w, before.events, for_anybody))
		w->end = chess_now_us();
	return ret;
}

/* While the run goes on. A record may be long: most of the time is left to the run. */
static int check_locks(struct progress *w)
{
	int64_t start = chess_now_us();
	struct chess_record *r;
	int ret;

	w->next_check = INT64_MAX;
	if (w->killed || w->full)
		return 0;
	r = chess_runner_record(w->r);
	if (!r)
		return -errno;
	ret = chess_runner_find_end(w, r);
	chess_record_free(r);
	if (!ret && (w->facts.deadlock || w->facts.livelock))
		ret = kill_run(w);
	w->next_check = chess_now_us() + CHECK_MS * 1000LL + 4 * (chess_now_us() - start);
	return ret;
}

static int give_up(struct progress *w)
{
	bool stuck;
	int ret;

	if (w->killed)
		return chess_set_error(ETIMEDOUT,
				       "tasks of %s were sent SIGKILL and did not end within %d s",
				       w->r->program.argv[0], KILL_MS / 1000);
	w->facts.timeout = true;
	ret = chess_runner_keep_record(w);
	if (!ret)
		ret = chess_waits_collect(w->r->ctl, w->r->group,
					  w->full ? NULL : w->out->record,
					  w->r->opts.real_time, &w->out->waits,
					  &w->out->n_waits, &stuck);
	if (ret)
		return ret;
	look_into_kernel(w, w->out->waits, w->out->n_waits);
	return kill_run(w);
}

static int take_notice(struct progress *w, const struct chess_run_notice *n, bool *idle)
{
	switch (n->notice) {
	case CHESS_NOTICE_IDLE:
		*idle = !w->killed;
		return w->killed ? 0 : inspect_idle(w);
	case CHESS_NOTICE_DIVERGENCE:
		w->facts.diverged = true;
		return kill_run(w);
	case CHESS_NOTICE_OVERFLOW:
		if (w->r->opts.goes_on_when_full) {
			/* What a task does now cannot be seen in the record any more. */
			w->full = true;
			return 0;
		}
		/* After the end of what was found already it does not matter. */
		w->facts.overflow |= !w->facts.deadlock && !w->facts.livelock;
		return kill_run(w);
	default:
		return 0;
	}
}

int chess_runner_await(struct progress *w)
{
	int64_t left, check, pause = IDLE_MS;
	struct chess_run_notice n;
	bool idle = false;
	int ret;

	for (;;) {
		left = (w->end - chess_now_us() + 999) / 1000;
		if (left <= 0) {
			ret = give_up(w);
			if (ret)
				return ret;
			idle = false;
			continue;
		}
		if (chess_now_us() >= w->next_check) {
			ret = check_locks(w);
			if (ret)
				return ret;
		}
		check = w->next_check / 1000 - chess_now_us() / 1000 + 1;
		if (left > check)
			left = check > 0 ? check : 0;
		if (idle && left > pause)
			left = pause;
		if (left > INT_MAX)
			left = INT_MAX;
		ret = chess_notice_wait_fd(w->r->ctl, left,
					   w->interrupted ? -1 : w->r->wake_fd, &n);
		if (ret == -ECANCELED) {
			w->interrupted = true;
			ret = kill_run(w);
		} else if (ret == -ETIMEDOUT) {
			ret = idle ? inspect_idle(w) : 0;
			pause = pause * 2 < IDLE_MAX_MS ? pause * 2 : IDLE_MAX_MS;
		} else if (ret == -EINTR) {
			ret = 0;
		} else if (!ret && n.group == w->r->group && n.run == w->run) {
			if (n.notice == CHESS_NOTICE_END)
				return 0;
			pause = IDLE_MS;
			ret = take_notice(w, &n, &idle);
		}
		if (ret)
			return ret;
	}
}

int chess_runner_reap(struct progress *w, pid_t root)
{
	struct timespec nap = { .tv_nsec = 200000 };
	pid_t pid;

	for (;;) {
		pid = waitpid(root, &w->facts.status, WNOHANG);
		if (pid == root)
			return 0;
		if (pid < 0 && errno != EINTR)
			return chess_set_error(errno, "waitpid: %m");
		if (w->r->interrupted || chess_now_us() > w->end) {
			w->facts.timeout |= !w->killed && !w->r->interrupted;
			kill(root, SIGKILL);
		}
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < 20000000)
			nap.tv_nsec *= 2;
	}
}
