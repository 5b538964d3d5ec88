// SPDX-License-Identifier: GPL-2.0-only
/*
 * See calls.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
/* Not with sys/ptrace.h's own struct of that name. */
#define ptrace_syscall_info kernel_syscall_info
#define ptrace_peeksiginfo_args kernel_peeksiginfo_args
#define ptrace_rseq_configuration kernel_rseq_configuration
#include <linux/ptrace.h>

#include "calls.h"
#include "cli.h"
#include "where.h"

/* Each of its calls stops the task twice. */
#define EVENTS_MAX	20000
#define TASKS_MAX	1024

/* What the tracer's exit code says. */
enum { CAME_BACK = 0, NOT_TRACED, NOT_RUN, NOT_THE_SAME };

/* A call, from its entry on. */
struct seen {
	struct call_site site;
	uint64_t ip;
	int64_t result;
	bool ended;
	char *text;
	size_t rest;
};

/* A task of the program, in the order in which they were made. */
struct task {
	pid_t pid;
	struct seen *call;
	size_t n, room;
	bool inside;		/* of the last one */
};

struct look {
	struct session *s;
	const struct chess_record *record;
	const struct chess_schedule *asked;
	size_t n_asked;
	pid_t child;
	char *self;
	struct task *task;
	size_t n_tasks;
};

/* --- the tracer ----------------------------------------------------------------- */

static void __attribute__((noreturn)) be_child(const struct look *l, int go)
{
	struct chess_run_result res;
	char c;

	/* Until we are traced. */
	if (read(go, &c, 1) != 1 ||
	    chess_runner_run(l->s->runner, l->asked, l->n_asked, NULL, 0, &res))
		_exit(NOT_RUN);
	_exit(res.record && chess_record_compare(l->record, res.record) == SIZE_MAX ?
	      CAME_BACK : NOT_THE_SAME);
}

static struct task *task_of(struct look *l, pid_t pid)
{
	size_t i = l->n_tasks;

	/* The last one: pids are used again. */
	while (i--)
		if (l->task[i].pid == pid)
			return &l->task[i];
	return NULL;
}

static void add_task(struct look *l, pid_t pid)
{
	if (l->n_tasks < TASKS_MAX)
		l->task[l->n_tasks++].pid = pid;
}

/* Helpers of the runner, and the program's task until its execve, are chessctl. */
static bool is_program(const struct look *l, pid_t pid)
{
	char path[64], exe[4096];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	n = readlink(path, exe, sizeof(exe) - 1);
	if (n <= 0)
		return false;
	exe[n] = '\0';
	return strcmp(exe, l->self) != 0;
}

/* What was begun and skipped by the module is begun again later on. */
static void drop_last(struct task *t)
{
	free(t->call[--t->n].text);
	t->inside = false;
}

static void note_entry(struct task *t, const struct kernel_syscall_info *info)
{
	struct seen *c;

	if (t->inside)
		drop_last(t);
	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->call = reallocarray(t->call, t->room, sizeof(*t->call));
		if (!t->call)
			_exit(NOT_TRACED);
	}
	c = &t->call[t->n++];
	*c = (struct seen) { .site = { .pid = t->pid, .nr = info->entry.nr },
			     .ip = info->instruction_pointer };
	memcpy(c->site.args, info->entry.args, sizeof(c->site.args));
	c->text = call_begin(&c->site, &c->rest);
	t->inside = true;
}

static void note_exit(struct task *t, const struct kernel_syscall_info *info)
{
	struct user_regs_struct regs;
	struct seen *c;

	if (!t->inside)
		return;
	if (!ptrace(PTRACE_GETREGS, t->pid, 0, &regs) && regs.orig_rax == -1ULL) {
		drop_last(t);
		return;
	}
	c = &t->call[t->n - 1];
	c->result = info->exit.rval;
	c->ended = true;
	c->text = call_end(&c->site, c->text, c->rest, c->result);
	t->inside = false;
}

static void look_at_call(struct look *l, pid_t pid)
{
	struct kernel_syscall_info info = { 0 };
	struct task *t = task_of(l, pid);

	if (!t && !l->n_tasks && is_program(l, pid)) {
		add_task(l, pid);
		t = task_of(l, pid);
	}
	if (!t || ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		note_entry(t, &info);
	else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
		note_exit(t, &info);
}

static void handle_stop(struct look *l, pid_t pid, int status)
{
	int sig = WSTOPSIG(status), event = status >> 16, pass = 0;
	unsigned long made;

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) {
		/* Stopped by a signal: it stays so until SIGCONT. */
		ptrace(PTRACE_LISTEN, pid, 0, 0);
		return;
	}
	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE) {
		if (task_of(l, pid) && !ptrace(PTRACE_GETEVENTMSG, pid, 0, &made))
			add_task(l, made);
	} else if (!event && sig == (SIGTRAP | 0x80)) {
		look_at_call(l, pid);
	} else if (!event) {
		pass = sig;
	}
	ptrace(pid == l->child ? PTRACE_CONT : PTRACE_SYSCALL, pid, 0, pass);
}

/* Return: exit code of the child. */
static int watch(struct look *l)
{
	int status;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &status, __WALL);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return NOT_TRACED;
		if (WIFSTOPPED(status))
			handle_stop(l, pid, status);
		else if (pid == l->child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_RUN;
	}
}

