// SPDX-License-Identifier: GPL-2.0-only
/*
 * The failure report, top down: verdict, where, the preemptions that mattered,
 * what every blocked task waits for, the steps, the program's last words, and
 * how to see it again. See report.h.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"
#include "out.h"
#include "race_report.h"
#include "report.h"
#include "tracefile.h"

#define PREEMPTIONS_SHOWN	4
#define CYCLE_SHOWN		16	/* steps of a livelock */
#define WAITS_SHOWN		8
/* Callers named behind a wait, and in JSON. */
#define CALLERS_SHOWN		3
#define FRAMES_TOLD		32
#define HOLDERS_SHOWN		2	/* of each wait */
#define STDERR_LINES		5

/* Whose death it was: the first that died of a signal with the token. The other
 * threads of its process are swept away with its exit code, and often before it.
 */
static int find_bad_task(const struct chess_record *rec)
{
	size_t i, n = chess_record_length(rec);
	int swept = -1;

	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(rec, i);

		if (!(e->object & 0x7f))
			continue;
		if (e->type == CHESS_EVENT_EXIT)
			return e->task;
		if (e->type == CHESS_EVENT_KILLED && swept < 0)
			swept = e->task;
	}
	return swept;
}

void report_open(struct report *r, const struct chess_trace *t)
{
	r->trace = t;
	r->record = t->record;
	r->symbols = symbols_new(t->maps);
	r->bad_task = find_bad_task(t->record);
}

void report_close(struct report *r)
{
	symbols_free(r->symbols);
	r->symbols = NULL;
}

char *report_status(int status)
{
	if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));

		return name ? cli_printf("killed by SIG%s", name) :
			      cli_printf("killed by signal %d", WTERMSIG(status));
	}
	return cli_printf("exit status %d", WEXITSTATUS(status));
}

static char *object_text(const struct report *r, const struct chess_event *e)
{
	char *name;

	switch (e->object_kind) {
	case CHESS_OBJECT_ADDRESS:
		name = symbols_variable(r->symbols, e->object);
		return name ? name : cli_printf("0x%llx", (unsigned long long)e->object);
	case CHESS_OBJECT_INODE:
	case CHESS_OBJECT_SYSTEM:
		return cli_printf("inode %llu", (unsigned long long)e->object);
	case CHESS_OBJECT_FD:
		return cli_printf("fd %lld", (long long)e->object);
	case CHESS_OBJECT_PID:
		return cli_printf("pid %lld", (long long)e->object);
	case CHESS_OBJECT_TASK:
		return cli_printf("T%llu", (unsigned long long)e->object);
	case CHESS_OBJECT_KEY:
		return cli_printf("id %lld", (long long)e->object);
	case CHESS_OBJECT_TIME:
		return cli_printf("%.6f s", e->object / 1e9);
	case CHESS_OBJECT_CODE:
		return report_status(e->object);
	default:
		return cli_printf("%s", "");
	}
}

char *report_op(const struct report *r, const struct chess_event *e)
{
	/* The op class says it best for functions; a call is known by its own name. */
	const char *name = e->flags & CHESS_OPF_PROBE ? chess_op_name(e->op) :
			   chess_syscall_name(e->nr);
	char *object = object_text(r, e);
	char *text = cli_printf("%s%s%s", name, *object ? " " : "", object);

	free(object);
	return text;
}

char *report_where(const struct report *r, const struct chess_event *e)
{
	struct place p;
	char *text;

	if (!symbols_event_place(r->symbols, e, chess_record_stack(r->record, e->seq), &p))
		return cli_printf("%s", "");
	text = place_text(&p);
	place_clear(&p);
	return text;
}

const struct chess_event *report_goes_on(const struct chess_record *rec, size_t i, uint16_t task)
{
	const struct chess_event *e = chess_record_last_point(rec, i, task);
	size_t n = chess_record_length(rec);

	/* A task that has had no point yet is known by its first one. */
	for (i++; !e && i < n; i++) {
		const struct chess_event *next = chess_record_event(rec, i);

		if (next->type == CHESS_EVENT_POINT && next->task == task)
			e = next;
	}
	return e;
}

