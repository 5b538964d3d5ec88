// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl attach --record, --perturb: control of a process that is running, until its
 * end, a time, Ctrl-C, or until the module lets go. Whatever happens here, the service
 * goes on: the group dies with our socket.
 *
 * perturb makes run after run: when the record of one is full its tasks are let go and
 * taken again, with the next seed.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/attach.h"
#include "attach/interrupt.h"
#include "now.h"
#include "out.h"
#include "attach/process.h"
#include "session.h"

/* Loops without a point are cut early: other tasks of a service wait for them. */
#define QUANTUM_US	20000
/* 32 MB; under load a few seconds to a minute. */
#define RECORD_EVENTS	524288
#define PERTURB_EVENTS	65536
/* We show signs of life so often, and are given up after so long. */
#define BEAT_MS		200
#define HEARTBEAT_MS	3000
/* For the last tasks to leave; then we go, and they leave by themselves. */
#define LEAVE_MS	5000

enum ending { GOING_ON, ASKED, TIME_OVER, ENDED, FULL, LET_GO };

/**
 * struct control - a process under control
 * @o: what was asked for
 * @ctl: our socket
 * @group: our group
 * @process: what it is
 * @begin: when the first run began, seconds
 * @runs: begun so far
 * @tasks: most that were taken at once
 * @late: those of the last run that were not in when it began
 * @decisions: of the runs that are over
 * @preemptions: of those
 * @points: of those
 * @ending: why the last one is over
 * @reason: of LET_GO, enum chess_let_go_reason
 * @status: of the process, when it ended
 * @record: of the last run, or NULL
 */
struct control {
	const struct attach_options *o;
	struct chess_ctl *ctl;
	uint32_t group;
	struct process process;
	double begin;
	unsigned int runs, tasks, late;
	uint64_t decisions, preemptions, points;
	enum ending ending;
	uint32_t reason;
	int status;
	struct chess_record *record;
};

static uint64_t seed_of_run(const struct control *c)
{
	return c->o->seed + c->runs - 1;
}

static int set_policy(struct control *c)
{
	/* Where the tasks of a service are lowered: somewhere in its first thousands. */
	uint32_t changes[] = { 0, 0 };
	/* The default's lowest id would leave the last threads of a busy service waiting. */
	struct chess_plan plan = { .policy = CHESS_POLICY_KIND_ROUND_ROBIN };
	uint64_t seed = seed_of_run(c);

	if (c->o->mode != ATTACH_PERTURB)
		return chess_plan_set(c->ctl, c->group, &plan);
	plan.policy = CHESS_POLICY_KIND_RANDOM;
	plan.seed = seed;
	if (!strcmp(c->o->policy, "pct")) {
		changes[0] = seed * 7919 % 1000 + 1;
		changes[1] = seed * 104729 % 10000 + 1;
		plan.policy = CHESS_POLICY_KIND_PCT;
		plan.changes = changes;
		plan.n_changes = 2;
	}
	return chess_plan_set(c->ctl, c->group, &plan);
}

static int take(struct control *c)
{
	const struct chess_adopt_opts opts = {
		.sz = sizeof(opts),
		.flags = (c->o->tree ? CHESS_ADOPT_FLAGS_TREE : 0) |
			 (c->o->follow ? CHESS_ADOPT_FLAGS_FOLLOW : 0),
		.max_stall_ms = c->o->max_stall_ms,
		.heartbeat_ms = HEARTBEAT_MS,
		.max_slowdown = c->o->max_slowdown * 100,
	};
	struct chess_adopted taken;
	int ret;

	c->runs++;
	ret = set_policy(c);
	if (!ret)
		ret = chess_run_start(c->ctl, c->group, strstr(c->o->points, "syscalls") ?
				      0 : CHESS_RUN_FLAGS_NO_SYSCALL_POINTS, 1, NULL, 0);
	if (!ret)
		ret = chess_task_adopt(c->ctl, c->group, c->o->pid, &opts, &taken);
	if (ret)
		return ret;
	c->late = taken.late;
	if (taken.taken > c->tasks)
		c->tasks = taken.taken;
	return 0;
}

/* Notices may get lost when many come at once; the state does not. */
static int look(struct control *c)
{
	struct chess_group_info info;
	int ret = chess_group_get(c->ctl, c->group, &info);

	if (ret)
		return ret;
	if (info.let_go) {
		c->ending = LET_GO;
		c->reason = info.let_go;
	} else if (info.state == CHESS_GROUP_STATE_IDLE) {
		c->ending = ENDED;
	} else if (info.events == info.max_events) {
		c->ending = FULL;
	}
	return 0;
}

