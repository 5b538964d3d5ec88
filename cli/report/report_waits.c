// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each blocked task waits for, of the report: who could end that, and who woke it
 * last. See report_parts.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "out.h"
#include "report/report_parts.h"

#define WAITS_SHOWN		8
#define FRAMES_TOLD		32

/* "T1 waits for T2, T2 for T1", when there is such a cycle. */
static void print_cycle(const struct report *r, FILE *to)
{
	const struct chess_trace *t = r->trace;
	const size_t *cycle = r->run.cycle;
	size_t i, n = r->run.n_cycle;

	if (n == 1)
		fprintf(to, "  T%u waits for itself\n", t->waits[cycle[0]].task);
	for (i = 0; n > 1 && i < n; i++)
		fprintf(to, "%sT%u %s T%u%s", i ? ", " : "  ", t->waits[cycle[i]].task,
			i ? "for" : "waits for", t->waits[cycle[(i + 1) % n]].task,
			i == n - 1 ? "\n" : "");
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

/* A condition keeps no signal for those who come later. */
static bool print_lost(const struct report *r, const struct chess_wait *w, FILE *to)
{
	char *lead, *op, *where;
	uint32_t last;
	size_t n;

	if (chess_record_lost_signals(r->record, w->seq, &n, &last) || !n)
		return false;
	op = report_op(r, chess_record_event(r->record, last - 1));
	where = report_where(r, chess_record_event(r->record, last - 1));
	fprintf(to, "       a lost wake-up: no task was waiting when it was signalled %s before\n",
		n == 1 ? "once" : n == 2 ? "twice" : "several times");
	lead = cli_printf("last by T%u in %s", chess_record_event(r->record, last - 1)->task, op);
	fprintf(to, "       ");
	report_print_columns(to, lead, where, "");
	free(lead);
	free(op);
	free(where);
	return true;
}

/* Who could end a wait, a line each: "       T2 has it since lock m   f() at a.c:3" */
static void print_holders(const struct report *r, const struct chess_wait *w, bool lost, FILE *to)
{
	char *op, *where, *lead;
	size_t i;

	if (w->asked && !w->outside && (!w->n_holders || w->holders[0].how == CHESS_HOLD_LOST ||
			    w->holders[0].how == CHESS_HOLD_GONE))
		fprintf(to, "       no task is left that could end it\n");
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
		report_print_columns(to, lead, where, "");
		free(lead);
		free(op);
		free(where);
	}
	if (i < w->n_holders && w->holders[i].how == CHESS_HOLD_MAY) {
		fprintf(to, "       only");
		for (; i < w->n_holders; i++)
			fprintf(to, "%s T%u", i ? "," : "", w->holders[i].task);
		fprintf(to, lost ? " could still end it\n" :
			" could end it, without having touched it yet\n");
	} else if (i < w->n_holders && w->holders[i].how != CHESS_HOLD_IS) {
		fprintf(to, "       and %zu more\n", w->n_holders - i);
	}
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
		fprintf(to, "last woken by none of the tasks, in event %u\n", woken->seq);
		return;
	}
	op = report_op(r, with);
	where = report_where(r, with);
	lead = cli_printf("last woken by T%u %s", with->task, op);
	report_print_columns(to, lead, where, "");
	free(lead);
	free(op);
	free(where);
}

void report_print_wait(const struct report *r, const struct chess_wait *w, FILE *to)
{
	const struct chess_event *e = w->seq && w->seq <= chess_record_length(r->record) ?
		chess_record_event(r->record, w->seq - 1) :
		chess_record_last_point(r->record, chess_record_length(r->record), w->task);
	char *op = e && e->type == CHESS_EVENT_POINT ? report_op(r, e) : cli_printf("?");
	char *where = e ? report_where(r, e) : cli_printf("%s", "");
	char *text = report_name_addresses(r, w->text ? w->text : "unknown wait");
	char *more = cli_printf("%s%s", text, w->outside ? ", which something outside may end" : "");

	fprintf(to, "  T%-3u ", w->task);
	report_print_columns(to, op, where, more);
	if (e)
		report_print_callers(r, e, to);
	print_holders(r, w, print_lost(r, w, to), to);
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

void report_print_waits(const struct report *r, FILE *to)
{
	const struct chess_trace *t = r->trace;
	size_t i;

	if (!t->n_waits)
		return;
	fprintf(to, "\n%sblocked%s\n", out_bold(), out_plain());
	print_cycle(r, to);
	for (i = 0; i < t->n_waits && i < WAITS_SHOWN; i++)
		report_print_wait(r, &t->waits[i], to);
	if (t->n_waits > WAITS_SHOWN)
		fprintf(to, "  and %zu more\n", t->n_waits - WAITS_SHOWN);
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

			report_json_take(one, "op", report_op(r, e));
			report_json_take(one, "where", report_where(r, e));
		}
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *json_lost(const struct report *r, const struct chess_wait *w)
{
	struct json_object *o;
	uint32_t last;
	size_t n;

	if (chess_record_lost_signals(r->record, w->seq, &n, &last) || !n)
		return NULL;
	o = json_object_new_object();
	json_object_object_add(o, "signals", json_object_new_int64(n));
	json_object_object_add(o, "last", report_json_event(r, last - 1));
	return o;
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

void report_json_waits(const struct report *r, struct json_object *o)
{
	struct json_object *waits = json_object_new_array();
	size_t i, n = chess_record_length(r->record);

	for (i = 0; i < r->trace->n_waits; i++) {
		const struct chess_wait *w = &r->trace->waits[i];
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "task", json_object_new_int(w->task));
		json_object_object_add(one, "seq", json_object_new_int64(w->seq));
		report_json_take(one, "wait", report_name_addresses(r, w->text ? w->text : ""));
		out_json_bool(one, "outside", w->outside);
		if (w->seq && w->seq <= n) {
			const struct chess_event *e = chess_record_event(r->record, w->seq - 1);

			report_json_take(one, "op", report_op(r, e));
			report_json_take(one, "where", report_where(r, e));
			json_object_object_add(one, "stack", json_stack(r, e));
		}
		json_object_object_add(one, "holders", json_holders(r, w));
		json_object_object_add(one, "lost", json_lost(r, w));
		json_object_object_add(one, "woken", json_woken(r, w));
		out_json_string(one, "object", w->object);
		out_json_string(one, "kernel", w->kernel);
		json_object_array_add(waits, one);
	}
	json_object_object_add(o, "waits", waits);
}

struct json_object *report_json_cycle(const struct report *r)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < r->run.n_cycle; i++)
		json_object_array_add(list,
				      json_object_new_int(r->trace->waits[r->run.cycle[i]].task));
	return list;
}