const struct chess_event *report_instead(const struct chess_record *rec, size_t i)
{
	return report_goes_on(rec, i, chess_record_event(rec, i)->chosen);
}

char *report_event(const struct report *r, const struct chess_event *e)
{
	char *op, *where, *object, *text;

	if (!e)
		return cli_printf("the end of the run");
	where = report_where(r, e);
	switch (e->type) {
	case CHESS_EVENT_TIMEOUT:
		object = object_text(r, e);
		text = cli_printf("T%u timed out at %s", e->task, object);
		free(object);
		break;
	case CHESS_EVENT_POINT:
		op = report_op(r, e);
		if (e->chosen == e->task)
			text = cli_printf("T%u %s%s%s", e->task, op, *where ? " in " : "", where);
		else
			text = cli_printf("T%u %s%s%s, then T%u", e->task, op,
					  *where ? " in " : "", where, e->chosen);
		free(op);
		break;
	default:
		object = object_text(r, e);
		text = cli_printf("T%u %s%s%s%s%s", e->task, chess_event_type_name(e->type),
				  *object ? " " : "", object, *where ? " in " : "", where);
		free(object);
	}
	free(where);
	return text;
}

void report_difference(const struct report *expected, size_t at, const struct report *seen,
		       size_t seen_at, FILE *to)
{
	const struct chess_event *a = at < chess_record_length(expected->record) ?
				      chess_record_event(expected->record, at) : NULL;
	const struct chess_event *b = seen_at < chess_record_length(seen->record) ?
				      chess_record_event(seen->record, seen_at) : NULL;
	char *first = report_event(expected, a), *second = report_event(seen, b);
	bool same = a && b && !strcmp(first, second);

	fprintf(to, "  first difference at event %zu\n    expected  %s\n    seen      %s\n",
		at + 1, first, second);
	/* Two lines that read the same hide what differs: say it in full. */
	if (same && a->type == CHESS_EVENT_POINT && !(a->flags & CHESS_OPF_PROBE) &&
	    a->result != b->result)
		fprintf(to, "    the call returned %lld, expected %lld\n", (long long)b->result,
			(long long)a->result);
	else if (same && a->type == CHESS_EVENT_EXIT && a->arg != b->arg)
		fprintf(to, "    one of T%u's calls that are no points returned something else\n",
			a->task);
	else if (same)
		fprintf(to, "    (object 0x%llx, ip 0x%llx, arg 0x%llx, enabled 0x%llx, timed 0x%llx "
			"against object 0x%llx, ip 0x%llx, arg 0x%llx, enabled 0x%llx, timed 0x%llx)\n",
			(unsigned long long)a->object, (unsigned long long)a->ip,
			(unsigned long long)a->arg, (unsigned long long)a->enabled,
			(unsigned long long)a->timed,
			(unsigned long long)b->object, (unsigned long long)b->ip,
			(unsigned long long)b->arg, (unsigned long long)b->enabled,
			(unsigned long long)b->timed);
	free(first);
	free(second);
}

/* "futex 0x404080" becomes "futex queue_lock (0x404080)" */
static char *name_addresses(const struct report *r, const char *text)
{
	const char *at = strstr(text, "0x");
	char *end, *name;
	uint64_t address;

	if (!at)
		return cli_printf("%s", text);
	address = strtoull(at, &end, 16);
	name = symbols_variable(r->symbols, address);
	if (!name)
		return cli_printf("%s", text);
	text = cli_printf("%.*s%s (%.*s)%s", (int)(at - text), text, name, (int)(end - at), at,
			  end);
	free(name);
	return (char *)text;
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

	fprintf(to, "%s%s%s%s: %s\n", bug ? out_bad() : out_good(),
		chess_verdict_name(t->verdict), out_plain(),
		report_is_partial(t) ? " of some tasks, while others go on" : "", command);
	fprintf(to, "  %zu preemption%s, %zu tasks, %zu points, kernel %s\n", preemptions,
		preemptions == 1 ? "" : "s", chess_record_tasks(r->record),
		chess_record_points(r->record), t->kernel ? t->kernel : "unknown");
	free(command);
}

