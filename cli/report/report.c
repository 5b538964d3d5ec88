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
#include "report/names.h"
#include "report/race_report.h"
#include "report/report_parts.h"
#include "tracefile.h"

#define PREEMPTIONS_SHOWN	4

size_t *report_decisions(const struct chess_record *r, size_t *n)
{
	size_t *list = cli_alloc(chess_record_length(r) + 1, sizeof(*list)), i;

	*n = 0;
	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type && CHESS_EVENT_IS_DECISION(e->type) && e->chosen != CHESS_TASK_NONE)
			list[(*n)++] = i;
	}
	return list;
}

void report_open(struct report *r, const struct chess_trace *t)
{
	r->trace = t;
	r->record = t->record;
	r->symbols = symbols_new(t->maps);
	if (chess_account_of(t, &r->run))
		cli_no_memory();
}

void report_close(struct report *r)
{
	chess_account_clear(&r->run);
	symbols_free(r->symbols);
	r->symbols = NULL;
}

static void print_verdict(const struct report *r, FILE *to)
{
	const struct chess_trace *t = r->trace;
	size_t preemptions = r->run.n_preemptions;
	bool bug = chess_verdict_is_bug(t->verdict);
	char *command = out_quote(t->argv);
	size_t i;

	fprintf(to, "%s%s%s%s: %s\n", bug ? out_bad() : out_good(),
		chess_verdict_name(t->verdict), out_plain(),
		r->run.partial ? " of some tasks, while others continue" : "", command);
	fprintf(to, "  %zu preemption%s, %zu tasks, %zu points, kernel %s\n", preemptions,
		preemptions == 1 ? "" : "s", chess_record_tasks(r->record),
		chess_record_points(r->record), t->kernel ? t->kernel : "unknown");
	report_print_names(r, to);
	for (i = 0; i < t->n_causes; i++)
		fprintf(to, "  %s\n", t->causes[i]);
	free(command);
}

static void print_where(const struct report *r, FILE *to)
{
	char *status;

	if (r->trace->verdict == CHESS_VERDICT_EXIT ||
	    (r->run.complained && r->run.bad_task < 0 && WIFEXITED(r->run.bad_status))) {
		status = report_status(r->trace->status);
		fprintf(to, "\n%s ended with %s\n", r->run.root_ended ? "T0" :
			"the command that asked for it", status);
		free(status);
		report_print_complaint(r, to);
		return;
	}
	if (r->trace->verdict == CHESS_VERDICT_LIVELOCK)
		report_print_livelock(r, to);
	if (r->run.bad_task < 0 || r->trace->n_waits)
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

/*
 * A deadline that passed early, or a wait without a wake-up: the task that could have gone
 * on, then whose wait ended.
 */
static void print_early(const struct report *r, const struct chess_account_preemption *p, FILE *to)
{
	const struct chess_event *e = chess_record_event(r->record, p->at);

	if (p->other == p->chosen)
		fprintf(to, "  the deadline of T%u's wait came next\n", p->chosen);
	else if (p->other == CHESS_TASK_NONE)
		fprintf(to, "  no task could run, and another deadline was earlier\n");
	else
		print_step(r, p->other, e->type == CHESS_EVENT_POINT ? "was about to" :
			   "could run:", p->kept, "", to);
	print_step(r, p->chosen, p->for_nothing ? "woke up in:" : "timed out in:", p->instead,
		   p->for_nothing ? "spuriously, which counts as one" :
				    "early, so it counts as one", to);
}

/* Timers that went off early, before which decision. */
static void print_expiry(const struct report *r, const struct chess_account_preemption *p, FILE *to)
{
	const struct chess_event *e = chess_record_event(r->record, p->at);
	const struct chess_event *next = chess_record_event(r->record, p->before);

	if (next && next->type == CHESS_EVENT_POINT)
		print_step(r, next->task, "was about to", next, "", to);
	else if (next)
		fprintf(to, "  T%-3u would have continued after its %s\n", next->task,
			chess_event_type_name(next->type));
	fprintf(to, "  a timer went off before, early, due at %.6f s\n", e->object / 1e9);
}

/* What a test limits its own time by goes off early as well. */
static void print_no_early(const struct report *r, FILE *to)
{
	if (chess_verdict_is_bug(r->trace->verdict) && r->run.early)
		fprintf(to, "  a time that passed early is part of this; if it is a time limit of a test, explore with --no-early or --early-max SEC\n");
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

static void print_preemption(const struct report *r, const struct chess_account_preemption *p,
			     FILE *to)
{
	const struct chess_event *e = chess_record_event(r->record, p->at);
	char *op, *where;

	if (e->type == CHESS_EVENT_POINT) {
		print_step(r, e->task, "was about to", e, "", to);
	} else {
		where = report_where(r, e);
		op = cli_printf("continue (%s)", chess_event_type_name(e->type));
		fprintf(to, "  T%-3u was about to  ", e->task);
		report_print_columns(to, op, where, "");
		free(op);
		free(where);
	}
	print_step(r, e->chosen, "ran instead:", p->instead, "", to);
}

void report_print_preemption(const struct report *r, const struct chess_account_preemption *p,
			     FILE *to)
{
	if (chess_record_event(r->record, p->at)->type == CHESS_EVENT_EXPIRE)
		print_expiry(r, p, to);
	else if (p->early)
		print_early(r, p, to);
	else
		print_preemption(r, p, to);
}

static void print_preemptions(const struct report *r, FILE *to)
{
	size_t i, total = r->run.n_preemptions;

	for (i = 0; i < total && i < PREEMPTIONS_SHOWN; i++) {
		if (!i)
			print_heading(r, total, to);
		report_print_preemption(r, &r->run.preemptions[i], to);
	}
	if (total > i)
		fprintf(to, "  and %zu more\n", total - i);
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
