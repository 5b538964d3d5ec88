// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Runs of a process that goes on living, for the search; what runner.c does for programs
 * that are started for each run. The search calls chess_service_run(), nobody else does.
 *
 *	schedule-set, run-start
 *	task-adopt, held     all its tasks wait; else let go, and try again a little later
 *	the command          until it waits for its answer: what it asked for is there
 *	run-release          from here on the prefix decides, then the default policy
 *	await_end            until it has returned, and all tasks wait again
 *	record-get           before tasks are released: that is not part of the run
 *	run-stop             the service is free; verdict
 *
 * A run that ends otherwise (astray, full, let go by the module) lets go at once, and the
 * command is served by a service that is free: it should find no half a request next time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/wait.h>

#include "internal.h"
#include "module/nl.h"
#include "now.h"
#include "run/partial.h"
#include "run/request.h"
#include "run/verdict.h"
#include "wait/wait.h"

#define RUN_TIMEOUT_MS	10000
#define HEARTBEAT_MS	3000
/* Looks that show the same, so far apart, mean that it stays so. */
#define CALM_MS		5
/*
 * A command that reads a file over a network sleeps too, but not for so many looks; if it
 * does the service finds less than in other runs, which is a divergence at most.
 */
#define ASLEEP_LOOKS	4
/*
 * So long may a command be on its way, and half of what no task may be held longer since
 * the first of them could go on. After that the run depends on who is quicker.
 */
#define HOLD_MS		5000
/* All wait, and the command does not return: which task waits for which? Then half as often. */
#define STUCK_MS	100
/* Between looks at a service that is not at rest. */
#define REST_MS		20
/* For the last tasks to be let go. */
#define LEAVE_MS	5000

struct chess_service {
	struct chess_ctl *ctl;
	struct chess_service_opts opts;
	char *command;
	uint32_t *tids;		/* of the first run, by number */
	int n_tids;
	unsigned int restless, others;	/* runs that were none */
	char note[256];
};

/**
 * struct visit - a run on its way
 * @s: of what
 * @out: where results go
 * @facts: for the verdict
 * @run: its number
 * @end: when patience ends, milliseconds
 * @request: the command
 * @events: at the last look; @since: when there were others
 * @look_at: when it is asked who waits for whom
 * @ended: no task is left
 * @let_go: the module let go by itself, enum chess_let_go_reason
 */
struct visit {
	struct chess_service *s;
	struct chess_run_result *out;
	struct chess_facts facts;
	uint32_t run;
	int64_t end;
	struct chess_request request;
	uint32_t events;
	int64_t since, look_at;
	bool ended;
	uint32_t let_go;
};

static void nap(int ms)
{
	const struct timespec t = { .tv_nsec = ms * 1000000L };

	nanosleep(&t, NULL);
}

static bool is_interrupted(const struct chess_service *s)
{
	return s->opts.interrupted && s->opts.interrupted();
}

static int interrupt_error(void)
{
	return chess_set_error(EINTR, "the run was interrupted");
}

struct chess_service *chess_service_new(struct chess_ctl *c, const struct chess_service_opts *o)
{
	struct chess_service *s = calloc(1, sizeof(*s));

	if (s) {
		s->ctl = c;
		memcpy(&s->opts, o, o->sz < sizeof(s->opts) ? o->sz : sizeof(s->opts));
		if (!s->opts.run_timeout_ms)
			s->opts.run_timeout_ms = RUN_TIMEOUT_MS;
		s->command = strdup(o->command);
	}
	if (s && s->command)
		return s;
	chess_service_free(s);
	chess_set_error(ENOMEM, "no memory for a service");
	return NULL;
}

void chess_service_free(struct chess_service *s)
{
	if (!s)
		return;
	free(s->command);
	free(s->tids);
	free(s);
}

const char *chess_service_note(const struct chess_service *s)
{
	struct chess_service *own = (struct chess_service *)s;

	if (!s->restless && !s->others)
		return NULL;
	snprintf(own->note, sizeof(own->note),
		 "%u run%s not begun: in %u the process never came to rest, in %u its threads were not those of the first run",
		 s->restless + s->others, s->restless + s->others == 1 ? " was" : "s were",
		 s->restless, s->others);
	return own->note;
}

