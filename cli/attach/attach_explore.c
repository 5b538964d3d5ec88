// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl attach --explore --each COMMAND: a search over a service that goes on living.
 * Runs are made by the library (service.c), prefixes come from the same search as those
 * of "chessctl explore"; this file asks for both, keeps the trace of a bug and tells
 * people. Between runs, and whatever happens here, the service is free.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/attach.h"
#include "report/certificate.h"
#include "attach/interrupt.h"
#include "out.h"
#include "attach/process.h"
#include "report/report.h"
#include "session.h"

/* Loops without a point are cut early: other tasks of a service wait for them. */
#define QUANTUM_US	20000

/**
 * struct service_search - a search and its service
 * @o: what was asked for
 * @ctl: our socket
 * @group: our group
 * @process: the service
 * @service: who makes runs of it
 * @dir: where the trace goes
 * @progress: on stderr
 * @path: of the trace, or NULL
 */
struct service_search {
	const struct attach_options *o;
	struct chess_ctl *ctl;
	uint32_t group;
	struct process process;
	struct chess_service *service;
	struct out_dir dir;
	struct out_progress progress;
	char *path;
};

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct service_search *s = ctx;

	return interrupt_seen() ? -EINTR : chess_service_run(s->service, plan, out);
}

static bool show_progress(void *arg, const struct chess_explore_progress *p)
{
	struct service_search *s = arg;
	char rest[64];

	snprintf(rest, sizeof(rest), "bound %u, %u found", p->bound, p->found);
	out_progress(&s->progress, &(struct out_work){
		.phase = "search", .runs = p->runs, .seconds = p->seconds, .found = p->found,
		.bound = p->bound, .rest = rest,
	});
	return !interrupt_seen();
}

static struct chess_trace trace_of(const struct service_search *s,
				   const struct chess_run_result *bad)
{
	static struct utsname u;

	uname(&u);
	return (struct chess_trace){
		.argv = s->process.argv, .cwd = s->process.cwd, .program = s->process.path,
		.program_hash = s->process.hash, .kernel = u.release, .verdict = bad->verdict,
		.status = bad->bad_status ? bad->bad_status : bad->status, .record = bad->record,
		.waits = bad->waits, .n_waits = bad->n_waits, .maps = s->process.maps,
		.points = (char *)s->o->points, .err = bad->err, .quantum_us = QUANTUM_US,
	};
}

/* A failed write does not cost anybody the bug: it is reported as usual. */
static int keep_bug(void *arg, const struct chess_run_result *bad)
{
	struct service_search *s = arg;
	struct chess_trace t = trace_of(s, bad);
	int ret;

	out_progress_end(&s->progress);
	if (s->path || !bad->record)
		return 0;
	s->path = out_trace_name(&s->dir, s->process.name, chess_verdict_name(bad->verdict), NULL,
				 NULL);
	ret = s->path ? chess_trace_write(&t, s->path) : -errno;
	if (!ret)
		return 0;
	cli_note("the bug was found, but no trace of it could be written in '%s': %s", s->dir.path,
		 strerror(-ret));
	if (s->path)
		unlink(s->path);
	free(s->path);
	s->path = NULL;
	return 0;
}

static struct certificate certificate(const struct service_search *s,
				      const struct chess_explore_result *res)
{
	struct certificate c = {
		.res = res, .fair_k = 1, .quantum_us = QUANTUM_US,
		.asked = { .strategy = s->o->strategy, .bound = s->o->bound,
			   .points = s->o->points },
	};

	certificate_work_out(&c);
	return c;
}

static void print_end(const struct service_search *s, const struct chess_explore_result *res)
{
	const char *counts = chess_strategy_counts(s->o->strategy);

	if (res->verdict == CHESS_VERDICT_OK && counts)
		printf("%sok%s: no bug in what the command asks for, with at most %u %s%s\n",
		       out_good(), out_plain(), s->o->bound, counts, s->o->bound == 1 ? "" : "s");
	else if (res->verdict == CHESS_VERDICT_OK)
		printf("%sok%s: no bug in any schedule of what the command asks for\n",
		       out_good(), out_plain());
	else if (counts)
		printf("%s%s%s: no bug so far; bound %u is not finished\n", out_bold(),
		       chess_verdict_name(res->verdict), out_plain(), res->bound);
	else
		printf("%s%s%s: no bug so far\n", out_bold(), chess_verdict_name(res->verdict),
		       out_plain());
}