/* Who called the function that @e is in, where that is known. */
static void print_callers(const struct report *r, const struct chess_event *e, FILE *to)
{
	char *frames[CALLERS_SHOWN + 1];
	size_t i, n;

	n = symbols_event_stack(r->symbols, e, chess_record_stack(r->record, e->seq), frames,
				CALLERS_SHOWN + 1);
	for (i = 0; i < n; i++) {
		if (i)
			fprintf(to, "%s%s", i == 1 ? "       called by " : ", ", frames[i]);
		free(frames[i]);
	}
	if (n > 1)
		fputc('\n', to);
}

static bool is_cycle_step(const struct chess_event *e)
{
	return CHESS_EVENT_IS_DECISION(e->type) || e->type == CHESS_EVENT_TIMEOUT;
}

static bool has_stack(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT || e->type == CHESS_EVENT_QUANTUM;
}

/* Three columns of a line, the last ones perhaps empty; no blanks at the end. */
static void print_columns(FILE *to, const char *op, const char *where, const char *more)
{
	if (*more)
		fprintf(to, "%-28s %-28s %s\n", op, where, more);
	else if (*where)
		fprintf(to, "%-28s %s\n", op, where);
	else
		fprintf(to, "%s\n", op);
}

/* Where the starved task is, NULL where nobody starves. */
static const struct chess_event *starved_at(const struct chess_record *r,
					    const struct chess_cycle *cycle)
{
	return cycle->starved < 0 ? NULL :
				    chess_record_last_point(r, cycle->first, cycle->starved);
}

/* What kind of livelock it is, and whose fault or loss. */
static void print_kind(const struct report *r, const struct chess_cycle *cycle, FILE *to)
{
	const struct chess_event *e = starved_at(r->record, cycle);
	char *op, *where;

	if (cycle->selfish >= 0)
		fprintf(to, "good samaritan violation: T%d never yields in them, though others could go on at each of its points\n",
			cycle->selfish);
	if (cycle->starved >= 0)
		fprintf(to, "starvation: T%d could go on in each round and gets no further\n",
			cycle->starved);
	if (!e)
		return;
	op = report_op(r, e);
	where = report_where(r, e);
	fprintf(to, "  T%-3u ", e->task);
	print_columns(to, op, where, "starves");
	print_callers(r, e, to);
	free(op);
	free(where);
}

/* What a livelock repeats, one line for each step of its last round. */
static void print_livelock(const struct report *r, FILE *to)
{
	struct chess_cycle cycle;
	size_t i, shown = 0, steps = 0;

	if (!chess_record_cycle(r->record, &cycle))
		return;
	for (i = cycle.first; i < cycle.end; i++)
		steps += is_cycle_step(chess_record_event(r->record, i));
	fprintf(to, "\nthese %zu steps are repeated, %zu times at the end\n", steps, cycle.rounds);
	print_kind(r, &cycle, to);
	for (i = cycle.first; i < cycle.end && shown < CYCLE_SHOWN; i++) {
		const struct chess_event *e = chess_record_event(r->record, i);
		char *op, *where;

		if (!is_cycle_step(e))
			continue;
		shown++;
		op = e->type == CHESS_EVENT_POINT ? report_op(r, e) :
		     cli_printf("%s", chess_event_type_name(e->type));
		where = report_where(r, e);
		fprintf(to, "  T%-3u ", e->task);
		print_columns(to, op, where, e->flags & CHESS_OPF_YIELD ? "yields" : "");
		if (e->task == cycle.selfish)
			print_callers(r, e, to);
		free(op);
		free(where);
	}
	if (steps > shown)
		fprintf(to, "  ... and %zu more\n", steps - shown);
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
	const struct chess_event *e;
	char *op, *where, *status;
	size_t i, n = chess_record_length(r->record);

	if (r->trace->verdict == CHESS_VERDICT_EXIT) {
		status = report_status(r->trace->status);
		fprintf(to, "\n%s ended with %s\n", has_ended(r->record, 0) ? "T0" :
			"the command that asked for it", status);
		free(status);
		return;
	}
	if (r->trace->verdict == CHESS_VERDICT_LIVELOCK)
		print_livelock(r, to);
	if (r->bad_task < 0 || r->trace->n_waits)
		return;
	for (i = 0; i < n; i++) {
		e = chess_record_event(r->record, i);
		if (e->task != r->bad_task ||
		    (e->type != CHESS_EVENT_EXIT && e->type != CHESS_EVENT_KILLED))
			continue;
		status = report_status(e->object);
		where = report_where(r, e);
		fprintf(to, "\nT%u %s%s%s\n", e->task, status, *where ? " in " : "", where);
		free(where);
		free(status);
		e = chess_record_last_point(r->record, i, e->task);
		if (!e)
			return;
		op = report_op(r, e);
		where = report_where(r, e);
		fputs("  last point  ", to);
		print_columns(to, op, where, "");
		free(op);
		free(where);
		return;
	}
}

