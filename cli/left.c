// SPDX-License-Identifier: GPL-2.0-only
/*
 * See left.h. The prefix is run once more: where two runs of it differ, the first event that
 * does says most. Where they are equal, and still lead elsewhere than when the search came by,
 * something has changed since and stays so. What cannot be determined is said to be unknown.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "calls.h"
#include "changed.h"
#include "cli.h"
#include "left.h"
#include "report/report_parts.h"

static void add(struct left_branch *b, char *text)
{
	if (b->n < LEFT_CAUSES)
		b->causes[b->n++] = text;
	else
		free(text);
}

/* --- what it hangs on -------------------------------------------------------------- */

static bool is_one_of(uint32_t nr, const uint32_t *list, size_t n)
{
	size_t i;

	for (i = 0; i < n && list[i] != nr; i++)
		;
	return i < n;
}

static const uint32_t file_calls[] = {
	SYS_open, SYS_openat, SYS_openat2, SYS_creat, SYS_read, SYS_pread64, SYS_readv, SYS_stat,
	SYS_lstat, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_access, SYS_faccessat,
	SYS_faccessat2, SYS_unlink, SYS_unlinkat, SYS_rename, SYS_renameat, SYS_renameat2,
	SYS_mkdir, SYS_mkdirat, SYS_rmdir, SYS_link, SYS_linkat, SYS_symlink, SYS_lseek,
	SYS_readlink, SYS_getdents64,
};
static const uint32_t pid_calls[] = {
	SYS_getpid, SYS_getppid, SYS_gettid, SYS_getsid, SYS_getpgid, SYS_set_tid_address,
};
static const uint32_t time_calls[] = {
	SYS_clock_gettime, SYS_gettimeofday, SYS_time, SYS_times, SYS_getrusage, SYS_sysinfo,
	SYS_nanosleep, SYS_clock_nanosleep, SYS_timer_settime, SYS_timer_gettime,
};

#define IS_ONE_OF(nr, list)	is_one_of(nr, list, sizeof(list) / sizeof(list[0]))

static const char *cause_of_call(const struct chess_event *a)
{
	if (a->object_kind == CHESS_OBJECT_SYSTEM)
		return "a file of /proc or /sys, which the system changes";
	if (IS_ONE_OF(a->nr, file_calls))
		return "a file that differs in each run: left there, or written to, by another run or another program";
	if (IS_ONE_OF(a->nr, pid_calls))
		return "a process id";
	if (IS_ONE_OF(a->nr, time_calls))
		return "time that is not the group's";
	return "a call that returns something else in each run";
}

static bool is_from_outside(const struct chess_event *e)
{
	return e && e->type == CHESS_EVENT_WAKE && e->object == CHESS_TASK_NONE;
}

/* A variable of the program lies where it lies: another one means another way. */
static bool is_variable(const struct report *r, const struct chess_event *e)
{
	char *object = report_object(r, e);
	bool named = strncmp(object, "0x", 2);

	free(object);
	return named;
}

/* By the first event that differs; NULL: it tells nothing. */
static const char *cause_of(const struct left *l, const struct report *r,
			    const struct chess_event *a, const struct chess_event *b)
{
	if (is_from_outside(a) || is_from_outside(b))
		return "a wake-up from outside: a device, another process, or time";
	if (!a || !b || a->type != b->type || a->task != b->task)
		return NULL;
	if (a->type == CHESS_EVENT_TIMEOUT || a->type == CHESS_EVENT_TIMER ||
	    a->timed != b->timed)
		return l->s->real_time ? "time that is not the group's (--real-time)" : NULL;
	if (a->type == CHESS_EVENT_EXIT && a->object == b->object && a->arg != b->arg)
		return "a call that is not a point and returned something else: processor time, an address, a statistic";
	if (a->type != CHESS_EVENT_POINT || a->nr != b->nr || a->ip != b->ip)
		return NULL;
	if (!(a->flags & CHESS_OPF_PROBE) && a->result != b->result)
		return cause_of_call(a);
	if (a->object_kind != b->object_kind || a->object == b->object)
		return NULL;
	if (a->object_kind == CHESS_OBJECT_PID)
		return "a process id";
	if (a->object_kind == CHESS_OBJECT_ADDRESS && a->caller == b->caller &&
	    !is_variable(r, a) && !is_variable(r, b))
		return "an address: memory that is uninitialised, or is elsewhere in each run";
	return NULL;
}

/* Files that a call names with their place, "3</a/b>", and that were written to meanwhile. */
static void find_written(const struct left *l, const struct chess_trace *t, struct left_branch *b)
{
	char *last = NULL;
	size_t i;

	for (i = 0; i < t->n_calls && b->n < LEFT_CAUSES - 1; i++) {
		const char *at = strstr(t->calls[i].text, "</"), *end = at ? strchr(at, '>') : NULL;
		char *path = end ? cli_printf("%.*s", (int)(end - at - 1), at + 1) : NULL;
		struct stat st;

		if (path && (!last || strcmp(last, path)) && !stat(path, &st) &&
		    S_ISREG(st.st_mode) &&
		    (st.st_mtim.tv_sec > l->began.tv_sec ||
		     (st.st_mtim.tv_sec == l->began.tv_sec &&
		      st.st_mtim.tv_nsec >= l->began.tv_nsec))) {
			add(b, cli_printf("it uses %s, which was written to since the search began",
					  path));
			free(last);
			last = path;
			path = NULL;
		}
		free(path);
	}
	free(last);
}

