// SPDX-License-Identifier: GPL-2.0-only
/*
 * See calls.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "cli.h"
#include "follow.h"
#include "where.h"

/* Each of its calls stops the task twice. */
#define EVENTS_MAX	20000
#define TASKS_MAX	1024
#define NAME_MAX_BYTES	16	/* TASK_COMM_LEN */

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
	char name[NAME_MAX_BYTES];	/* as ps has it, at the last look */
};

/* What the caller is sent: the number of an event or of a task, and a text. */
struct item {
	enum { A_CALL, A_NAME } kind;
	uint32_t number, length;
};

struct recording {
	struct session *s;
	const struct chess_record *record;
	const struct chess_schedule *asked;
	size_t n_asked;
	char *self;
	char program[NAME_MAX_BYTES];	/* what its first task is called from the start */
	struct task *task;
	size_t n_tasks;
};

/* --- the tracer ----------------------------------------------------------------- */

static void be_child(void *arg)
{
	const struct recording *rec = arg;
	struct chess_run_result res;

	if (chess_runner_run(rec->s->runner, rec->asked, rec->n_asked, NULL, 0, &res))
		_exit(NOT_RUN);
	_exit(res.record && chess_record_compare(rec->record, res.record) == SIZE_MAX ?
	      CAME_BACK : NOT_THE_SAME);
}

static struct task *task_of(struct recording *rec, pid_t pid)
{
	size_t i = rec->n_tasks;

	/* The last one: pids are used again. */
	while (i--)
		if (rec->task[i].pid == pid)
			return &rec->task[i];
	return NULL;
}