/* "  T1   was about to  lock m    main() at a.c:3" */
static void print_step(const struct report *r, unsigned int task, const char *lead,
		       const struct chess_event *e, const char *more, FILE *to)
{
	char *op = e ? report_op(r, e) : cli_printf("run to its end");
	char *where = e ? report_where(r, e) : cli_printf("%s", "");

	fprintf(to, "  T%-3u %-13s ", task, lead);
	print_columns(to, op, where, more);
	free(op);
	free(where);
}

/* A deadline that passed early: who could have gone on, then whose wait was ended. */
static void print_early(const struct report *r, size_t i, FILE *to)
{
	const struct chess_event *e = chess_record_event(r->record, i), *next;
	uint16_t other = chess_record_default(r->record, i);

	if (e->type == CHESS_EVENT_POINT)
		print_step(r, e->task, "was about to", e, "", to);
	else if (other == CHESS_TASK_NONE)
		fprintf(to, "  nobody could go on, and another deadline was earlier\n");
	else
		print_step(r, other, "could go on:", report_goes_on(r->record, i, other), "", to);
	next = report_instead(r->record, i);
	print_step(r, e->chosen, "timed out in:", next, "early, so it counts as one", to);
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
			fprintf(to, "\n%s%s%s\n", out_bold(), total == 1 ?
				"the preemption that mattered" : "the preemptions that mattered",
				out_plain());
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
			print_columns(to, op, where, "");
			free(op);
			free(where);
		}
		print_step(r, e->chosen, "ran instead:", report_instead(r->record, i), "", to);
	}
	if (total > shown)
		fprintf(to, "  and %zu more\n", total - shown);
}

/* "T1 waits for T2, T2 for T1", when there is such a cycle. */
static void print_cycle(const struct report *r, FILE *to)
{
	const struct chess_trace *t = r->trace;
	size_t *cycle = cli_alloc(t->n_waits, sizeof(*cycle));
	size_t i, n = chess_waits_cycle(t->waits, t->n_waits, cycle);

	if (n == 1)
		fprintf(to, "  T%u waits for itself\n", t->waits[cycle[0]].task);
	for (i = 0; n > 1 && i < n; i++)
		fprintf(to, "%sT%u %s T%u%s", i ? ", " : "  ", t->waits[cycle[i]].task,
			i ? "for" : "waits for", t->waits[cycle[(i + 1) % n]].task,
			i == n - 1 ? "\n" : "");
	free(cycle);
}

static const char *hold_lead(enum chess_hold how)
{
	switch (how) {
	case CHESS_HOLD_HAS:
		return "has it since";
	case CHESS_HOLD_LOST:
		return "had it when a fork made this copy, since";
	case CHESS_HOLD_IS:
		return "was made in";
	case CHESS_HOLD_TOOK:
		return "took it in";
	case CHESS_HOLD_GAVE:
		return "gave it last in";
	case CHESS_HOLD_GONE:
		return "has ended, and gave it last in";
	default:
		return NULL;
	}
}