int chess_run_leave(struct chess_ctl *c, uint32_t group, unsigned int ms)
{
	struct chess_group_info info = { 0 };
	int64_t end = chess_now_ms() + ms;
	int ret = chess_run_stop(c, group, 0);

	if (ret && ret != -ENOENT)
		return ret;
	do {
		ret = chess_group_get(c, group, &info);
		if (ret || info.state == CHESS_GROUP_STATE_IDLE)
			return ret;
		nap(1);
	} while (chess_now_ms() < end);
	return chess_set_error(EBUSY, "%u tasks of process %u are busy in the kernel and leave control when that is over",
			       info.tasks, info.adopted);
}

static int leave(struct chess_service *s)
{
	return chess_run_leave(s->ctl, s->opts.group, LEAVE_MS);
}

static int by_id(const void *a, const void *b)
{
	const struct chess_task_info *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * 1: nobody can go on, 0: somebody can, or no task is left, or -errno. *@list, if wanted:
 * tasks by number.
 */
static int is_at_rest(struct chess_service *s, struct chess_task_info **list, int *n)
{
	struct chess_task_info *tasks;
	int count = chess_task_list(s->ctl, s->opts.group, &tasks), i, rest = count > 0;

	if (count < 0)
		return count;
	for (i = 0; i < count; i++)
		rest &= tasks[i].state == CHESS_TASK_STATE_BLOCKED;
	if (list) {
		qsort(tasks, count, sizeof(*tasks), by_id);
		*list = tasks;
		*n = count;
	} else {
		free(tasks);
	}
	return rest;
}

/*
 * Numbers of tasks mean the same in all runs as long as the tasks are the same. 1: they
 * are, 0: not, -errno
 */
static int compare_tasks(struct chess_service *s, const struct chess_task_info *tasks, int n)
{
	int i;

	if (!s->tids) {
		s->tids = calloc(n ? n : 1, sizeof(*s->tids));
		if (!s->tids)
			return chess_set_error(ENOMEM, "no memory for a list of tasks");
		for (i = 0; i < n; i++)
			s->tids[i] = tasks[i].pid;
		s->n_tids = n;
	}
	if (n != s->n_tids)
		return 0;
	for (i = 0; i < n; i++)
		if (s->tids[i] != tasks[i].pid)
			return 0;
	return 1;
}

/* One attempt; 1: taken and at rest, 0: not at rest, -errno */
static int take_once(struct visit *v, struct chess_task_info **tasks, int *n)
{
	struct chess_service *s = v->s;
	const struct chess_adopt_opts adopt = {
		.sz = sizeof(adopt), .heartbeat_ms = HEARTBEAT_MS,
		.max_stall_ms = s->opts.max_stall_ms,
		.flags = s->opts.flags | CHESS_ADOPT_FLAGS_HOLD | CHESS_ADOPT_FLAGS_LATCH,
	};
	struct chess_adopted taken;
	uint32_t flags = s->opts.no_syscall_points ? CHESS_RUN_FLAGS_NO_SYSCALL_POINTS : 0;
	int ret;

	*tasks = NULL;
	ret = chess_run_begin(s->ctl, s->opts.group, flags, 1, 0, NULL, 0, &v->run);
	if (ret)
		return ret;
	ret = chess_task_adopt(s->ctl, s->opts.group, s->opts.pid, &adopt, &taken);
	if (ret == -ESRCH && s->tids)
		chess_set_error(ESRCH, "the service, process %d, ended while it was not under control",
				s->opts.pid);
	if (!ret && !taken.late)
		ret = is_at_rest(s, tasks, n);
	if (ret <= 0) {
		char sentence[512];

		strncpy(sentence, chess_error(), sizeof(sentence) - 1);
		sentence[sizeof(sentence) - 1] = '\0';
		leave(s);
		if (ret)
			chess_set_error(-ret, "%s", sentence);
	}
	return ret;
}

/* 1: taken; 0: it is no run of the search, -errno */
static int take(struct visit *v)
{
	struct chess_service *s = v->s;
	struct chess_task_info *tasks;
	int ret, n;

	for (;;) {
		ret = take_once(v, &tasks, &n);
		if (ret)
			break;
		free(tasks);
		if (is_interrupted(s))
			return interrupt_error();
		if (chess_now_ms() >= v->end)
			break;
		nap(REST_MS);
	}
	if (ret > 0) {
		ret = compare_tasks(s, tasks, n);
		s->others += !ret;
		free(tasks);
		return ret;
	}
	if (ret)
		return ret;
	if (!s->tids)
		return chess_set_error(EBUSY, "process %d did not come to rest within %u ms: some of its tasks always had something to do; search a service that has no other clients",
				       s->opts.pid, s->opts.run_timeout_ms);
	s->restless++;
	return 0;
}

/* Held: until the command waits for its answer, or has returned. 0 or -errno */
static int wait_for_request(struct visit *v)
{
	struct chess_service *s = v->s;
	int64_t end = chess_now_ms() + HOLD_MS, woken = 0;
	uint32_t stall = s->opts.max_stall_ms;
	uint64_t print, last = 0;
	int same = 0, ret;

	while (!chess_request_over(&v->request) && chess_now_ms() < end) {
		ret = is_at_rest(s, NULL, NULL);
		if (ret < 0)
			return ret;
		if (!ret && !woken)
			woken = chess_now_ms();
		if (woken && stall && chess_now_ms() >= woken + stall / 2)
			break;
		if (!chess_request_asleep(&v->request, &print) || print != last)
			same = 0;
		else if (++same == ASLEEP_LOOKS)
			break;
		last = print;
		nap(CALM_MS);
	}
	ret = chess_run_release(s->ctl, s->opts.group);
	/* It ended meanwhile, or was let go: await_end() finds out. */
	return ret == -ENOENT ? 0 : ret;
}

static int keep_record(struct visit *v)
{
	struct chess_service *s = v->s;

	if (v->out->record)
		return 0;
	v->out->record = chess_record_get(s->ctl, s->opts.group);
	if (!v->out->record)
		return -errno;
	chess_record_set_fair(v->out->record, 1);
	return 0;
}

static void drop_record(struct visit *v)
{
	chess_record_free(v->out->record);
	v->out->record = NULL;
}

/* Locks that were taken in the run: the record says who waits for ever. */
static int find_partial(struct visit *v)
{
	struct chess_run_result *out = v->out;
	struct chess_partial partial;
	struct chess_record *cut;
	int ret = chess_partial_find(out->record, v->s->opts.no_syscall_points, &partial);

	if (ret || !partial.at)
		return ret;
	cut = chess_record_cut(out->record, partial.at);
	if (!cut) {
		chess_waits_free(partial.waits, partial.n);
		return -errno;
	}
	v->facts.deadlock = true;
	v->facts.overflow = v->facts.timeout = false;
	drop_record(v);
	out->record = cut;
	out->waits = partial.waits;
	out->n_waits = partial.n;
	return 0;
}

/* A cycle of waits none of which is a guess. */
static bool has_sure_cycle(const struct chess_wait *waits, size_t n)
{
	size_t *cycle = calloc(n ? n : 1, sizeof(*cycle)), i, k;
	const struct chess_holder *h;

	k = cycle ? chess_waits_cycle(waits, n, cycle) : 0;
	for (i = 0; i < k; i++) {
		h = chess_wait_holder(&waits[cycle[i]], waits[cycle[(i + 1) % k]].task);
		if (!h || h->how > CHESS_HOLD_IS)
			break;
	}
	free(cycle);
	return k && i == k;
}

/*
 * All wait. Do some of them wait for each other? @keep: what they wait in is wanted
 * anyhow. Return: 0 or -errno; facts.deadlock is set
 */
static int look_at_waits(struct visit *v, bool keep)
{
	struct chess_service *s = v->s;
	struct chess_run_result *out = v->out;
	struct chess_wait *waits;
	bool stuck;
	size_t n;
	int ret = keep_record(v);

	if (!ret)
		ret = find_partial(v);
	if (ret || v->facts.deadlock)
		return ret;
	ret = chess_waits_collect(s->ctl, s->opts.group, out->record, true, &waits, &n, &stuck);
	if (ret)
		return ret;
	v->facts.deadlock = has_sure_cycle(waits, n);
	if (v->facts.deadlock || keep) {
		out->waits = waits;
		out->n_waits = n;
	} else {
		chess_waits_free(waits, n);
	}
	return 0;
}

/* Is the run over? 1: yes, 0: no, -errno */
static int look(struct visit *v)
{
	struct chess_service *s = v->s;
	struct chess_group_info info;
	int64_t now = chess_now_ms();
	bool over = chess_request_over(&v->request), calm;
	int ret = chess_group_get(s->ctl, s->opts.group, &info);

	if (ret)
		return ret;
	v->let_go = info.let_go;
	v->ended = !info.let_go && info.state == CHESS_GROUP_STATE_IDLE;
	if (v->let_go || v->ended || v->facts.diverged || v->facts.overflow)
		return 1;
	calm = info.token == CHESS_TASK_NONE;
	if (calm)
		calm = is_at_rest(s, NULL, NULL) == 1;
	if (!calm || info.events != v->events) {
		v->events = info.events;
		v->since = now;
		v->look_at = now + STUCK_MS;
	}
	if (now >= v->end) {
		v->facts.timeout = true;
		ret = look_at_waits(v, true);
		return ret ? ret : 1;
	}
	if (!calm || now < (over ? v->since + CALM_MS : v->look_at))
		return 0;
	v->look_at = now + (now - v->since);
	ret = look_at_waits(v, false);
	if (!ret && !over && !v->facts.deadlock)
		drop_record(v);
	return ret ? ret : over || v->facts.deadlock;
}

static void take_notice(struct visit *v, const struct chess_run_notice *n)
{
	if (n->group != v->s->opts.group || n->run != v->run)
		return;
	v->facts.diverged |= n->notice == CHESS_NOTICE_DIVERGENCE;
	v->facts.overflow |= n->notice == CHESS_NOTICE_OVERFLOW;
}

static int await_end(struct visit *v)
{
	struct chess_run_notice n;
	int ret;

	v->since = chess_now_ms();
	v->look_at = v->since + STUCK_MS;
	for (;;) {
		ret = look(v);
		if (ret)
			return ret < 0 ? ret : 0;
		if (is_interrupted(v->s))
			return interrupt_error();
		ret = chess_notice_wait_fd(v->s->ctl, CALM_MS, v->request.over ? -1 :
					   v->request.end_fd, &n);
		if (!ret)
			take_notice(v, &n);
		else if (ret != -ETIMEDOUT && ret != -EINTR && ret != -ECANCELED && ret != -ENOBUFS)
			return ret;
	}
}

/* The service is free; let it serve what is left. 0 or -errno */
static int finish_request(struct visit *v)
{
	struct chess_service *s = v->s;
	int64_t end = chess_now_ms() + s->opts.run_timeout_ms;

	if (v->facts.deadlock || v->facts.timeout || v->ended)
		return 0;
	while (!chess_request_over(&v->request)) {
		if (is_interrupted(s))
			return interrupt_error();
		if (chess_now_ms() > end)
			return chess_set_error(ETIMEDOUT, "'%s' did not return within %u ms after process %d had been let go",
					       s->command, s->opts.run_timeout_ms, s->opts.pid);
		nap(CALM_MS);
	}
	return 0;
}

static const char *let_go_text(uint32_t reason)
{
	switch (reason) {
	case CHESS_LET_GO_REASON_STALL:
		return "a task was held for longer than allowed; allow more (--max-stall)";
	case CHESS_LET_GO_REASON_SILENCE:
		return "chessctl did not run for some seconds";
	default:
		return "it created more tasks than a run can have";
	}
}

/* It is gone; of a bug? 0 or -ESRCH */
static int judge_end(const struct visit *v, const struct chess_judgement *j)
{
	const struct chess_record *r = v->out->record;
	size_t i = chess_record_length(r);
	int status = 0;

	if (!v->ended || chess_verdict_is_bug(j->verdict))
		return 0;
	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_EXIT || e->type == CHESS_EVENT_KILLED) {
			status = e->object;
			break;
		}
	}
	return WIFSIGNALED(status) ?
		chess_set_error(ESRCH, "the service, process %d, was killed by signal %d (%s)",
				v->s->opts.pid, WTERMSIG(status), strsignal(WTERMSIG(status))) :
		chess_set_error(ESRCH, "the service, process %d, ended with status %d: there is nothing left to search",
				v->s->opts.pid, WEXITSTATUS(status));
}