/* A task that is gone keeps the name that it had. */
static void look_at_name(struct task *t)
{
	char path[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", t->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = read(fd, t->name, sizeof(t->name));
	if (n > 0)
		t->name[n - 1] = 0;	/* in place of the newline */
	close(fd);
}

/* It begins with the name of its creator. */
static void add_task(struct recording *rec, pid_t pid)
{
	if (rec->n_tasks == TASKS_MAX)
		return;
	rec->task[rec->n_tasks].pid = pid;
	look_at_name(&rec->task[rec->n_tasks++]);
}

static bool is_name_file(pid_t pid, uint64_t fd)
{
	char path[48], file[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, (int)fd);
	n = readlink(path, file, sizeof(file) - 1);
	if (n < 0)
		return false;
	file[n] = 0;
	return n > 5 && !strcmp(file + n - 5, "/comm");
}

/* pthread_setname_np() writes the name of another thread to a file in /proc. */
static void note_names(struct recording *rec, struct task *t, const struct call_site *call)
{
	size_t i;

	switch (call->nr) {
	case SYS_prctl:
	case SYS_execve:
	case SYS_execveat:
		look_at_name(t);
		break;
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
		if (!is_name_file(t->pid, call->args[0]))
			break;
		for (i = 0; i < rec->n_tasks; i++)
			look_at_name(&rec->task[i]);
		break;
	}
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

static void note_exit(struct recording *rec, struct task *t,
		      const struct kernel_syscall_info *info)
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
	note_names(rec, t, &c->site);
}

static void note_call(void *arg, pid_t pid)
{
	struct kernel_syscall_info info = { 0 };
	struct recording *rec = arg;
	struct task *t = task_of(rec, pid);

	if (!t && !rec->n_tasks && follow_is_program(rec->self, pid)) {
		add_task(rec, pid);
		t = task_of(rec, pid);
		if (t)
			memcpy(rec->program, t->name, sizeof(rec->program));
	}
	if (!t || ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		note_entry(t, &info);
	else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
		note_exit(rec, t, &info);
}

static void note_task(void *arg, pid_t parent, pid_t pid)
{
	struct recording *rec = arg;

	if (task_of(rec, parent))
		add_task(rec, pid);
}

static bool is_of_event(const struct seen *c, const struct chess_event *e)
{
	if (c->site.nr != e->nr || c->ip != e->ip)
		return false;
	/* Of some the record does not say it. */
	return !c->ended || !e->result || c->result == e->result;
}

/* The calls of a task at its points, in their order; others are not points. */
static void match(struct recording *rec, size_t number, struct chess_trace_call *out)
{
	struct task *t = &rec->task[number];
	size_t i, k, at = 0;

	if (t->inside) {
		struct seen *c = &t->call[t->n - 1];

		c->text = call_unfinished(&c->site, c->text, c->rest);
	}
	for (i = 0; i < chess_record_length(rec->record); i++) {
		const struct chess_event *e = chess_record_event(rec->record, i);

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

static void send_item(int to, int kind, uint32_t number, const char *text)
{
	struct item item = { .kind = kind, .number = number, .length = strlen(text) };

	write_all(to, &item, sizeof(item));
	write_all(to, text, item.length);
}

static void send_calls(struct recording *rec, int to)
{
	size_t i, n = chess_record_length(rec->record);
	struct chess_trace_call *calls = cli_alloc(n, sizeof(*calls));

	for (i = 0; i < rec->n_tasks; i++)
		match(rec, i, calls);
	for (i = 0; i < n; i++)
		if (calls[i].text)
			send_item(to, A_CALL, calls[i].seq, calls[i].text);
	free(calls);
	n = chess_record_tasks(rec->record);
	for (i = 0; i < rec->n_tasks && i < n; i++)
		if (*rec->task[i].name && strcmp(rec->task[i].name, rec->program))
			send_item(to, A_NAME, i, rec->task[i].name);
}

static void __attribute__((noreturn)) be_tracer(struct recording *rec, int to)
{
	int code, status = follow_child(&(struct follow) {
		.child = be_child, .call = note_call, .made = note_task, .arg = rec,
	});

	if (status < 0)
		_exit(NOT_TRACED);
	code = WIFEXITED(status) ? WEXITSTATUS(status) : NOT_RUN;
	if (code == CAME_BACK || code == NOT_THE_SAME)
		send_calls(rec, to);
	_exit(code);
}

/* --- the caller ------------------------------------------------------------------- */

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

static void add_item(struct chess_trace *t, const struct item *item, char *text)
{
	if (item->kind == A_CALL) {
		t->calls = cli_realloc(t->calls, t->n_calls + 1, sizeof(*t->calls));
		t->calls[t->n_calls++] = (struct chess_trace_call){ item->number, text };
	} else {
		t->names = cli_realloc(t->names, t->n_names + 1, sizeof(*t->names));
		t->names[t->n_names++] = (struct chess_trace_name){ item->number, text };
	}
}

static void read_items(int fd, struct chess_trace *t)
{
	struct item item;

	while (read_all(fd, &item, sizeof(item))) {
		char *text = cli_alloc(item.length + 1, 1);

		if (!read_all(fd, text, item.length)) {
			free(text);
			return;
		}
		add_item(t, &item, text);
	}
}

void calls_forget(struct chess_trace *t)
{
	while (t->n_calls)
		free(t->calls[--t->n_calls].text);
	while (t->n_names)
		free(t->names[--t->n_names].name);
	free(t->calls);
	free(t->names);
	t->calls = NULL;
	t->names = NULL;
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

const char *calls_of_run(struct session *s, struct chess_trace *t)
{
	struct chess_schedule *whole = chess_record_schedule(t->record);
	const char *why;

	if (!whole)
		return "there is no memory for its schedule";
	why = calls_of_prefix(s, whole, chess_schedule_length(whole), t);
	chess_schedule_free(whole);
	if (why)
		calls_forget(t);
	return why;
}

const char *calls_of_prefix(struct session *s, const struct chess_schedule *asked,
			    size_t n_asked, struct chess_trace *t)
{
	struct recording rec = { .s = s, .record = t->record, .asked = asked, .n_asked = n_asked };
	int ends[2], status = 0;
	pid_t tracer;

	if (chess_record_length(t->record) > EVENTS_MAX)
		return "the run is too long for that";
	if (pipe2(ends, O_CLOEXEC))
		return "no pipe could be made";
	rec.self = where_self();
	rec.task = cli_alloc(TASKS_MAX, sizeof(*rec.task));
	fflush(NULL);
	/* It waits for all its children: ours are none of its business. */
	tracer = fork();
	if (!tracer) {
		close(ends[0]);
		be_tracer(&rec, ends[1]);
	}
	close(ends[1]);
	if (tracer > 0)
		read_items(ends[0], t);
	close(ends[0]);
	while (tracer > 0 && waitpid(tracer, &status, 0) < 0 && errno == EINTR)
		;
	free(rec.self);
	free(rec.task);
	return tracer > 0 ? why_not(status) : "no process could be made for it";
}
