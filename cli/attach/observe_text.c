// SPDX-License-Identifier: GPL-2.0-only
/*
 * What attach --observe shows people: a screen twice a second, an alarm when there is
 * one, a summary at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "now.h"
#include "attach/observe.h"
#include "attach/observe_account.h"
#include "out.h"

#define OBJECTS_MAX	20	/* in a summary */
#define TASKS_MAX	200

/* "12.3 ms": three digits and a unit, in a buffer that lives as long as its line. */
struct span {
	char text[24];
};

static struct span span(uint64_t ns)
{
	static const struct { double from; const char *unit; } units[] = {
		{ 60e9, "min" }, { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 0, "ns" },
	};
	struct span s;
	double v;
	int i = 0;

	if (!ns)
		return (struct span){ "-" };
	while (ns < units[i].from)
		i++;
	v = ns / (units[i].from ? units[i].from : 1);
	snprintf(s.text, sizeof(s.text), v < 10 ? "%.2f %s" : v < 100 ? "%.1f %s" : "%.0f %s", v,
		 units[i].unit);
	return s;
}

char *observe_clock(uint64_t time)
{
	struct timespec real;
	struct tm tm;
	int64_t ns;
	time_t s;

	clock_gettime(CLOCK_REALTIME, &real);
	ns = real.tv_sec * CHESS_SECOND + real.tv_nsec - chess_now_ns() + time;
	s = ns / CHESS_SECOND;
	localtime_r(&s, &tm);
	return cli_printf("%02d:%02d:%02d.%03d", tm.tm_hour, tm.tm_min, tm.tm_sec,
			  (int)(ns % CHESS_SECOND / 1000000));
}

static void print_edge(const struct observed_edge *seen)
{
	const struct chess_live_edge *e = seen->edge;
	const char *probably = e->probably ? "probably " : "";

	printf("  %u %s waits ", e->tid, e->name);
	if (seen->wait.thread)
		printf("for the end of %u", seen->next);
	else if (e->lock)
		printf("for %s, which %s%u has", seen->wait.what, probably, seen->next);
	else
		printf("in %s for %s%u", seen->wait.what, probably, seen->next);
	printf("%s%s\n", seen->where ? "; in " : "", seen->where ? seen->where : "");
}

static void print_alarm(const struct observation *o, const struct observed_alarm *seen)
{
	const struct chess_live_alarm *a = seen->alarm;
	char *when = observe_clock(a->formed ? a->formed : o->start);
	size_t i;

	printf("%sDEADLOCK%s of %zu task%s %s %s", out_bad(), out_plain(), a->n,
	       a->n == 1 ? "" : "s", a->formed ? "since" : "since before", when);
	if (a->formed)
		printf(", seen %s later", span(a->seen - a->formed).text);
	if (a->behind)
		printf("; %zu more wait%s for them", a->behind, a->behind == 1 ? "s" : "");
	puts("");
	for (i = 0; i < a->n; i++)
		print_edge(&seen->edge[i]);
	free(when);
}

void observe_alarm(const struct observation *o, const struct chess_live_alarm *a)
{
	struct observed_alarm seen;

	observed_alarm_of(o->names, a, &seen);
	print_alarm(o, &seen);
	observed_alarm_clear(&seen);
}

static char *woken_text(const struct observation *o, const struct chess_live_task *t)
{
	if (!t->woken)
		return cli_printf("-");
	if (t->interrupt)
		return cli_printf("interrupt in %.16s, %s ago", t->waker_name,
				  span(o->now - t->woken).text);
	return cli_printf("%.16s %u, %s ago", t->waker_name, t->waker,
			  span(o->now - t->woken).text);
}

static char *since_text(const struct observation *o, const struct chess_live_task *t)
{
	if (!t->call)
		return cli_printf("-");
	/* It blocked before it was watched. */
	if (!t->since)
		return cli_printf("> %s", span(o->now - o->start).text);
	return cli_printf("%s", span(o->now > t->since ? o->now - t->since : 0).text);
}

/* Cuts a line that may be longer than the screen is wide; 0: as wide as it likes. */
static void print_line(int width, char *line)
{
	printf("%.*s\n", width ? width : (int)strlen(line), line);
	free(line);
}

static void print_heading(int width, const char *text)
{
	printf("%s%.*s%s\n", out_bold(), width ? width : (int)strlen(text), text, out_plain());
}

/* How wide the column of waits is; what is longer is cut off on a terminal. */
static int waits_width(int width)
{
	return !width ? 40 : width > 110 ? width - 85 : 25;
}