static int watch(struct control *c)
{
	struct chess_run_notice n;
	double left;
	int ret, ms;

	c->ending = GOING_ON;
	while (c->ending == GOING_ON) {
		left = c->o->seconds ? c->begin + c->o->seconds - chess_now() : BEAT_MS / 1e3;
		ms = left * 1e3 < BEAT_MS ? left * 1e3 + 1 : BEAT_MS;
		ret = interrupt_seen() || left <= 0 ? 0 : chess_notice_wait(c->ctl, ms, &n);
		if (ret && ret != -ETIMEDOUT && ret != -EINTR && ret != -ENOBUFS)
			return ret;
		ret = look(c);
		if (ret)
			return ret;
		if (c->ending != GOING_ON)
			break;
		if (interrupt_seen())
			c->ending = ASKED;
		else if (left <= 0)
			c->ending = TIME_OVER;
	}
	return 0;
}

/* Until the last task has left, or it is said that some have not. */
static int leave(struct control *c)
{
	int ret = chess_run_leave(c->ctl, c->group, LEAVE_MS);

	if (ret == -EBUSY)
		cli_note("note: %s", chess_error());
	return ret == -EBUSY ? 0 : ret;
}

/* What the run brought; its record replaces the last one's. */
static int keep(struct control *c)
{
	const struct chess_event *e;
	size_t i;

	chess_record_free(c->record);
	c->record = chess_record_get(c->ctl, c->group);
	if (!c->record)
		return -errno;
	c->decisions += chess_record_decisions(c->record);
	c->preemptions += chess_record_preemptions(c->record);
	c->points += chess_record_points(c->record);
	for (i = chess_record_length(c->record); c->ending == ENDED && i--; ) {
		e = chess_record_event(c->record, i);
		if (e->type == CHESS_EVENT_EXIT || e->type == CHESS_EVENT_KILLED) {
			c->status = e->object;
			break;
		}
	}
	return 0;
}

/* By its priorities pct has tasks wait until others block: those runs are short. */
static bool goes_on(const struct control *c)
{
	bool pct = !strcmp(c->o->policy, "pct");

	if (c->o->mode != ATTACH_PERTURB || interrupt_seen())
		return false;
	return c->ending == FULL ||
	       (c->ending == LET_GO && c->reason == CHESS_LET_GO_REASON_TASKS) ||
	       (c->ending == LET_GO && c->reason == CHESS_LET_GO_REASON_STALL && pct);
}

static int control(struct control *c)
{
	int ret;

	do {
		ret = take(c);
		if (ret && c->runs > 1 && ret == -ESRCH) {
			/* It ended while it was free. */
			c->runs--;
			c->ending = ENDED;
			return 0;
		}
		if (ret)
			return ret;
		if (c->runs == 1) {
			c->begin = chess_now();
			cli_note("%u tasks of process %d (%s) are under control%s%s; Ctrl-C lets go",
				 c->tasks, c->o->pid, c->process.name,
				 c->o->mode == ATTACH_PERTURB ? ", policy " : "",
				 c->o->mode == ATTACH_PERTURB ? c->o->policy : "");
		}
		ret = watch(c);
		if (!ret)
			ret = leave(c);
		if (!ret)
			ret = keep(c);
	} while (!ret && goes_on(c));
	return ret;
}

static const char *why(const struct control *c, char text[160])
{
	switch (c->ending) {
	case ASKED:
		return "was asked to";
	case TIME_OVER:
		return "the time is up";
	case FULL:
		return "the record is full";
	case ENDED:
		if (WIFSIGNALED(c->status))
			snprintf(text, 160, "the process was killed by signal %d (%s)",
				 WTERMSIG(c->status), strsignal(WTERMSIG(c->status)));
		else
			snprintf(text, 160, "the process ended with status %d",
				 WEXITSTATUS(c->status));
		return text;
	default:
		break;
	}
	switch (c->reason) {
	case CHESS_LET_GO_REASON_STALL:
		snprintf(text, 160, "a task was held for more than %u ms (--max-stall)",
			 c->o->max_stall_ms);
		return text;
	case CHESS_LET_GO_REASON_SLOWDOWN:
		snprintf(text, 160, "more than %.4g tasks waited for each other (--max-slowdown)",
			 c->o->max_slowdown);
		return text;
	case CHESS_LET_GO_REASON_SILENCE:
		return "chessctl did not run for some seconds";
	default:
		return "it created more tasks than a run can have";
	}
}

static bool has_crashed(const struct control *c)
{
	return c->ending == ENDED && WCOREDUMP(c->status);
}

