// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl attach --catch: looks at a process that runs free, on all its processors, as
 * --observe does, until some of its tasks wait for each other for ever, or one waits too
 * long for another one, or one comes to a place in the program. Then control is taken, and
 * nobody gets the token: tasks that could go on are held, the others stay where they wait, and
 * all can be looked at with gdb.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attach/attach.h"
#include "attach/interrupt.h"
#include "now.h"
#include "attach/observe.h"
#include "out.h"
#include "attach/process.h"

#define LOOK_MS		250
/* Once held: we show signs of life so often, and are given up after so long. */
#define BEAT_MS		200
#define HEARTBEAT_MS	3000
/* For the last tasks to leave; then we go, and they leave by themselves. */
#define LEAVE_MS	5000

enum catch { NOTHING, DEADLOCK, BLOCKED, REACHED };

/**
 * struct trap - a process that is watched, and then held
 * @opt: what was asked for
 * @see: the BPF programs that watch
 * @ctl: our socket
 * @group: our group, once it is held
 * @caught: what was
 * @hits: waits for a task at the requested place, or NULL
 * @hit: of REACHED
 * @held: when the tasks were, CLOCK_MONOTONIC
 * @place: of REACHED: where the task is by then; NULL: not known
 * @task: of BLOCKED: the waiter; of REACHED: the task that came there, 0: it has ended
 * @waited: and for how long, ns
 * @tasks: once held, by number
 * @n: how many
 * @end: why it is over, or NULL
 */
struct trap {
	const struct attach_options *opt;
	struct observation see;
	struct chess_ctl *ctl;
	uint32_t group;
	enum catch caught;
	struct chess_hits *hits;
	struct chess_hit hit;
	uint64_t held;
	char *place;
	uint32_t task;
	uint64_t waited;
	struct chess_task_info *tasks;
	int n;
	const char *end;
};

/* Return: what may not go on any longer, or NULL. */
static const char *reason_to_end(const struct trap *t, uint64_t begin)
{
	if (interrupt_seen())
		return "was asked to";
	if (t->opt->seconds && chess_now_ns() >= begin + (uint64_t)(t->opt->seconds * CHESS_SECOND))
		return "the time is up";
	return NULL;
}

/* Not for a thread's end: to wait for that is what many first threads do for ever. */
static bool waits_for_lock(const struct chess_live_task *t)
{
	return t->call && t->holder && t->lock && strcmp(t->lock, "thread") && !t->timed;
}

/*
 * Who has waited too long, for a lock that somebody has. To wait for a request, for work
 * or for time is what a service does most of the time.
 */
static void find_blocked(struct trap *t)
{
	const struct chess_live_task *tasks;
	size_t i, n;

	tasks = chess_live_tasks(t->see.live, &n);
	for (i = 0; i < n && t->opt->blocked > 0; i++) {
		uint64_t since = tasks[i].since ? tasks[i].since : t->see.start;

		if (!waits_for_lock(&tasks[i]) ||
		    t->see.now < since + (uint64_t)(t->opt->blocked * CHESS_SECOND))
			continue;
		t->caught = BLOCKED;
		t->task = tasks[i].tid;
		t->waited = t->see.now - since;
		return;
	}
}

/* Until the next look, or until somebody came to the place. 0 or -errno */
static int wait_for_hit(struct trap *t)
{
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000l };
	int ret;

	if (!t->hits) {
		nanosleep(&pause, NULL);
		return 0;
	}
	ret = chess_hits_wait(t->hits, LOOK_MS, &t->hit);
	if (ret)
		return ret == -ETIMEDOUT ? 0 : ret;
	t->caught = REACHED;
	return 0;
}

/* CLI_PROCEED, or an exit code */
static int watch(struct trap *t)
{
	int ret;

	while (!t->caught && !t->end) {
		t->see.now = chess_now_ns();
		ret = chess_live_update(t->see.live, &t->see.alarms);
		if (ret == -ESRCH)
			t->end = "the process ended";
		else if (ret)
			return cli_fail(CLI_ENVIRONMENT, "attach: process %d can no longer be observed: %s",
					t->opt->pid, chess_error());
		if (!ret && t->see.alarms)
			t->caught = DEADLOCK;
		else if (!ret)
			find_blocked(t);
		if (!t->caught && !t->end)
			t->end = reason_to_end(t, t->see.start);
		if (!t->caught && !t->end)
			ret = wait_for_hit(t);
		if (ret && ret != -ESRCH)
			return cli_fail(CLI_ENVIRONMENT, "attach: %s", chess_error());
	}
	return CLI_PROCEED;
}

