// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers to the gdb command "chess", see gdb_talk.h. How far the run is the module knows, as a
 * number of decisions: under gdb, wake-ups stand elsewhere in the record, decisions do not. What
 * the tasks are at is what the trace says of that decision.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "gdb_talk.h"
#include "report/report_parts.h"

#define LINE_MAX_BYTES	256

struct talk {
	struct chess_ctl *ctl;
	uint32_t group;
	struct report report;
	size_t *event, n;	/* by number of a decision */
	struct gdb_talk_shared *shared;
};

/* How many decisions have been taken? */
static size_t taken(const struct talk *t)
{
	struct chess_group_info info;

	return chess_group_get(t->ctl, t->group, &info) ? 0 : info.decisions;
}

/* Index of the event whose decision is next; the number of events after all of them. */
static size_t here(const struct talk *t)
{
	size_t k = taken(t);

	return k < t->n ? t->event[k] : chess_record_length(t->report.record);
}

static void refuse(const char *sentence)
{
	printf("!%s\n", sentence);
}

/* Where the task of decision number @k comes to its point; for gdb, then for people. */
static void say_place(const struct talk *t, size_t k)
{
	const struct chess_event *e = chess_record_event(t->report.record, t->event[k]);
	char *text = report_event(&t->report, e);
	bool call = e->flags & CHESS_OPF_PROBE && e->caller;
	uint64_t address = e->ip;

	/* The instruction of a system call has two bytes, and lies before where it continues. */
	if (call)
		address = e->caller;
	else if (!(e->flags & CHESS_OPF_PROBE))
		address -= 2;
	printf("%s %llx %zu\nevent %u: %s\n", call ? "call" : "here",
	       (unsigned long long)address, k, e->seq, text);
	free(text);
}

static bool is_point(const struct talk *t, size_t k)
{
	return chess_record_event(t->report.record, t->event[k])->type == CHESS_EVENT_POINT;
}

/* "at 17" */
static void answer_at(const struct talk *t, const char *rest)
{
	unsigned long seq = strtoul(rest, NULL, 10);
	size_t k;

	for (k = 0; k < t->n && t->event[k] + 1 < seq; k++)
		;
	while (k < t->n && !is_point(t, k))
		k++;
	if (!seq || k == t->n)
		refuse("the trace has no point at or after this event");
	else if (k < taken(t))
		refuse("the run is past this event; 'chess back' goes to it in a new replay");
	else
		say_place(t, k);
}

/* "next 5", "next 5 T1": the first point from decision 5 on */
static void answer_next(const struct talk *t, const char *rest, bool preempted)
{
	char *end;
	size_t k = strtoul(rest, &end, 10);
	unsigned int task;
	bool any = sscanf(end, " T%u", &task) != 1;

	for (; k < t->n; k++) {
		const struct chess_event *e = chess_record_event(t->report.record, t->event[k]);

		if (is_point(t, k) && (any || e->task == task) &&
		    (!preempted || chess_record_is_preemption(t->report.record, t->event[k])))
			break;
	}
	if (k == t->n)
		refuse(preempted ? "no task is preempted in the rest of the trace" :
		       "the rest of the trace has no such decision");
	else
		say_place(t, k);
}

/* "why T1" */
static void answer_why(const struct talk *t, const char *rest)
{
	uint32_t seq = here(t);
	struct report so_far = t->report;
	const struct chess_wait *w;
	struct chess_wait *waits, shown;
	unsigned int task;
	size_t n = 0;

	if (sscanf(rest, "T%u", &task) != 1 || task >= chess_record_tasks(t->report.record)) {
		refuse("there is no such task in the trace; tasks are T0, T1 and so on");
		return;
	}
	so_far.record = chess_record_cut(t->report.record, seq);
	if (!so_far.record || chess_waits_at(so_far.record, seq, &waits, &n))
		cli_no_memory();
	w = chess_wait_of(waits, n, task);
	if (w) {
		shown = *w;
		shown.text = (char *)"blocked";
		report_print_wait(&so_far, &shown, stdout);
	} else {
		printf("  T%u does not wait\n", task);
	}
	chess_waits_free(waits, n);
	chess_record_free((struct chess_record *)so_far.record);
}

