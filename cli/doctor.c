// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program a few times under one prefix, the empty one, and compares what
 * happened, what was printed and how it ended. What differs comes from something
 * that is not under control; each such source is named as far as it can be seen:
 * the first event that differs with both sides, lines of output, and hints from
 * the record and from the code. See doctor.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "doctor.h"
#include "hints.h"
#include "out.h"
#include "report/report.h"

#define LINES_SHOWN		4
#define LINE_MAX		100
#define FILES_SHOWN		12

/* -1, or an exit code after one sentence */
static int run_all(struct doctor *d)
{
	while (d->n < d->wanted && !session_interrupted()) {
		if (chess_runner_run(d->s->runner, NULL, 0, NULL, 0, &d->run[d->n])) {
			if (session_interrupted())
				break;
			return cli_fail(CLI_ENVIRONMENT, "run %u ended: %s", d->n + 1,
					chess_error());
		}
		if (d->run[d->n].verdict == CHESS_VERDICT_INCOMPLETE)
			cli_note("run %u is incomplete: %s", d->n + 1, chess_error());
		d->n++;
	}
	return -1;
}

static bool same_text(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && !memcmp(a, b, a_len);
}

/* Events that differ first at one place have one source: one pair of them is shown. */
static void note_difference(struct doctor *d, unsigned int run, size_t at)
{
	size_t i;

	for (i = 0; i < d->n_diff; i++)
		if (d->diff[i].at == at)
			return;
	if (d->n_diff == DOCTOR_DIFFERENCES)
		return;
	d->diff[d->n_diff].at = at;
	d->diff[d->n_diff++].run = run;
}

static void compare_all(struct doctor *d)
{
	const struct chess_run_result *first = &d->run[0];
	unsigned int i;

	for (i = 0; i < d->n; i++) {
		const struct chess_run_result *r = &d->run[i];
		size_t at = chess_record_compare(first->record, r->record);

		if (at != SIZE_MAX)
			note_difference(d, i, at);
		d->same += at == SIZE_MAX && r->verdict == first->verdict &&
			   r->status == first->status &&
			   same_text(first->out, first->out_len, r->out, r->out_len) &&
			   same_text(first->err, first->err_len, r->err, r->err_len);
	}
}

/* A stack of the extra run says where an event is, if that run had the same event. */
static void lend_stack(struct chess_record *to, const struct chess_record *from, size_t i)
{
	const struct chess_event *a = chess_record_event(to, i), *b = chess_record_event(from, i);
	const struct chess_stack *stack = b ? chess_record_stack(from, b->seq) : NULL;

	if (a && stack && !memcmp(a, b, sizeof(*a)) && !chess_record_stack(to, a->seq))
		chess_record_push_stack(to, stack, sizeof(*stack) + stack->size);
}

