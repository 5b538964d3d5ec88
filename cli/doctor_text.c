// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl doctor -- PROGRAM, for people: whether the runs are the same, and each source of
 * what differs as far as it can be seen. See doctor.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "doctor.h"
#include "out.h"

#define LINES_SHOWN		4
#define LINE_MAX		100
#define FILES_SHOWN		12

static void print_difference(const struct doctor *d, size_t i)
{
	const size_t at = d->account.diff[i].at;
	const unsigned int run = d->account.diff[i].run;
	struct chess_trace a, b;
	struct report first, other;
	const struct chess_event *x, *before;
	char *text;

	doctor_open_report(d, 0, &a, &first);
	doctor_open_report(d, run, &b, &other);
	x = chess_record_event(first.record, at);
	printf("\n%srecord%s: run 1 (expected) and run %u (seen)\n", out_bold(), out_plain(),
	       run + 1);
	report_difference(&first, at, &other, at, stdout);
	before = x ? chess_record_last_point(first.record, at, x->task) : NULL;
	if (before) {
		text = report_event(&first, before);
		printf("    before    %s, the same in both\n", text);
		free(text);
	}
	printf("    cause     %s\n", d->account.diff[i].cause);
	report_close(&first);
	report_close(&other);
}

/* Output of programs may hold anything; a terminal gets what can be read. */
static void print_line(unsigned int run, const char *text, size_t len)
{
	size_t i, shown = len < LINE_MAX ? len : LINE_MAX;

	printf("    run %-3u  ", run);
	if (!text) {
		printf("(no such line)\n");
		return;
	}
	putchar('|');
	for (i = 0; i < shown; i++)
		putchar((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i]);
	printf("%s\n", shown < len ? "..." : "");
}

static void print_output(const struct doctor_stream *s)
{
	size_t i;

	if (!s->run)
		return;
	printf("\n%s%s%s: run 1 and run %u\n", out_bold(), s->name, out_plain(), s->run + 1);
	for (i = 0; i < s->n && i < LINES_SHOWN; i++) {
		printf("  line %zu\n", s->lines[i].number);
		print_line(1, s->lines[i].a, s->lines[i].a_len);
		print_line(s->run + 1, s->lines[i].b, s->lines[i].b_len);
	}
	if (i < s->n)
		printf("  and more lines\n");
	if (!s->n)
		printf("  they differ after a zero byte, or in a newline at the end\n");
}

static void print_ends(const struct doctor *d)
{
	const struct chess_run_result *first = &d->run[0];
	unsigned int i = d->account.other_end;
	char *a, *b;

	if (!i)
		return;
	a = report_status(first->status);
	b = report_status(d->run[i].status);
	printf("\n%send%s\n    run 1    %s, %s\n    run %-3u  %s, %s\n", out_bold(), out_plain(),
	       chess_verdict_name(first->verdict), a, i + 1,
	       chess_verdict_name(d->run[i].verdict), b);
	free(a);
	free(b);
}

/* What the records show, whether or not it made a difference this time. */
static void print_record_hints(const struct doctor *d)
{
	const struct hints_record *h = &d->account.shown;
	struct chess_trace t;
	struct report r;
	const struct chess_event *e;
	char *text;

	if (d->s->real_time)
		printf("\n%stime%s: real (--real-time): sleeps, time-outs and clocks differ from run to run\n",
		       out_bold(), out_plain());
	doctor_open_report(d, 0, &t, &r);
	if (h->wakes) {
		e = chess_record_last_point(r.record, h->first_wake,
				      chess_record_event(r.record, h->first_wake)->task);
		text = e ? report_event(&r, e) : cli_printf("a task before its first point");
		printf("\n%soutside%s: %zu wake-up%s came from outside the group, the first ended %s\n",
		       out_bold(), out_plain(), h->wakes, h->wakes == 1 ? "" : "s", text);
		free(text);
	}
	report_close(&r);
	if (h->quanta)
		printf("\n%squantum%s: a loop without points was cut %zu time%s; where it was cut depends on time\n",
		       out_bold(), out_plain(), h->quanta, h->quanta == 1 ? "" : "s");
	if (h->stalls)
		printf("\n%sstall%s: the watchdog took the token %zu time%s\n", out_bold(),
		       out_plain(), h->stalls, h->stalls == 1 ? "" : "s");
	if (h->left)
		printf("\n%sleft%s: %zu task%s left control, what they do is not recorded\n",
		       out_bold(), out_plain(), h->left, h->left == 1 ? "" : "s");
}

/* "rdtsc 3 times, first in now+0x4 (0x1234)", one line for each instruction */
static void print_file(const struct doctor_file *f)
{
	size_t i;

	printf("  %s\n", f->path);
	for (i = 0; i < f->n; i++) {
		const struct chess_code_site *first = f->kind[i].first;
		size_t count = f->kind[i].count;

		printf("    %-7s %zu time%s, the first ", first->instruction, count,
		       count == 1 ? "" : "s");
		if (first->function)
			printf("in %s+0x%llx\n", first->function,
			       (unsigned long long)first->offset);
		else
			printf("at 0x%llx\n", (unsigned long long)first->address);
	}
}

static void print_sources(const struct doctor *d)
{
	size_t i;

	if (d->sources.n)
		printf("\n%sinputs%s that are not the same in every run\n", out_bold(), out_plain());
	for (i = 0; i < d->sources.n; i++)
		printf("  %s\n", d->sources.text[i]);
}

static void print_code_hints(const struct doctor_account *a)
{
	size_t i;

	if (a->n_files)
		printf("\n%sinstructions%s whose results chess does not control; whether they are executed is not known\n",
		       out_bold(), out_plain());
	for (i = 0; i < a->n_files && i < FILES_SHOWN; i++)
		print_file(&a->files[i]);
	if (a->n_files > FILES_SHOWN)
		printf("  and %zu files more\n", a->n_files - FILES_SHOWN);
}

static void print_conclusion(const struct doctor *d)
{
	const struct doctor_account *a = &d->account;
	char *command = out_quote(d->s->argv);

	if (!a->complete)
		printf("%sincomplete%s: %s: interrupted after %u of %u runs\n", out_bold(),
		       out_plain(), command, a->runs, a->wanted);
	if (a->identical)
		printf("%sdeterministic%s: %s: %u of %u runs are identical: record, output and end (%s)\n",
		       out_good(), out_plain(), command, a->runs, a->runs,
		       chess_verdict_name(d->run[0].verdict));
	else if (a->runs)
		printf("%snot deterministic%s: %s: %u of %u runs differ from the first\n",
		       out_bad(), out_plain(), command, a->runs - a->same, a->runs);
	free(command);
}

void doctor_text(const struct doctor *d)
{
	const struct doctor_account *a = &d->account;
	size_t i;

	print_conclusion(d);
	for (i = 0; i < a->n_diff; i++)
		print_difference(d, i);
	if (a->runs) {
		print_output(&a->stream[0]);
		print_output(&a->stream[1]);
		print_ends(d);
		print_record_hints(d);
	}
	print_sources(d);
	print_code_hints(a);
}
