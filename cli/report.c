// SPDX-License-Identifier: GPL-2.0-only
/*
 * The failure report, top down: verdict, where, the preemptions that mattered,
 * what every blocked task waits for, the steps, the program's last words, and
 * how to see it again. See report.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"
#include "out.h"
#include "race_report.h"
#include "report_parts.h"
#include "tracefile.h"

#define PREEMPTIONS_SHOWN	4

void report_open(struct report *r, const struct chess_trace *t)
{
	r->trace = t;
	r->record = t->record;
	r->symbols = symbols_new(t->maps);
	report_find_end(r);
}

void report_close(struct report *r)
{
	symbols_free(r->symbols);
	r->symbols = NULL;
}

bool report_is_partial(const struct chess_trace *t)
{
	size_t i = chess_record_length(t->record);

	if (t->verdict != CHESS_VERDICT_DEADLOCK)
		return false;
	while (i--) {
		const struct chess_event *e = chess_record_event(t->record, i);

		if (CHESS_EVENT_IS_DECISION(e->type))
			return e->chosen != CHESS_TASK_NONE;
	}
	return false;
}

static void print_verdict(const struct report *r, FILE *to)
{
	const struct chess_trace *t = r->trace;
	size_t preemptions = chess_record_preemptions(r->record);
	bool bug = chess_verdict_is_bug(t->verdict);
	char *command = out_quote(t->argv);
	size_t i;

	fprintf(to, "%s%s%s%s: %s\n", bug ? out_bad() : out_good(),
		chess_verdict_name(t->verdict), out_plain(),
		report_is_partial(t) ? " of some tasks, while others go on" : "", command);
	fprintf(to, "  %zu preemption%s, %zu tasks, %zu points, kernel %s\n", preemptions,
		preemptions == 1 ? "" : "s", chess_record_tasks(r->record),
		chess_record_points(r->record), t->kernel ? t->kernel : "unknown");
	for (i = 0; i < t->n_causes; i++)
		fprintf(to, "  %s\n", t->causes[i]);
	free(command);
}

/* Where the first task goes on, the run is one of a service (attach --explore). */
static bool has_ended(const struct chess_record *r, uint16_t task)
{
	size_t i = chess_record_length(r);

	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task == task &&
		    (e->type == CHESS_EVENT_EXIT || e->type == CHESS_EVENT_KILLED))
			return true;
	}
	return false;
}

static void print_where(const struct report *r, FILE *to)
{
	char *status;

	if (r->trace->verdict == CHESS_VERDICT_EXIT ||
	    (r->complained && r->bad_task < 0 && WIFEXITED(r->bad_status))) {
		status = report_status(r->trace->status);
		fprintf(to, "\n%s ended with %s\n", has_ended(r->record, 0) ? "T0" :
			"the command that asked for it", status);
		free(status);
		report_print_complaint(r, to);
		return;
	}
	if (r->trace->verdict == CHESS_VERDICT_LIVELOCK)
		report_print_livelock(r, to);
	if (r->bad_task < 0 || r->trace->n_waits)
		return;
	report_print_death(r, to);
	report_print_complaint(r, to);
}

/* "  T1   was about to  lock m    main() at a.c:3" */
static void print_step(const struct report *r, unsigned int task, const char *lead,
		       const struct chess_event *e, const char *more, FILE *to)
{
	char *op = e ? report_call(r, e) : cli_printf("run to its end");
	char *where = e ? report_where(r, e) : cli_printf("%s", "");

	fprintf(to, "  T%-3u %-13s ", task, lead);
	report_print_columns(to, op, where, more);
	free(op);
	free(where);
}

/* A deadline that passed early: who could have gone on, then whose wait was ended. */
static void print_early(const struct report *r, size_t i, FILE *to)
{
	const struct chess_event *e = chess_record_event(r->record, i), *next;
	bool instead = e->type == CHESS_EVENT_SPURIOUS, nothing = report_for_nothing(r->record, i);
	uint16_t task = instead ? e->task : e->chosen;
	uint16_t other = chess_record_default(r->record, i);

	if (e->type == CHESS_EVENT_POINT)
		print_step(r, e->task, "was about to", e, "", to);
	else if (instead)
		fprintf(to, "  the deadline of T%u's wait came next\n", task);
	else if (other == CHESS_TASK_NONE)
		fprintf(to, "  nobody could go on, and another deadline was earlier\n");
	else
		print_step(r, other, "could go on:", report_goes_on(r->record, i, other), "", to);
	next = report_goes_on(r->record, i, task);
	print_step(r, task, nothing ? "woke up in:" : "timed out in:", next,
		   nothing ? "for nothing (spurious), which counts as one" :
			     "early, so it counts as one", to);
}