static void print_counts(const struct service_search *s, const struct chess_explore_result *res)
{
	const char *note = chess_service_note(s->service);

	printf("  process %d (%s), each run: %s\n", s->o->pid, s->process.name, s->o->each);
	printf("  %llu run%s, %zu tasks, %zu points, %.2f s, strategy %s\n",
	       (unsigned long long)res->runs, res->runs == 1 ? "" : "s", res->max_tasks,
	       res->max_points, res->seconds, s->o->strategy);
	if (res->retries)
		printf("  %llu run%s more for prefixes that were not followed at once\n",
		       (unsigned long long)res->retries, res->retries == 1 ? "" : "s");
	if (res->diverged)
		printf("  %llu branch%s PRUNED: what a request finds is not what it found before\n",
		       (unsigned long long)res->diverged, res->diverged == 1 ? "" : "es");
	if (note)
		printf("  %s\n", note);
}

static void print_text(const struct service_search *s, const struct chess_explore_result *res,
		       const struct report *report)
{
	struct certificate c = certificate(s, res);

	if (report) {
		report_print(report, stdout, NULL);
		printf("\nfound in a search of\n");
		print_counts(s, res);
		if (s->path)
			printf("  show it again with: chessctl show %s\n", s->path);
		return;
	}
	print_end(s, res);
	if (res->why)
		printf("  %s\n", res->why);
	print_counts(s, res);
	certificate_print(&c);
}

static void print_json(const struct service_search *s, const struct chess_explore_result *res,
		       const struct report *report)
{
	struct certificate c = certificate(s, res);
	struct json_object *o = json_object_new_object();
	const struct chess_record *r = report ? report->record : NULL;
	char *path = s->path ? out_absolute(s->path) : NULL;

	json_object_object_add(o, "pid", json_object_new_int(s->o->pid));
	out_json_string(o, "name", s->process.name);
	out_json_string(o, "mode", "explore");
	out_json_string(o, "each", s->o->each);
	certificate_counts_json(o, res, r);
	json_object_object_add(o, "diverged", json_object_new_uint64(res->diverged));
	json_object_object_add(o, "retries", json_object_new_uint64(res->retries));
	out_json_double(o, "seconds", res->seconds);
	out_json_string(o, "strategy", s->o->strategy);
	out_json_string(o, "why", res->why);
	out_json_string(o, "note", chess_service_note(s->service));
	out_json_string(o, "trace", path);
	json_object_object_add(o, "certificate", certificate_json(&c));
	if (report)
		report_json(report, o);
	free(path);
	out_json(o);
}

/* Where the search cannot go on; what it found so far is nothing. */
static int tell_failure(const struct service_search *s, int error)
{
	bool gone = error == -ESRCH || error == -EBUSY || error == -ETIMEDOUT;

	return cli_fail(gone ? CLI_INCOMPLETE : CLI_ENVIRONMENT,
			"attach: the search of process %d ended: %s", s->o->pid, chess_error());
}

static struct chess_explore_opts wanted(const struct attach_options *o)
{
	return (struct chess_explore_opts){
		.sz = sizeof(struct chess_explore_opts), .bound = o->bound,
		.strategy = o->strategy, .max_runs = o->runs, .max_seconds = o->seconds,
		.count_classes = true,
	};
}