static size_t last_point_index(const struct chess_record *r, size_t at, uint16_t task)
{
	const struct chess_event *e = chess_record_last_point(r, at, task);

	return e ? e->seq - 1 : SIZE_MAX;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Once more, with stacks at the differences and at what stands before them. */
static void run_for_places(struct doctor *d)
{
	uint32_t seqs[2 * DOCTOR_DIFFERENCES];
	struct chess_record *first = d->run[0].record;
	size_t n = 0, i, k;

	for (i = 0; i < d->n_diff; i++) {
		const struct chess_event *e = chess_record_event(first, d->diff[i].at);
		size_t before = e ? last_point_index(first, d->diff[i].at, e->task) : SIZE_MAX;

		seqs[n++] = d->diff[i].at + 1;
		if (before != SIZE_MAX)
			seqs[n++] = before + 1;
	}
	qsort(seqs, n, sizeof(*seqs), by_number);
	for (i = 0, k = 0; i < n; i++)
		if (!k || seqs[k - 1] != seqs[i])
			seqs[k++] = seqs[i];
	if (!k || session_interrupted() ||
	    chess_runner_run(d->s->runner, NULL, 0, seqs, k, &d->again))
		return;
	for (i = 0; i < k; i++) {
		unsigned int run;

		for (run = 0; run < d->n; run++)
			lend_stack(d->run[run].record, d->again.record, seqs[i] - 1);
	}
}

void doctor_open_report(const struct doctor *d, unsigned int run, struct chess_trace *t,
			struct report *r)
{
	session_trace(d->s, &d->run[run], t);
	if (!t->maps)
		t->maps = d->again.maps;
	report_open(r, t);
}

static void print_difference(const struct doctor *d, size_t i)
{
	const size_t at = d->diff[i].at;
	const unsigned int run = d->diff[i].run;
	struct chess_trace a, b;
	struct report first, other;
	const struct chess_event *x, *y, *before;
	char *text;

	doctor_open_report(d, 0, &a, &first);
	doctor_open_report(d, run, &b, &other);
	x = chess_record_event(first.record, at);
	y = chess_record_event(other.record, at);
	printf("\n%srecord%s: run 1 (expected) and run %u (seen)\n", out_bold(), out_plain(),
	       run + 1);
	report_difference(&first, at, &other, at, stdout);
	before = x ? chess_record_last_point(first.record, at, x->task) : NULL;
	if (before) {
		text = report_event(&first, before);
		printf("    before    %s, the same in both\n", text);
		free(text);
	}
	printf("    cause     %s\n", hints_cause(x, y));
	report_close(&first);
	report_close(&other);
}

/* Output of programs may contain anything; a terminal gets what can be read. */
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

unsigned int doctor_other_output(const struct doctor *d, bool err)
{
	const struct chess_run_result *first = &d->run[0], *r;
	unsigned int i;

	for (i = 1; i < d->n; i++) {
		r = &d->run[i];
		if (err ? !same_text(first->err, first->err_len, r->err, r->err_len) :
			  !same_text(first->out, first->out_len, r->out, r->out_len))
			break;
	}
	return i;
}

unsigned int doctor_other_end(const struct doctor *d)
{
	unsigned int i;

	for (i = 1; i < d->n; i++)
		if (d->run[i].verdict != d->run[0].verdict || d->run[i].status != d->run[0].status)
			break;
	return i;
}

static void print_output(const struct doctor *d, const char *name, bool err)
{
	const char *first = err ? d->run[0].err : d->run[0].out;
	unsigned int i = doctor_other_output(d, err), shown = 0;
	struct hints_line line = { 0 };

	if (i >= d->n)
		return;
	printf("\n%s%s%s: run 1 and run %u\n", out_bold(), name, out_plain(), i + 1);
	while (hints_next_line(first, err ? d->run[i].err : d->run[i].out, &line)) {
		if (shown++ == LINES_SHOWN) {
			printf("  and more lines\n");
			break;
		}
		printf("  line %zu\n", line.number);
		print_line(1, line.a, line.a_len);
		print_line(i + 1, line.b, line.b_len);
	}
	if (!shown)
		printf("  they differ behind a zero byte, or in a newline at the end\n");
}

static void print_ends(const struct doctor *d)
{
	const struct chess_run_result *first = &d->run[0];
	unsigned int i = doctor_other_end(d);
	char *a, *b;

	if (i >= d->n)
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
	struct hints_record h;
	struct chess_trace t;
	struct report r;
	const struct chess_event *e;
	char *text;

	if (d->s->real_time)
		printf("\n%stime%s: real (--real-time): sleeps, time-outs and clocks differ from run to run\n",
		       out_bold(), out_plain());
	hints_find(d->run[0].record, &h);
	doctor_open_report(d, 0, &t, &r);
	if (h.wakes) {
		e = chess_record_last_point(r.record, h.first_wake,
				      chess_record_event(r.record, h.first_wake)->task);
		text = e ? report_event(&r, e) : cli_printf("a task before its first point");
		printf("\n%soutside%s: %zu wake-up%s came from outside the group, the first ended %s\n",
		       out_bold(), out_plain(), h.wakes, h.wakes == 1 ? "" : "s", text);
		free(text);
	}
	report_close(&r);
	if (h.quanta)
		printf("\n%squantum%s: a loop without points was cut %zu time%s; where depends on time\n",
		       out_bold(), out_plain(), h.quanta, h.quanta == 1 ? "" : "s");
	if (h.stalls)
		printf("\n%sstall%s: the watchdog took the token %zu time%s\n", out_bold(),
		       out_plain(), h.stalls, h.stalls == 1 ? "" : "s");
	if (h.left)
		printf("\n%sleft%s: %zu task%s left control, what they do is not recorded\n",
		       out_bold(), out_plain(), h.left, h.left == 1 ? "" : "s");
}

/* The C library and the loader use them at the start of every program, harmlessly. */
static bool is_libc(const char *path)
{
	static const char *const heads[] = { "libc.so", "libc-2", "ld-", "ld.so", "libc.musl" };
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t i;

	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strncmp(base, heads[i], strlen(heads[i])))
			return true;
	return false;
}