/* Timers that went off early: who was to go on, and which decision they came before. */
static void print_expiry(const struct report *r, size_t i, FILE *to)
{
	const struct chess_event *e = chess_record_event(r->record, i), *next;

	for (next = e; next && !CHESS_EVENT_IS_TURN(next->type);)
		next = chess_record_event(r->record, ++i);
	if (next && next->type == CHESS_EVENT_POINT)
		print_step(r, next->task, "was about to", next, "", to);
	else if (next)
		fprintf(to, "  T%-3u was to go on behind its %s\n", next->task,
			chess_event_type_name(next->type));
	fprintf(to, "  a timer went off before, early, due at %.6f s\n", e->object / 1e9);
}

/* What a test limits its own time by goes off early as well. */
static void print_no_early(const struct report *r, FILE *to)
{
	size_t i, n = chess_record_length(r->record);

	if (!chess_verdict_is_bug(r->trace->verdict))
		return;
	for (i = 0; i < n; i++)
		if (chess_record_event(r->record, i)->flags & CHESS_OPF_EARLY &&
		    !report_for_nothing(r->record, i))
			break;
	if (i < n)
		fprintf(to, "  a time that passed early is part of this; if it is a time limit of a test, explore with --no-early\n");
}

/* Each is said to matter only where that is known. */
static void print_heading(const struct report *r, size_t total, FILE *to)
{
	const char *s = total == 1 ? "" : "s";

	if (!chess_verdict_is_bug(r->trace->verdict))
		fprintf(to, "\n%sits preemption%s%s\n", out_bold(), s, out_plain());
	else if (r->trace->minimal)
		fprintf(to, "\n%sthe preemption%s that mattered%s\n", out_bold(), s, out_plain());
	else
		fprintf(to, "\n%sa schedule that shows it, with %zu preemption%s%s: fewer may do (chessctl shrink)\n",
			out_bold(), total, s, out_plain());
}

static void print_preemptions(const struct report *r, FILE *to)
{
	size_t i, n = chess_record_length(r->record), total, shown = 0;

	total = chess_record_preemptions(r->record);
	for (i = 0; i < n && shown < PREEMPTIONS_SHOWN; i++) {
		const struct chess_event *e = chess_record_event(r->record, i);
		char *op, *where;

		if (!chess_record_is_preemption(r->record, i))
			continue;
		if (!shown++)
			print_heading(r, total, to);
		if (e->type == CHESS_EVENT_EXPIRE) {
			print_expiry(r, i, to);
			continue;
		}
		if (e->flags & CHESS_OPF_EARLY) {
			print_early(r, i, to);
			continue;
		}
		if (e->type == CHESS_EVENT_POINT) {
			print_step(r, e->task, "was about to", e, "", to);
		} else {
			where = report_where(r, e);
			op = cli_printf("go on (%s)", chess_event_type_name(e->type));
			fprintf(to, "  T%-3u was about to  ", e->task);
			report_print_columns(to, op, where, "");
			free(op);
			free(where);
		}
		print_step(r, e->chosen, "ran instead:", report_instead(r->record, i), "", to);
	}
	if (total > shown)
		fprintf(to, "  and %zu more\n", total - shown);
	print_no_early(r, to);
}

void report_print(const struct report *r, FILE *to, const char *path)
{
	char *quoted;

	print_verdict(r, to);
	print_where(r, to);
	race_report_print(r, to);
	print_preemptions(r, to);
	report_print_waits(r, to);
	steps_print(r, to);
	report_print_output(r, to);
	if (path && !tracefile_is_attached(r->trace)) {
		quoted = out_quote((char *[]){ (char *)path, NULL });
		fprintf(to, "\nreplay it with: chessctl replay %s\n", quoted);
		free(quoted);
	}
}