/* Who could end a wait, a line each: "       T2 has it since lock m   f() at a.c:3" */
static void print_holders(const struct report *r, const struct chess_wait *w, FILE *to)
{
	char *op, *where, *lead;
	size_t i;

	if (w->asked && !w->outside && (!w->n_holders || w->holders[0].how == CHESS_HOLD_LOST ||
			    w->holders[0].how == CHESS_HOLD_GONE))
		fprintf(to, "       nobody is left who could end it\n");
	for (i = 0; i < w->n_holders && i < HOLDERS_SHOWN; i++) {
		const struct chess_holder *h = &w->holders[i];
		const struct chess_event *e = h->seq ?
			chess_record_event(r->record, h->seq - 1) : NULL;

		if (h->how == CHESS_HOLD_MAY || !e)
			break;
		op = report_op(r, e);
		where = report_where(r, e);
		lead = cli_printf("T%u %s %s", h->task, hold_lead(h->how), op);
		fprintf(to, "       ");
		print_columns(to, lead, where, "");
		free(lead);
		free(op);
		free(where);
	}
	if (i < w->n_holders && w->holders[i].how == CHESS_HOLD_MAY) {
		fprintf(to, "       only");
		for (; i < w->n_holders; i++)
			fprintf(to, "%s T%u", i ? "," : "", w->holders[i].task);
		fprintf(to, " could end it, and did nothing to it yet\n");
	} else if (i < w->n_holders && w->holders[i].how != CHESS_HOLD_IS) {
		fprintf(to, "       and %zu more\n", w->n_holders - i);
	}
}

static struct json_object *json_stack(const struct report *r, const struct chess_event *e)
{
	struct json_object *list = json_object_new_array();
	char *frames[FRAMES_TOLD];
	size_t i, n;

	n = symbols_event_stack(r->symbols, e, chess_record_stack(r->record, e->seq), frames,
				FRAMES_TOLD);
	for (i = 0; i < n; i++) {
		json_object_array_add(list, json_object_new_string(frames[i]));
		free(frames[i]);
	}
	return list;
}

/* What a task did that was woken and waits again: who woke it, and with what. */
static const struct chess_event *waker_of(const struct report *r, const struct chess_wait *w,
					  const struct chess_event **woken)
{
	*woken = chess_record_last_wake(r->record, chess_record_length(r->record), w->task);
	if (!*woken || (*woken)->object == CHESS_TASK_NONE)
		return NULL;
	return chess_record_last_point(r->record, (*woken)->seq - 1, (*woken)->object);
}

static void print_waker(const struct report *r, const struct chess_wait *w, FILE *to)
{
	const struct chess_event *woken, *with = waker_of(r, w, &woken);
	char *lead, *op, *where;

	if (!woken)
		return;
	fprintf(to, "       ");
	if (!with) {
		fprintf(to, "last woken by none of them, in event %u\n", woken->seq);
		return;
	}
	op = report_op(r, with);
	where = report_where(r, with);
	lead = cli_printf("last woken by T%u %s", with->task, op);
	print_columns(to, lead, where, "");
	free(lead);
	free(op);
	free(where);
}