static int judge(struct visit *v)
{
	/* That a service takes the workers that crash is no sign that they should. */
	static const struct chess_expect strict = { .no_signals = true };
	struct chess_run_result *out = v->out;
	struct chess_group_info info;
	struct chess_judgement j;
	int ret = chess_group_get(v->s->ctl, v->s->opts.group, &info);

	if (ret)
		return ret;
	out->err = chess_request_said(&v->request, &out->err_len);
	/* How a command ends whose service is gone says nothing more. */
	v->facts.status = v->ended || !v->request.over ? 0 : v->request.status;
	v->facts.record = out->record;
	v->facts.err = out->err;
	v->facts.expect = &strict;
	v->facts.lost = info.lost;
	if (v->let_go) {
		chess_set_error(EBUSY, "the service was released in the middle of a run: %s",
				let_go_text(v->let_go));
		j = (struct chess_judgement){ .verdict = CHESS_VERDICT_INCOMPLETE, .bad_task = -1,
					      .diverged_at = SIZE_MAX };
	} else {
		chess_verdict_judge(&v->facts, &j);
	}
	out->verdict = j.verdict;
	out->status = v->facts.status;
	out->bad_task = j.bad_task;
	out->bad_status = j.bad_status;
	out->diverged_at = j.diverged_at;
	out->outside_task = info.outside_task;
	out->outside_pid = info.outside_pid;
	memcpy(out->outside_comm, info.outside_comm, sizeof(info.outside_comm));
	return judge_end(v, &j);
}