static void print_task(const struct observation *o, const struct observed_task *seen, int width)
{
	const struct chess_live_task *t = seen->task;
	char *since = since_text(o, t), *woken = woken_text(o, t), *holder, *text;

	if (t->holder)
		holder = cli_printf("; %s%s%u%s", t->lock ? "" : "for ",
				    t->probably ? "probably " : "", t->holder,
				    t->lock && !seen->wait.thread ? " has it" : "");
	else
		holder = cli_printf("%s%s", t->object ? "; " : "", t->object ? t->object : "");
	text = cli_printf("%s%s", seen->wait.what ? seen->wait.what : "-", holder);
	print_line(width, cli_printf("%7u %-15.16s %c %9s %8llu %9s  %-*.*s  %s", t->tid, t->name,
				     t->state, since, (unsigned long long)t->waits,
				     span(t->longest_ns).text, waits_width(width),
				     width ? waits_width(width) : (int)strlen(text), text, woken));
	free(text);
	free(since);
	free(woken);
	free(holder);
}

static void print_tasks(const struct observation *o, const struct observe_account *a, size_t most,
			int width)
{
	char *heading;
	size_t i;

	heading = cli_printf("%7s %-15s S %9s %8s %9s  %-*s  %s", "TASK", "NAME", "SINCE", "WAITS",
			     "LONGEST", waits_width(width), "WAITS FOR", "LAST WOKEN BY");
	print_heading(width, heading);
	free(heading);
	for (i = 0; i < a->n_tasks && i < most; i++)
		print_task(o, &a->task[i], width);
	if (a->n_tasks > most)
		printf("        and %zu more\n", a->n_tasks - most);
}

static void print_objects(const struct observe_account *a, size_t most, int width)
{
	size_t i;

	if (!a->objects)
		return;
	print_heading(width, "   WAITS      TOTAL    LONGEST  NOW   HANDED       HELD    LONGEST"
		      "  WAITED FOR, BY WAIT TIME");
	for (i = 0; i < a->n_objects && i < most; i++) {
		const struct chess_live_object *b = a->object[i].object;

		print_line(width, cli_printf("%8llu %10s %10s %4u %8llu %10s %10s  %s",
					     (unsigned long long)b->waits, span(b->wait_ns).text,
					     span(b->longest_ns).text, b->waiting,
					     (unsigned long long)b->holds,
					     span(b->hold_ns).text, span(b->longest_hold_ns).text,
					     a->object[i].wait.what));
	}
	if (a->n_objects > most)
		printf("         and %zu more\n", a->n_objects - most);
}

static void print_lost(const struct observe_account *a)
{
	if (a->lost_tasks || a->lost_objects)
		printf("not noted, there was no room: %llu tasks, %llu waits\n",
		       (unsigned long long)a->lost_tasks, (unsigned long long)a->lost_objects);
}

void observe_screen(const struct observation *o)
{
	struct winsize size = { 0 };
	struct observe_account a;
	size_t i, n, rows, tasks;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	observe_account_of(o->live, o->names, o->alarms, size.ws_row + 4, &a);
	n = a.n_tasks;
	/* Three headings, two empty lines, two of "and N more", one for the cursor. */
	rows = size.ws_row > 12 ? size.ws_row - 8 : 4;
	for (i = 0; i < a.n_alarms; i++)
		rows -= rows > 4 + a.alarm[i].alarm->n ? a.alarm[i].alarm->n + 1 : 0;
	tasks = n < rows * 2 / 3 ? n : rows * 2 / 3;
	printf("\033[H\033[J");
	print_line(size.ws_col, cli_printf("process %d (%s), %zu tasks, watched for %s; Ctrl-C ends it",
					   o->pid, o->program, n, span(o->now - o->start).text));
	print_tasks(o, &a, tasks, size.ws_col);
	puts("");
	print_objects(&a, rows - tasks, size.ws_col);
	print_lost(&a);
	for (i = 0; i < a.n_alarms; i++)
		print_alarm(o, &a.alarm[i]);
	observe_account_clear(&a);
	fflush(stdout);
}

void observe_summary(const struct observation *o)
{
	struct observe_account a;

	observe_account_of(o->live, o->names, o->alarms, TASKS_MAX, &a);
	printf("process %d (%s), %zu tasks, watched for %s: ", o->pid, o->program, a.n_tasks,
	       span(o->now - o->start).text);
	if (a.n_alarms)
		printf("%zu deadlock%s\n", a.n_alarms, a.n_alarms == 1 ? "" : "s");
	else
		puts("no deadlock seen");
	print_tasks(o, &a, TASKS_MAX, 0);
	print_objects(&a, OBJECTS_MAX, 0);
	print_lost(&a);
	observe_account_clear(&a);
}