static int write_trace(struct control *c)
{
	static struct utsname u;
	struct chess_trace t = {
		.argv = c->process.argv, .cwd = c->process.cwd, .program = c->process.path,
		.program_hash = c->process.hash, .kernel = u.release, .record = c->record,
		.maps = c->process.maps, .points = (char *)c->o->points,
		.quantum_us = QUANTUM_US, .status = c->status,
		.verdict = has_crashed(c) ? CHESS_VERDICT_CRASH : CHESS_VERDICT_INCOMPLETE,
	};
	int ret;

	uname(&u);
	ret = chess_trace_write(&t, c->o->record);
	return ret ? cli_fail(CLI_ENVIRONMENT, "the trace '%s' could not be written: %s",
			      c->o->record, strerror(-ret)) : CLI_OK;
}

static void tell(const struct control *c)
{
	bool perturb = c->o->mode == ATTACH_PERTURB;
	struct json_object *j;
	char text[160];

	if (!c->o->json) {
		printf("let go of process %d (%s): %s\n", c->o->pid, c->process.name, why(c, text));
		printf("  %.1f s, %u run%s, %u tasks, %llu points, %llu preemptions\n",
		       chess_now() - c->begin, c->runs, c->runs == 1 ? "" : "s", c->tasks,
		       (unsigned long long)c->points, (unsigned long long)c->preemptions);
		if (perturb)
			printf("  policy %s, seed%s %llu", c->o->policy, c->runs == 1 ? "" : "s",
			       (unsigned long long)c->o->seed);
		if (perturb && c->runs > 1)
			printf(" to %llu", (unsigned long long)seed_of_run(c));
		if (perturb)
			puts("");
		if (c->o->record)
			printf("  trace: %s%s\n", c->o->record,
			       c->runs > 1 ? " (of the last run)" : "");
		return;
	}
	j = json_object_new_object();
	json_object_object_add(j, "pid", json_object_new_int(c->o->pid));
	out_json_string(j, "name", c->process.name);
	out_json_string(j, "mode", perturb ? "perturb" : "record");
	out_json_string(j, "ended", why(c, text));
	out_json_bool(j, "asked", c->ending == ASKED || c->ending == TIME_OVER);
	out_json_int(j, "runs", c->runs);
	out_json_int(j, "tasks", c->tasks);
	out_json_int(j, "late", c->late);
	out_json_int(j, "points", c->points);
	out_json_int(j, "decisions", c->decisions);
	out_json_int(j, "preemptions", c->preemptions);
	out_json_double(j, "seconds", chess_now() - c->begin);
	if (perturb) {
		out_json_string(j, "policy", c->o->policy);
		out_json_int(j, "seed", c->o->seed);
		out_json_int(j, "last_seed", seed_of_run(c));
	}
	out_json_string(j, "trace", c->o->record);
	out_json(j);
}

/* Now, rather than when there is something to write. */
static int check_file(const char *path)
{
	struct stat st;
	char *copy, *dir;
	int ret = CLI_PROCEED;

	if (!path)
		return CLI_PROCEED;
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return cli_fail(CLI_USAGE, "attach: '%s' is not a regular file, so no trace can go there",
				path);
	copy = cli_printf("%s", path);
	dir = dirname(copy);
	if (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS))
		ret = cli_fail(CLI_ENVIRONMENT, "no trace can be written in '%s': %s", dir,
			       strerror(errno));
	free(copy);
	return ret;
}

static int run(struct control *c)
{
	bool perturb = c->o->mode == ATTACH_PERTURB;
	int ret, code;

	ret = chess_group_new(c->ctl, QUANTUM_US, perturb ? PERTURB_EVENTS : RECORD_EVENTS,
			      &c->group);
	if (!ret && session_has_sync(c->o->points))
		ret = attach_points(c->ctl, c->group, c->o->pid, c->o->tree);
	if (ret >= 0)
		ret = control(c);
	if (ret)
		return cli_fail(ret == -ESRCH ? CLI_USAGE : CLI_ENVIRONMENT,
				"attach: process %d: %s", c->o->pid, chess_error());
	code = c->o->record ? write_trace(c) : CLI_OK;
	tell(c);
	if (code)
		return code;
	if (has_crashed(c))
		return CLI_BUG;
	return c->ending == ASKED || c->ending == TIME_OVER || c->ending == ENDED ?
		CLI_OK : CLI_INCOMPLETE;
}

int attach_control(const struct attach_options *o)
{
	struct control c = { .o = o };
	int ret = check_file(o->record);

	if (ret == CLI_PROCEED)
		ret = attach_module(o->pid, &c.ctl);
	if (ret != CLI_PROCEED)
		return ret;
	interrupt_begin();
	process_read(&c.process, o->pid);
	ret = run(&c);
	chess_ctl_close(c.ctl);
	chess_record_free(c.record);
	process_clear(&c.process);
	return ret;
}