static int by_id(const void *a, const void *b)
{
	const struct chess_task_info *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Nobody goes on from here. 0 or -errno */
static int hold(struct trap *t)
{
	const struct chess_adopt_opts adopt = {
		.sz = sizeof(adopt), .heartbeat_ms = HEARTBEAT_MS,
		.flags = CHESS_ADOPT_FLAGS_HOLD |
			 (t->opt->tree ? CHESS_ADOPT_FLAGS_TREE : 0) |
			 (t->opt->follow ? CHESS_ADOPT_FLAGS_FOLLOW : 0),
	};
	struct chess_adopted taken;
	int ret = chess_group_new(t->ctl, 0, 0, &t->group);

	if (!ret)
		ret = chess_run_start(t->ctl, t->group, 0, 0, NULL, 0);
	if (!ret)
		ret = chess_task_adopt(t->ctl, t->group, t->opt->pid, &adopt, &taken);
	if (!ret)
		t->n = ret = chess_task_list(t->ctl, t->group, &t->tasks);
	if (ret > 0)
		qsort(t->tasks, ret, sizeof(*t->tasks), by_id);
	return ret < 0 ? ret : 0;
}

/* It went on a little until it was held. */
static void find_place(struct trap *t)
{
	const struct chess_live_task *seen;
	struct chess_stack *stack;
	size_t alarms;

	t->held = chess_now_ns();
	/* When this fails, what is known is a little older. */
	chess_live_update(t->see.live, &alarms);
	seen = chess_live_find(t->see.live, t->hit.tid);
	if (!seen)
		return;
	t->task = seen->tid;
	stack = chess_live_stack(t->see.live, seen->tid);
	t->place = names_place(t->see.names, seen->tgid, stack);
	free(stack);
}

static const struct chess_live_task *find_task(const struct trap *t, uint32_t tid)
{
	const struct chess_live_task *tasks;
	size_t i, n;

	tasks = chess_live_tasks(t->see.live, &n);
	for (i = 0; i < n; i++)
		if (tasks[i].tid == tid)
			return &tasks[i];
	return NULL;
}

static bool is_blocked(const struct chess_task_info *i)
{
	return i->state == CHESS_TASK_STATE_BLOCKED;
}

static const char *state_name(const struct chess_task_info *i)
{
	return is_blocked(i) ? "waits" : i->state == CHESS_TASK_STATE_APART ? "arrives" : "held";
}

/* "mutex account+0x28"; malloc'ed */
static char *lock_of(const struct trap *t, const struct chess_live_task *seen)
{
	char *where = names_variable(t->see.names, seen->tgid, seen->address);
	char *text = cli_printf("%s %s", seen->lock, where);

	free(where);
	return text;
}

/* What it waits in, as it was seen when it was caught; malloc'ed */
static char *wait_of(const struct trap *t, const struct chess_task_info *i)
{
	const struct chess_live_task *seen = find_task(t, i->pid);

	if (!seen || !seen->call || !is_blocked(i))
		return cli_printf("%s", "");
	if (!seen->lock || !strcmp(seen->lock, "thread"))
		return cli_printf("%s", seen->call);
	return lock_of(t, seen);
}

static void print_blocked(const struct trap *t)
{
	const struct chess_live_task *seen = find_task(t, t->task);
	char *what = lock_of(t, seen);

	printf("%sBLOCKED%s for %.1f s: %u %s waits for %s, which %s%u has\n", out_bad(),
	       out_plain(), (double)t->waited / CHESS_SECOND, t->task, seen->name, what,
	       seen->probably ? "probably " : "", seen->holder);
	free(what);
}

static double ms_late(const struct trap *t)
{
	return (t->held - t->hit.time) / 1e6;
}

static void print_reached(const struct trap *t)
{
	const struct chess_live_task *seen = find_task(t, t->task);
	char *clock = observe_clock(t->hit.time);

	printf("%sREACHED%s %s at %s: %u %s, held %.1f ms later%s%s\n", out_bad(), out_plain(),
	       t->opt->catch_at, clock, seen ? seen->tid : t->hit.tid,
	       seen ? seen->name : "(has ended)", ms_late(t),
	       t->place ? ", now in " : "", t->place ? t->place : "");
	free(clock);
}

static void print_caught(const struct trap *t)
{
	size_t k;
	int i;

	for (k = 0; k < t->see.alarms; k++)
		observe_alarm(&t->see, chess_live_alarm(t->see.live, k));
	if (t->caught == BLOCKED)
		print_blocked(t);
	if (t->caught == REACHED)
		print_reached(t);
	printf("process %d (%s) is held, none of its %d tasks runs\n", t->opt->pid,
	       t->see.program, t->n);
	for (i = 0; i < t->n; i++) {
		const struct chess_live_task *seen = find_task(t, t->tasks[i].pid);
		char *what = wait_of(t, &t->tasks[i]);

		printf("  T%-4u %7u %-16s %-8s %s\n", t->tasks[i].id, t->tasks[i].pid,
		       seen ? seen->name : "", state_name(&t->tasks[i]), what);
		free(what);
	}
	printf("examine it with: gdb -p %d\n", t->opt->pid);
	fflush(stdout);
	cli_note("Ctrl-C lets go");
}

static int stay(struct trap *t)
{
	uint64_t begin = chess_now_ns();
	struct chess_group_info info;
	struct chess_run_notice n;
	int ret;

	while (!t->end) {
		ret = chess_notice_wait(t->ctl, BEAT_MS, &n);
		if (ret && ret != -ETIMEDOUT && ret != -EINTR && ret != -ENOBUFS)
			return ret;
		ret = chess_group_get(t->ctl, t->group, &info);
		if (ret)
			return ret;
		if (info.let_go)
			t->end = "chessctl did not run for some seconds";
		else if (info.state == CHESS_GROUP_STATE_IDLE)
			t->end = "the process ended";
		else
			t->end = reason_to_end(t, begin);
	}
	ret = chess_run_leave(t->ctl, t->group, LEAVE_MS);
	if (ret == -EBUSY)
		cli_note("note: %s", chess_error());
	return ret == -EBUSY ? 0 : ret;
}

static void print_json(const struct trap *t)
{
	static const char *const names[] = { NULL, "deadlock", "blocked", "reached" };
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	struct json_object *cycle = json_object_new_array(), *one;
	const struct chess_live_alarm *a = t->see.alarms ? chess_live_alarm(t->see.live, 0) : NULL;
	size_t k;
	int i;

	json_object_object_add(o, "pid", json_object_new_int(t->opt->pid));
	out_json_string(o, "name", t->see.program);
	out_json_string(o, "mode", "catch");
	out_json_string(o, "caught", names[t->caught]);
	for (k = 0; a && k < a->n; k++)
		json_object_array_add(cycle, json_object_new_int64(a->edges[k].tid));
	json_object_object_add(o, "cycle", cycle);
	json_object_object_add(o, "task", t->task ? json_object_new_int64(t->task) : NULL);
	if (t->caught == REACHED) {
		out_json_string(o, "reached", t->opt->catch_at);
		out_json_double(o, "held_after_ms", ms_late(t));
		out_json_string(o, "place", t->place);
	}
	for (i = 0; i < t->n; i++) {
		char *what = wait_of(t, &t->tasks[i]);

		one = json_object_new_object();
		out_json_int(one, "id", t->tasks[i].id);
		out_json_int(one, "tid", t->tasks[i].pid);
		out_json_string(one, "state", state_name(&t->tasks[i]));
		out_json_string(one, "waits", *what ? what : NULL);
		json_object_array_add(list, one);
		free(what);
	}
	json_object_object_add(o, "tasks", list);
	out_json_string(o, "ended", t->end);
	out_json_double(o, "seconds", (double)(chess_now_ns() - t->see.start) / CHESS_SECOND);
	out_json(o);
}

static int run(struct trap *t)
{
	int ret;

	/* Loading takes a moment; scripts wait for this line. */
	cli_note("attach: process %d (%s) is watched; Ctrl-C ends it", t->opt->pid,
		 t->see.program);
	ret = watch(t);
	if (ret != CLI_PROCEED)
		return ret;
	if (t->caught) {
		ret = hold(t);
		if (!ret && t->caught == REACHED)
			find_place(t);
		if (!ret && t->opt->json)
			cli_note("attach: process %d is held; Ctrl-C lets go", t->opt->pid);
		else if (!ret)
			print_caught(t);
		if (!ret)
			ret = stay(t);
		if (ret)
			return cli_fail(ret == -ESRCH ? CLI_USAGE : CLI_ENVIRONMENT,
					"attach: process %d: %s", t->opt->pid, chess_error());
	}
	if (t->opt->json)
		print_json(t);
	else
		printf("%s process %d (%s): %s\n", t->caught ? "let go of" : "nothing was caught in",
		       t->opt->pid, t->see.program, t->end);
	return out_finish(t->caught ? CLI_BUG : CLI_OK);
}

int attach_catch(const struct attach_options *opt)
{
	const struct chess_live_opts live = {
		.sz = sizeof(live), .pid = opt->pid, .tree = opt->tree, .follow = opt->follow,
	};
	struct trap t = { .opt = opt, .see = { .pid = opt->pid } };
	int ret = attach_module(opt->pid, &t.ctl);

	if (ret != CLI_PROCEED)
		return ret;
	interrupt_begin();
	process_name(t.see.program, sizeof(t.see.program), opt->pid);
	t.see.live = chess_live_new(&live);
	if (t.see.live) {
		t.see.names = names_new();
		t.see.start = chess_now_ns();
		ret = opt->catch_at ? attach_place(opt, &t.hits) : CLI_PROCEED;
		if (ret == CLI_PROCEED)
			ret = run(&t);
		chess_hits_free(t.hits);
		names_free(t.see.names);
		chess_live_free(t.see.live);
	} else {
		ret = cli_fail(CLI_ENVIRONMENT, "attach: process %d cannot be observed: %s",
			       opt->pid, chess_error());
	}
	free(t.place);
	free(t.tasks);
	chess_ctl_close(t.ctl);
	return ret;
}