static int search(struct service_search *s)
{
	const struct chess_executor x = { .run = run, .ctx = s };
	struct chess_explore_opts eo = wanted(s->o);
	struct chess_explore_result res = { 0 };
	struct report report;
	struct chess_trace t;
	bool bug;
	int ret;

	eo.progress = show_progress;
	eo.progress_arg = s;
	eo.found = keep_bug;
	eo.found_arg = s;
	ret = chess_explore(&x, &eo, &res);
	out_progress_end(&s->progress);
	if (ret)
		return tell_failure(s, ret);
	bug = res.bad.record && chess_verdict_is_bug(res.verdict);
	if (bug) {
		t = trace_of(s, &res.bad);
		report_open(&report, &t);
	}
	if (s->o->json)
		print_json(s, &res, bug ? &report : NULL);
	else
		print_text(s, &res, bug ? &report : NULL);
	if (bug)
		report_close(&report);
	ret = bug ? CLI_BUG : res.verdict == CHESS_VERDICT_OK && res.complete ? CLI_OK :
	      CLI_INCOMPLETE;
	chess_explore_result_clear(&res);
	return ret;
}

/* A command that fails by itself would be a bug in each run. */
static int try_command(struct service_search *s)
{
	struct chess_run_result out;
	const char *each = s->o->each;
	int ret = chess_service_try(s->service, &out), code = CLI_PROCEED;

	if (ret)
		code = ret == -EINTR ? cli_fail(CLI_INCOMPLETE, "attach: interrupted before the first run") :
		       cli_fail(CLI_ENVIRONMENT, "attach: %s", chess_error());
	else if (out.verdict == CHESS_VERDICT_TIMEOUT)
		code = cli_fail(CLI_USAGE, "attach: the command '%s' did not return in time, with process %d free; allow more with --run-timeout",
				each, s->o->pid);
	else if (WIFEXITED(out.status) && WEXITSTATUS(out.status) == 127)
		code = cli_fail(CLI_USAGE, "attach: the command '%s' was not found: %s", each,
				out.err && *out.err ? out.err : "exit status 127");
	else if (out.verdict != CHESS_VERDICT_OK)
		code = cli_fail(CLI_USAGE, "attach: the command '%s' fails with process %d free (%s); it has to end with status 0 when it was served",
				each, s->o->pid, WIFSIGNALED(out.status) ? "a signal" : "its exit status");
	chess_run_result_clear(&out);
	return code;
}

static int prepare(struct service_search *s)
{
	const struct attach_options *o = s->o;
	struct chess_service_opts so = {
		.sz = sizeof(so), .pid = o->pid, .command = o->each,
		.flags = (o->tree ? CHESS_ADOPT_FLAGS_TREE : 0) |
			 (o->follow ? CHESS_ADOPT_FLAGS_FOLLOW : 0),
		.run_timeout_ms = o->run_timeout * 1000, .max_stall_ms = o->max_stall_ms,
		.no_syscall_points = !strstr(o->points, "syscalls"),
		.interrupted = interrupt_seen,
	};
	int ret = chess_group_new(s->ctl, QUANTUM_US, 0, &so.group);

	if (!ret && session_has_sync(o->points))
		ret = attach_points(s->ctl, so.group, o->pid, o->tree);
	if (ret >= 0) {
		s->service = chess_service_new(s->ctl, &so);
		ret = s->service ? 0 : -errno;
	}
	return ret ? cli_fail(CLI_ENVIRONMENT, "attach: process %d: %s", o->pid, chess_error()) :
		     CLI_PROCEED;
}

int attach_explore(const struct attach_options *o)
{
	struct chess_explore_opts eo = wanted(o);
	struct service_search s = { .o = o };
	int ret;

	if (chess_explore_check(&eo))
		return cli_fail(CLI_USAGE, "attach: %s", chess_error());
	ret = attach_module(o->pid, &s.ctl);
	if (ret == CLI_PROCEED)
		ret = out_dir_open(&s.dir, o->out);
	if (ret != CLI_PROCEED)
		return ret;
	interrupt_begin();
	process_read(&s.process, o->pid);
	ret = prepare(&s);
	if (ret == CLI_PROCEED)
		ret = try_command(&s);
	if (ret == CLI_PROCEED)
		ret = search(&s);
	chess_service_free(s.service);
	chess_ctl_close(s.ctl);
	process_clear(&s.process);
	out_dir_close(&s.dir);
	free(s.path);
	return ret;
}