static void print_waits(const struct report *r, FILE *to)
{
	const struct chess_trace *t = r->trace;
	size_t i;

	if (!t->n_waits)
		return;
	fprintf(to, "\n%sblocked%s\n", out_bold(), out_plain());
	print_cycle(r, to);
	for (i = 0; i < t->n_waits && i < WAITS_SHOWN; i++) {
		const struct chess_wait *w = &t->waits[i];
		const struct chess_event *e = w->seq && w->seq <= chess_record_length(r->record) ?
			chess_record_event(r->record, w->seq - 1) :
			chess_record_last_point(r->record, chess_record_length(r->record), w->task);
		char *op = e && e->type == CHESS_EVENT_POINT ? report_op(r, e) : cli_printf("?");
		char *where = e ? report_where(r, e) : cli_printf("%s", "");
		char *text = name_addresses(r, w->text ? w->text : "unknown wait");
		char *more = cli_printf("%s%s", text, w->outside ?
					", which something outside may end" : "");

		fprintf(to, "  T%-3u ", w->task);
		print_columns(to, op, where, more);
		if (e)
			print_callers(r, e, to);
		print_holders(r, w, to);
		print_waker(r, w, to);
		if (w->object)
			fprintf(to, "       %s\n", w->object);
		if (w->kernel)
			fprintf(to, "       asleep in %s\n", w->kernel);
		free(op);
		free(where);
		free(text);
		free(more);
	}
	if (t->n_waits > WAITS_SHOWN)
		fprintf(to, "  and %zu more\n", t->n_waits - WAITS_SHOWN);
}

static void print_stderr(const struct report *r, FILE *to)
{
	const char *err = r->trace->err, *start;
	int lines = 0;

	if (!err || !*err)
		return;
	start = err + strlen(err);
	if (start > err && start[-1] == '\n')
		start--;
	while (start > err && !(start[-1] == '\n' && ++lines == STDERR_LINES))
		start--;
	fprintf(to, "\n%sthe program's stderr%s%s\n", out_bold(), out_plain(),
		start > err ? ", its end" : "");
	while (*start) {
		const char *end = strchrnul(start, '\n');

		fprintf(to, "  | %.*s\n", (int)(end - start), start);
		start = *end ? end + 1 : end;
	}
}

void report_print(const struct report *r, FILE *to, const char *path)
{
	char *quoted;

	print_verdict(r, to);
	print_where(r, to);
	race_report_print(r, to);
	print_preemptions(r, to);
	print_waits(r, to);
	steps_print(r, to);
	print_stderr(r, to);
	if (path && !tracefile_is_attached(r->trace)) {
		quoted = out_quote((char *[]){ (char *)path, NULL });
		fprintf(to, "\nreplay it with: chessctl replay %s\n", quoted);
		free(quoted);
	}
}

static void json_take(struct json_object *o, const char *key, char *text)
{
	out_json_string(o, key, *text ? text : NULL);
	free(text);
}

struct json_object *report_json_event(const struct report *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r->record, i);
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "seq", json_object_new_int64(e->seq));
	out_json_string(o, "type", chess_event_type_name(e->type));
	json_object_object_add(o, "task", json_object_new_int(e->task));
	if (CHESS_EVENT_IS_DECISION(e->type))
		json_object_object_add(o, "chosen", e->chosen == CHESS_TASK_NONE ? NULL :
				       json_object_new_int(e->chosen));
	if (e->type == CHESS_EVENT_POINT) {
		out_json_string(o, "op", chess_op_name(e->op));
		out_json_string(o, "call", e->flags & CHESS_OPF_PROBE ?
				(chess_wrapper_of(e) ? chess_wrapper_of(e)->symbol : NULL) : chess_syscall_name(e->nr));
		json_object_object_add(o, "write", json_object_new_boolean(e->flags &
									   CHESS_OPF_WRITE));
		json_object_object_add(o, "release", json_object_new_boolean(e->flags &
									     CHESS_OPF_RELEASE));
		json_object_object_add(o, "yield", json_object_new_boolean(e->flags &
									   CHESS_OPF_YIELD));
		json_object_object_add(o, "alone", json_object_new_boolean(e->flags &
									   CHESS_OPF_ALONE));
	}
	if (e->object_kind)
		json_take(o, "object", object_text(r, e));
	/* Whom bit 0 of the enabled stands for. */
	if (e->type == CHESS_EVENT_FAIR)
		json_object_object_add(o, "first", json_object_new_uint64(64 * e->object));
	if (e->type == CHESS_EVENT_TIMEOUT)
		json_object_object_add(o, "clock_ns", json_object_new_uint64(e->object));
	if (CHESS_EVENT_IS_DECISION(e->type)) {
		json_object_object_add(o, "timed", json_object_new_uint64(e->timed));
		json_object_object_add(o, "early", json_object_new_boolean(e->flags &
									   CHESS_OPF_EARLY));
	}
	if (CHESS_EVENT_IS_DECISION(e->type))
		json_object_object_add(o, "preemption",
				       json_object_new_boolean(chess_record_is_preemption(r->record,
											  i)));
	json_object_object_add(o, "enabled", json_object_new_uint64(e->enabled));
	json_object_object_add(o, "ip", json_object_new_uint64(e->ip));
	json_take(o, "where", report_where(r, e));
	return o;
}