/* With the service taken, and held. */
static int serve(struct visit *v)
{
	int ret = chess_request_start(&v->request, v->s->command);

	v->end = chess_now_ms() + v->s->opts.run_timeout_ms;
	if (!ret)
		ret = wait_for_request(v);
	if (!ret)
		ret = await_end(v);
	if (!ret)
		ret = keep_record(v);
	/* Before the command is waited for: it may never return. */
	if (!ret && !v->facts.deadlock && !v->facts.diverged && !v->let_go)
		ret = find_partial(v);
	return ret;
}

static void clear(struct chess_run_result *out)
{
	memset(out, 0, sizeof(*out));
	out->bad_task = -1;
	out->diverged_at = SIZE_MAX;
	out->outside_task = CHESS_TASK_NONE;
}

int chess_service_run(struct chess_service *s, const struct chess_plan *plan,
		      struct chess_run_result *out)
{
	struct visit v = {
		.s = s, .out = out, .request = { .end_fd = -1, .said_fd = -1 },
		.end = chess_now_ms() + s->opts.run_timeout_ms,
	};
	int64_t start = chess_now_ms();
	char sentence[512];
	int ret, left;

	clear(out);
	v.facts.length = chess_schedule_decisions(plan->prefix, plan->length);
	ret = chess_plan_set(s->ctl, s->opts.group, plan);
	if (!ret)
		ret = take(&v);
	if (ret <= 0) {
		if (!ret)
			leave(s);
		out->verdict = CHESS_VERDICT_DIVERGED;
		return ret;
	}
	ret = serve(&v);
	strncpy(sentence, ret ? chess_error() : "", sizeof(sentence) - 1);
	sentence[sizeof(sentence) - 1] = '\0';
	/* Whatever went wrong: the service goes on. */
	left = leave(s);
	if (ret)
		chess_set_error(-ret, "%s", sentence);
	else
		ret = left;
	if (!ret)
		ret = finish_request(&v);
	if (!ret)
		ret = judge(&v);
	chess_request_end(&v.request);
	if (ret)
		chess_run_result_clear(out);
	out->seconds = (chess_now_ms() - start) / 1e3;
	return ret;
}

int chess_service_try(struct chess_service *s, struct chess_run_result *out)
{
	int64_t end = chess_now_ms() + s->opts.run_timeout_ms;
	struct chess_request q;
	int ret;

	clear(out);
	ret = chess_request_start(&q, s->command);
	if (ret)
		return ret;
	while (!chess_request_over(&q) && chess_now_ms() < end && !is_interrupted(s))
		nap(CALM_MS);
	if (is_interrupted(s))
		ret = interrupt_error();
	out->verdict = !q.over ? CHESS_VERDICT_TIMEOUT :
		       q.status ? CHESS_VERDICT_EXIT : CHESS_VERDICT_OK;
	out->status = q.over ? q.status : 0;
	out->err = chess_request_said(&q, &out->err_len);
	chess_request_end(&q);
	return ret;
}