static void answer_back(const struct talk *t, const char *rest)
{
	unsigned long seq = strtoul(rest, NULL, 10);

	if (!seq || seq > chess_record_length(t->report.record))
		refuse("the trace has no such event");
	else
		t->shared->again = seq;
}

/* The first time counts: what comes later is the end of the program. */
static void answer_leave(const struct talk *t)
{
	if (t->shared->left)
		return;
	t->shared->decisions = taken(t);
	t->shared->left = true;
}

static void answer_where(const struct talk *t)
{
	size_t i = here(t), n = chess_record_length(t->report.record);
	char *text = report_event(&t->report,
				  i < n ? chess_record_event(t->report.record, i) : NULL);

	if (i < n)
		printf("event %zu: %s\n", i + 1, text);
	else
		printf("%s\n", text);
	free(text);
}

static void answer(const struct talk *t, const char *line)
{
	size_t i;

	if (!strcmp(line, "decisions")) {
		printf("%zu\n", taken(t));
	} else if (!strcmp(line, "tasks")) {
		i = here(t);
		tasks_print(&t->report, i ? i : 1);
	} else if (!strcmp(line, "where")) {
		answer_where(t);
	} else if (!strncmp(line, "at ", 3)) {
		answer_at(t, line + 3);
	} else if (!strncmp(line, "next ", 5)) {
		answer_next(t, line + 5, false);
	} else if (!strncmp(line, "preempted ", 10)) {
		answer_next(t, line + 10, true);
	} else if (!strncmp(line, "why ", 4)) {
		answer_why(t, line + 4);
	} else if (!strncmp(line, "back ", 5)) {
		answer_back(t, line + 5);
	} else if (!strcmp(line, "leave")) {
		answer_leave(t);
	} else {
		refuse("chessctl does not know this question");
	}
	printf(".\n");
	fflush(stdout);
}

static void __attribute__((noreturn)) serve(int fd, uint32_t group, const struct chess_trace *trace,
					    struct gdb_talk_shared *shared)
{
	struct talk t = { .group = group, .shared = shared };
	char line[LINE_MAX_BYTES];
	FILE *asked = fdopen(fd, "r");

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* What the files of the report print goes to gdb. */
	if (!asked || dup2(fd, STDOUT_FILENO) < 0)
		_exit(CLI_ENVIRONMENT);
	t.ctl = chess_ctl_open();
	report_open(&t.report, trace);
	t.event = report_decisions(t.report.record, &t.n);
	while (t.ctl && fgets(line, sizeof(line), asked)) {
		line[strcspn(line, "\n")] = 0;
		answer(&t, line);
	}
	_exit(CLI_OK);
}

int gdb_talk_start(struct gdb_talk *talk, uint32_t group, const struct chess_trace *t)
{
	int fd[2];

	*talk = (struct gdb_talk){ .pid = -1, .fd = -1 };
	talk->shared = mmap(NULL, sizeof(*talk->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (talk->shared == MAP_FAILED)
		talk->shared = NULL;
	if (!talk->shared || socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return -errno;
	fflush(stdout);
	talk->pid = fork();
	if (!talk->pid) {
		close(fd[0]);
		serve(fd[1], group, t, talk->shared);
	}
	close(fd[1]);
	talk->fd = fd[0];
	return talk->pid < 0 ? -errno : 0;
}

uint32_t gdb_talk_end(struct gdb_talk *talk)
{
	uint32_t again = 0;
	int status;

	if (talk->fd >= 0)
		close(talk->fd);
	if (talk->pid > 0) {
		waitpid(talk->pid, &status, 0);
		again = talk->shared->again;
	}
	return again;
}