/* What a livelock repeats; null of any other verdict. */
static struct json_object *json_livelock(const struct report *r)
{
	struct json_object *o, *steps;
	const struct chess_event *at;
	struct chess_cycle cycle;
	size_t i;

	if (r->trace->verdict != CHESS_VERDICT_LIVELOCK || !chess_record_cycle(r->record, &cycle))
		return NULL;
	o = json_object_new_object();
	steps = json_object_new_array();
	out_json_string(o, "kind", chess_cycle_kind(&cycle));
	json_object_object_add(o, "rounds", json_object_new_int64(cycle.rounds));
	json_object_object_add(o, "selfish", cycle.selfish < 0 ? NULL :
			       json_object_new_int(cycle.selfish));
	json_object_object_add(o, "starved", cycle.starved < 0 ? NULL :
			       json_object_new_int(cycle.starved));
	at = starved_at(r->record, &cycle);
	json_object_object_add(o, "starved_at", at ? report_json_event(r, at->seq - 1) : NULL);
	for (i = cycle.first; i < cycle.end; i++)
		if (is_cycle_step(chess_record_event(r->record, i)))
			json_object_array_add(steps, report_json_event(r, i));
	json_object_object_add(o, "steps", steps);
	return o;
}

static struct json_object *json_holders(const struct report *r, const struct chess_wait *w)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < w->n_holders; i++) {
		const struct chess_holder *h = &w->holders[i];
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "task", json_object_new_int(h->task));
		out_json_string(one, "how", chess_hold_name(h->how));
		json_object_object_add(one, "seq", json_object_new_int64(h->seq));
		if (h->seq && h->seq <= chess_record_length(r->record)) {
			const struct chess_event *e = chess_record_event(r->record, h->seq - 1);

			json_take(one, "op", report_op(r, e));
			json_take(one, "where", report_where(r, e));
		}
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *json_cycle(const struct chess_trace *t)
{
	struct json_object *list = json_object_new_array();
	size_t *cycle = cli_alloc(t->n_waits, sizeof(*cycle));
	size_t i, n = chess_waits_cycle(t->waits, t->n_waits, cycle);

	for (i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_int(t->waits[cycle[i]].task));
	free(cycle);
	return list;
}

static struct json_object *json_woken(const struct report *r, const struct chess_wait *w)
{
	const struct chess_event *woken, *with = waker_of(r, w, &woken);
	struct json_object *o;

	if (!woken)
		return NULL;
	o = json_object_new_object();
	json_object_object_add(o, "seq", json_object_new_int64(woken->seq));
	json_object_object_add(o, "by", with ? report_json_event(r, with->seq - 1) : NULL);
	return o;
}