int doctor_scan(const char *path, struct chess_code_site **v)
{
	*v = NULL;
	return is_libc(path) ? 0 : chess_code_scan(path, v);
}

size_t doctor_count(const struct chess_code_site *v, size_t n, size_t i)
{
	size_t k, count = 0;

	for (k = 0; k < n; k++) {
		if (strcmp(v[k].instruction, v[i].instruction))
			continue;
		if (k < i)
			return 0;
		count++;
	}
	return count;
}

/* "rdtsc 3 times, first in now+0x4 (0x1234)", one line for each instruction */
static void print_file(const char *path, const struct chess_code_site *v, size_t n)
{
	size_t i, count;

	printf("  %s\n", path);
	for (i = 0; i < n; i++) {
		count = doctor_count(v, n, i);
		if (!count)
			continue;
		printf("    %-7s %zu time%s, the first ", v[i].instruction, count,
		       count == 1 ? "" : "s");
		if (v[i].function)
			printf("in %s+0x%llx\n", v[i].function, (unsigned long long)v[i].offset);
		else
			printf("at 0x%llx\n", (unsigned long long)v[i].address);
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

static void print_code_hints(const struct doctor *d)
{
	char **files = chess_symbols_files(d->s->path), **f;
	unsigned int shown = 0;

	for (f = files; f && *f; f++) {
		struct chess_code_site *v;
		int n = doctor_scan(*f, &v);

		if (n > 0 && !shown++)
			printf("\n%sinstructions%s that nobody can decide; whether they are executed is not known\n",
			       out_bold(), out_plain());
		if (n > 0 && shown <= FILES_SHOWN)
			print_file(*f, v, n);
		if (n > 0)
			chess_code_sites_free(v, n);
		free(*f);
	}
	free(files);
	if (shown > FILES_SHOWN)
		printf("  and %u files more\n", shown - FILES_SHOWN);
}

static void print_conclusion(const struct doctor *d)
{
	char *command = out_quote(d->s->argv);

	if (d->n < d->wanted)
		printf("%sincomplete%s: %s: interrupted after %u of %u runs\n", out_bold(),
		       out_plain(), command, d->n, d->wanted);
	if (d->n && d->same == d->n)
		printf("%sdeterministic%s: %s: %u of %u runs are identical: record, output and end (%s)\n",
		       out_good(), out_plain(), command, d->n, d->n,
		       chess_verdict_name(d->run[0].verdict));
	else if (d->n)
		printf("%snot deterministic%s: %s: %u of %u runs differ from the first\n",
		       out_bad(), out_plain(), command, d->n - d->same, d->n);
	free(command);
}

static void print_text(const struct doctor *d)
{
	size_t i;

	print_conclusion(d);
	for (i = 0; i < d->n_diff; i++)
		print_difference(d, i);
	if (d->n) {
		print_output(d, "stdout", false);
		print_output(d, "stderr", true);
		print_ends(d);
		print_record_hints(d);
	}
	print_sources(d);
	print_code_hints(d);
}

int doctor_program(struct session *s, const struct session_opts *o, unsigned int runs, bool json)
{
	struct doctor d = { .s = s, .wanted = runs, .run = cli_alloc(runs, sizeof(*d.run)) };
	struct timespec since;
	int ret;

	clock_gettime(CLOCK_REALTIME_COARSE, &since);
	ret = run_all(&d);
	if (ret == -1) {
		if (d.n)
			compare_all(&d);
		run_for_places(&d);
		if (!session_interrupted() && !sources_read(s, o, &since, &d.sources))
			cli_note("note: the program could not be watched; what it reads from outside control is not listed");
		if (json)
			doctor_json(&d);
		else
			print_text(&d);
		ret = d.n == runs && d.same == d.n &&
		      d.run[0].verdict != CHESS_VERDICT_INCOMPLETE ? CLI_OK : CLI_INCOMPLETE;
	}
	while (d.n)
		chess_run_result_clear(&d.run[--d.n]);
	chess_run_result_clear(&d.again);
	sources_clear(&d.sources);
	free(d.run);
	return ret;
}