static void tell_outside(const struct chess_run_result *run, struct left_branch *b)
{
	if (!run->record || run->outside_task == CHESS_TASK_NONE)
		return;
	if (*run->outside_comm)
		add(b, cli_printf("T%u was last woken by '%s' (pid %u), which is not under control",
				  run->outside_task, run->outside_comm, run->outside_pid));
	else
		add(b, cli_printf("T%u was last woken by an interrupt", run->outside_task));
}

/* Two runs of the prefix, with the trace of the second one. */
static void tell_difference(const struct left *l, const struct chess_run_result *first,
			    const struct chess_trace *second, struct left_branch *b)
{
	size_t at = chess_record_compare(first->record, second->record);
	const struct chess_event *x = chess_record_event(first->record, at);
	const struct chess_event *y = chess_record_event(second->record, at);
	struct report one, other;
	struct chess_trace t = *second;
	const char *cause;
	char *expected, *seen;

	if (at == SIZE_MAX) {
		add(b, cli_printf("two runs of it are the same, and differ from when the search was there: something has changed since then, and stays changed"));
		return;
	}
	t.record = first->record;
	t.calls = NULL;
	t.n_calls = 0;
	t.names = NULL;
	t.n_names = 0;
	report_open(&one, &t);
	report_open(&other, second);
	expected = report_event(&one, x);
	seen = report_event(&other, y);
	add(b, cli_printf("two runs of it differ first at event %zu: expected %s, seen %s", at + 1,
			  expected, seen));
	if (x && y && !strcmp(expected, seen) && x->result != y->result)
		add(b, cli_printf("the call returned %lld, expected %lld", (long long)y->result,
				  (long long)x->result));
	cause = cause_of(l, &other, x, y);
	free(expected);
	free(seen);
	report_close(&one);
	report_close(&other);
	add(b, cli_printf("it depends on %s", cause ? cause :
			  "something that the record does not show, such as uninitialised memory, addresses, or instructions like rdrand"));
}

/* --- keeping it ---------------------------------------------------------------------- */

static void tell_decision(const struct chess_run_result *run, const struct chess_plan *plan,
			  struct left_branch *b)
{
	size_t at = run->diverged_at;

	if (at == SIZE_MAX || at >= chess_schedule_length(plan->prefix))
		return;
	add(b, cli_printf("decision %zu requests T%u, which cannot run there", at + 1,
			  chess_schedule_task(plan->prefix, at)));
}

static char *write_branch(const struct left *l, struct chess_trace *t,
			  const struct chess_plan *plan, const struct left_branch *b)
{
	struct chess_schedule *asked = chess_schedule_copy(plan->prefix, plan->length);
	char *path = out_trace_name(l->dir, t->program, "diverged", NULL, NULL);

	t->verdict = CHESS_VERDICT_DIVERGED;
	t->asked = asked ? chess_schedule_encode(asked) : NULL;
	t->causes = (char **)b->causes;
	t->n_causes = b->n;
	chess_schedule_free(asked);
	if (!t->asked || !path || chess_trace_write(t, path)) {
		cli_note("a prefix that leads elsewhere could not be kept as a trace: %s",
			 chess_error());
		free(path);
		path = NULL;
	}
	free(t->asked);
	return path;
}

int left_keep(void *arg, const struct chess_plan *plan, const struct chess_run_result *run)
{
	struct chess_run_result again = { 0 };
	struct left *l = arg;
	struct left_branch *b = &l->branch[l->n];
	struct chess_trace t;
	const char *why;

	if (l->n == LEFT_MAX || !run->record || !plan->length ||
	    plan->policy != CHESS_POLICY_KIND_DEFAULT || session_interrupted())
		return 0;
	out_progress_end(l->progress);
	/* With a stack, so that it has its mappings as well. */
	if (chess_runner_run(l->s->runner, plan->prefix, plan->length, (uint32_t[]) { 1 }, 1,
			     &again) || !again.record) {
		chess_run_result_clear(&again);
		return 0;
	}
	session_trace(l->s, &again, &t);
	why = calls_of_prefix(l->s, plan->prefix, plan->length, &t);
	tell_decision(&again, plan, b);
	tell_difference(l, run, &t, b);
	tell_outside(run, b);
	find_written(l, &t, b);
	/* Those of another run are not part of this one. */
	if (why)
		calls_forget(&t);
	b->path = write_branch(l, &t, plan, b);
	b->unbounded = plan->unbounded;
	l->n++;
	calls_forget(&t);
	chess_run_result_clear(&again);
	return 0;
}

void left_print(const struct left *l, FILE *to)
{
	size_t i, k;

	for (i = 0; i < l->n; i++) {
		const struct left_branch *b = &l->branch[i];

		fprintf(to, "  left out%s%s%s:\n",
			b->unbounded ? " of the search without a bound, which was given up" : "",
			b->path ? ", kept as " : "", b->path ? b->path : "");
		for (k = 0; k < b->n; k++)
			fprintf(to, "    %s\n", b->causes[k]);
	}
}

struct json_object *left_json(const struct left *l)
{
	struct json_object *list = json_object_new_array();
	size_t i, k;

	for (i = 0; i < l->n; i++) {
		const struct left_branch *b = &l->branch[i];
		struct json_object *one = json_object_new_object();
		struct json_object *causes = json_object_new_array();
		char *path = b->path ? out_absolute(b->path) : NULL;

		out_json_string(one, "trace", path);
		for (k = 0; k < b->n; k++)
			json_object_array_add(causes, json_object_new_string(b->causes[k]));
		json_object_object_add(one, "causes", causes);
		json_object_array_add(list, one);
		free(path);
	}
	return list;
}

void left_clear(struct left *l)
{
	while (l->n) {
		struct left_branch *b = &l->branch[--l->n];

		free(b->path);
		while (b->n)
			free(b->causes[--b->n]);
	}
}