void report_json(const struct report *r, struct json_object *o)
{
	struct json_object *waits = json_object_new_array();
	struct json_object *points = json_object_new_array();
	size_t i, n = chess_record_length(r->record);

	for (i = 0; i < r->trace->n_waits; i++) {
		const struct chess_wait *w = &r->trace->waits[i];
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "task", json_object_new_int(w->task));
		json_object_object_add(one, "seq", json_object_new_int64(w->seq));
		json_take(one, "wait", name_addresses(r, w->text ? w->text : ""));
		json_object_object_add(one, "outside", json_object_new_boolean(w->outside));
		if (w->seq && w->seq <= n) {
			const struct chess_event *e = chess_record_event(r->record, w->seq - 1);

			json_take(one, "op", report_op(r, e));
			json_take(one, "where", report_where(r, e));
			json_object_object_add(one, "stack", json_stack(r, e));
		}
		json_object_object_add(one, "holders", json_holders(r, w));
		json_object_object_add(one, "woken", json_woken(r, w));
		out_json_string(one, "object", w->object);
		out_json_string(one, "kernel", w->kernel);
		json_object_array_add(waits, one);
	}
	json_object_object_add(o, "waits", waits);
	json_object_object_add(o, "races", race_report_json(r));
	json_object_object_add(o, "livelock", json_livelock(r));
	json_object_object_add(o, "cycle", json_cycle(r->trace));
	json_object_object_add(o, "partial",
			       json_object_new_boolean(report_is_partial(r->trace)));

	for (i = 0; i < n; i++) {
		const struct chess_event *next;
		struct json_object *one;

		if (!chess_record_is_preemption(r->record, i))
			continue;
		one = report_json_event(r, i);
		next = report_instead(r->record, i);
		json_object_object_add(one, "instead", next ?
				       report_json_event(r, next->seq - 1) : NULL);
		json_object_array_add(points, one);
	}
	json_object_object_add(o, "preemption_points", points);
}

/* Adds @seq unless it is there or there is no room. */
static void add_seq(uint32_t *seqs, size_t *n, uint32_t seq)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (seqs[i] == seq)
			return;
	if (seq && *n < CHESS_MAX_STACKS)
		seqs[(*n)++] = seq;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

void report_sort_seqs(uint32_t *seqs, size_t n)
{
	qsort(seqs, n, sizeof(*seqs), by_number);
}

uint32_t *report_stack_seqs(const struct chess_record *rec, const struct chess_wait *waits,
			    size_t n_waits, size_t *n)
{
	uint32_t *seqs = cli_alloc(CHESS_MAX_STACKS, sizeof(*seqs));
	size_t i, k, length = chess_record_length(rec);
	const struct chess_event *e;
	int bad = find_bad_task(rec);
	struct chess_cycle cycle;

	*n = 0;
	if (chess_record_cycle(rec, &cycle)) {
		e = starved_at(rec, &cycle);
		add_seq(seqs, n, e ? e->seq : 0);
		for (i = cycle.first; i < cycle.end && *n < CYCLE_SHOWN; i++)
			if (has_stack(chess_record_event(rec, i)))
				add_seq(seqs, n, i + 1);
	}
	/* In order of use: what does not fit is what the report would cut anyway. */
	for (i = 0; i < n_waits; i++) {
		e = chess_record_last_point(rec, length, waits[i].task);
		add_seq(seqs, n, waits[i].seq ? waits[i].seq : e ? e->seq : 0);
	}
	for (i = 0; i < n_waits; i++)
		for (k = 0; k < waits[i].n_holders && k < HOLDERS_SHOWN; k++)
			add_seq(seqs, n, waits[i].holders[k].seq);
	for (i = 0; i < length; i++) {
		if (!chess_record_is_preemption(rec, i))
			continue;
		add_seq(seqs, n, i + 1);
		e = report_instead(rec, i);
		add_seq(seqs, n, e ? e->seq : 0);
		if (!(chess_record_event(rec, i)->flags & CHESS_OPF_EARLY))
			continue;
		e = report_goes_on(rec, i, chess_record_default(rec, i));
		add_seq(seqs, n, e ? e->seq : 0);
	}
	for (i = 0; bad >= 0 && i < length; i++) {
		e = chess_record_event(rec, i);
		if (e->task != bad ||
		    (e->type != CHESS_EVENT_EXIT && e->type != CHESS_EVENT_KILLED))
			continue;
		e = chess_record_last_point(rec, i, bad);
		add_seq(seqs, n, e ? e->seq : 0);
		break;
	}
	report_sort_seqs(seqs, *n);
	return seqs;
}