static bool is_of_event(const struct seen *c, const struct chess_event *e)
{
	if (c->site.nr != e->nr || c->ip != e->ip)
		return false;
	/* Of some the record does not say it. */
	return !c->ended || !e->result || c->result == e->result;
}

/* The calls of a task at its points, in their order; others are no points. */
static void match(struct look *l, size_t number, struct chess_trace_call *out)
{
	struct task *t = &l->task[number];
	size_t i, k, at = 0;

	if (t->inside) {
		struct seen *c = &t->call[t->n - 1];

		c->text = call_unfinished(&c->site, c->text, c->rest);
	}
	for (i = 0; i < chess_record_length(l->record); i++) {
		const struct chess_event *e = chess_record_event(l->record, i);

		if (e->type != CHESS_EVENT_POINT || e->task != number ||
		    (e->flags & CHESS_OPF_PROBE))
			continue;
		for (k = at; k < t->n && !is_of_event(&t->call[k], e); k++)
			;
		if (k == t->n)
			continue;
		out[i] = (struct chess_trace_call) { .seq = e->seq, .text = t->call[k].text };
		at = k + 1;
	}
}

static void write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(NOT_TRACED);
		at += n;
		size -= n;
	}
}

static void tell(struct look *l, int to)
{
	size_t i, n = chess_record_length(l->record);
	struct chess_trace_call *calls = cli_alloc(n, sizeof(*calls));

	for (i = 0; i < l->n_tasks; i++)
		match(l, i, calls);
	for (i = 0; i < n; i++) {
		uint32_t head[2] = { calls[i].seq };

		if (!calls[i].text)
			continue;
		head[1] = strlen(calls[i].text);
		write_all(to, head, sizeof(head));
		write_all(to, calls[i].text, head[1]);
	}
	free(calls);
}

static void __attribute__((noreturn)) be_tracer(struct look *l, int to)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE |
			     PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
	int go[2], code;

	if (pipe2(go, O_CLOEXEC))
		_exit(NOT_TRACED);
	l->child = fork();
	if (!l->child) {
		close(go[1]);
		be_child(l, go[0]);
	}
	if (l->child < 0)
		_exit(NOT_TRACED);
	close(go[0]);
	if (ptrace(PTRACE_SEIZE, l->child, 0, options) || write(go[1], "", 1) != 1) {
		close(go[1]);
		waitpid(l->child, NULL, 0);
		_exit(NOT_TRACED);
	}
	code = watch(l);
	if (code == CAME_BACK || code == NOT_THE_SAME)
		tell(l, to);
	_exit(code);
}

/* --- who asks for it -------------------------------------------------------------- */

static bool read_all(int fd, void *to, size_t size)
{
	char *at = to;

	while (size) {
		ssize_t n = read(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= n;
	}
	return true;
}

static void read_calls(int fd, struct chess_trace_call **out, size_t *n)
{
	uint32_t head[2];

	while (read_all(fd, head, sizeof(head))) {
		char *text = cli_alloc(head[1] + 1, 1);

		if (!read_all(fd, text, head[1])) {
			free(text);
			return;
		}
		*out = reallocarray(*out, *n + 1, sizeof(**out));
		if (!*out)
			abort();
		(*out)[(*n)++] = (struct chess_trace_call) { .seq = head[0], .text = text };
	}
}

void calls_free(struct chess_trace_call *calls, size_t n)
{
	while (n)
		free(calls[--n].text);
	free(calls);
}

static const char *why_not(int status)
{
	switch (WIFEXITED(status) ? WEXITSTATUS(status) : NOT_TRACED) {
	case CAME_BACK:
		return NULL;
	case NOT_RUN:
		return "it could not be run again";
	case NOT_THE_SAME:
		return "the program does something else when it is traced (ptrace)";
	default:
		return "it could not be traced (ptrace)";
	}
}

const char *calls_of_run(struct session *s, const struct chess_record *record,
			 struct chess_trace_call **out, size_t *n)
{
	struct chess_schedule *whole = chess_record_schedule(record);
	const char *why;

	if (!whole)
		return "there is no memory for its schedule";
	why = calls_of_prefix(s, whole, chess_schedule_length(whole), record, out, n);
	chess_schedule_free(whole);
	if (why) {
		calls_free(*out, *n);
		*out = NULL;
		*n = 0;
	}
	return why;
}

const char *calls_of_prefix(struct session *s, const struct chess_schedule *asked,
			    size_t n_asked, const struct chess_record *record,
			    struct chess_trace_call **out, size_t *n)
{
	struct look l = { .s = s, .record = record, .asked = asked, .n_asked = n_asked };
	int ends[2], status = 0;
	pid_t tracer;

	*out = NULL;
	*n = 0;
	if (chess_record_length(record) > EVENTS_MAX)
		return "the run is too long for that";
	if (pipe2(ends, O_CLOEXEC))
		return "no pipe could be made";
	l.self = where_self();
	l.task = cli_alloc(TASKS_MAX, sizeof(*l.task));
	fflush(NULL);
	/* It waits for all its children: ours are none of its business. */
	tracer = fork();
	if (!tracer) {
		close(ends[0]);
		be_tracer(&l, ends[1]);
	}
	close(ends[1]);
	if (tracer > 0)
		read_calls(ends[0], out, n);
	close(ends[0]);
	while (tracer > 0 && waitpid(tracer, &status, 0) < 0 && errno == EINTR)
		;
	free(l.self);
	free(l.task);
	return tracer > 0 ? why_not(status) : "no process could be made for it";
}
