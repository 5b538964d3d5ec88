// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a run is, in words: see step.h. All is of the part of the record up to the decision that
 * is next; what comes after it may still be chosen otherwise.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/report_parts.h"
#include "step/step.h"

#define FRAMES_SHOWN	12

/**
 * struct so_far - the run up to here, as a report
 * @t: its trace, with @report.record in place of the whole record
 * @report: borrows the symbols of the whole
 */
struct so_far {
	struct chess_trace t;
	struct report report;
};

static void so_far_open(struct so_far *f, const struct step_walk *w)
{
	f->t = w->t;
	f->t.record = chess_record_cut(w->res.record, step_walk_event(w) + 1);
	if (!f->t.record)
		cli_no_memory();
	f->report = (struct report){
		.trace = &f->t, .record = f->t.record, .symbols = w->report.symbols,
	};
}

static void so_far_close(struct so_far *f)
{
	chess_record_free(f->t.record);
}

char *step_way_text(const struct step_walk *w, size_t k, uint16_t way)
{
	if (chess_record_event(w->res.record, w->event[k])->type == CHESS_EVENT_SPURIOUS)
		return cli_printf("%s", way == CHESS_ENDS_LATE ? "late" : "spurious");
	return way == CHESS_TASK_TIMER ? cli_printf("timer") : cli_printf("T%u", way);
}

/* What happened last, at which there is something to choose. */
static char *event_text(const struct report *r, const struct chess_event *e)
{
	char *op, *text;

	switch (e->type) {
	case CHESS_EVENT_POINT:
		op = report_op(r, e);
		text = cli_printf("T%u is about to %s", e->task, op);
		free(op);
		return text;
	case CHESS_EVENT_BLOCK:
		return cli_printf("T%u blocks", e->task);
	case CHESS_EVENT_EXIT:
		return cli_printf("T%u has ended", e->task);
	case CHESS_EVENT_RESUME:
		return cli_printf("T%u is woken", e->task);
	case CHESS_EVENT_QUANTUM:
		return cli_printf("T%u has used up its quantum", e->task);
	case CHESS_EVENT_STALL:
		return cli_printf("T%u stalls in the kernel", e->task);
	case CHESS_EVENT_SIGNAL:
		return cli_printf("which thread takes signal %u (SIG%s)", e->nr,
				  sigabbrev_np(e->nr) ?: "RT");
	case CHESS_EVENT_QUEUE:
		return cli_printf("T%u is to wake one of these first", e->task);
	case CHESS_EVENT_SPURIOUS:
		return cli_printf("how T%u's wait ends", e->task);
	case CHESS_EVENT_EXPIRE:
		return cli_printf("timers go off before T%u continues", e->task);
	default:
		return report_event(r, e);
	}
}

/* Has @task begun what it stands at? Then it does not come to it, but continues in it. */
static bool has_begun(const struct chess_record *r, size_t i, uint16_t task)
{
	for (i++; i--;) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task != task)
			continue;
		if (e->type == CHESS_EVENT_POINT)
			return false;
		if (e->type == CHESS_EVENT_BLOCK || e->type == CHESS_EVENT_QUANTUM ||
		    e->type == CHESS_EVENT_STALL)
			return true;
	}
	return false;
}

char *step_op_text(const struct report *r, size_t i, uint16_t task)
{
	const struct chess_event *e = chess_record_last_point(r->record, i + 1, task);
	char *op, *text;

	if (!e)
		return cli_printf("start");
	op = report_op(r, e);
	if (!has_begun(r->record, i, task) ||
	    chess_record_phase(r->record, i + 1, task) != CHESS_PHASE_ENABLED)
		return op;
	text = cli_printf("continue after %s", op);
	free(op);
	return text;
}

/* "T0 has it since event 14"; malloc'ed, "" where nobody surely has it. */
static char *holder_text(const struct chess_wait *w)
{
	const struct chess_holder *h = w && w->n_holders ? w->holders : NULL;

	if (h && h->how == CHESS_HOLD_HAS)
		return cli_printf("blocked; T%u has it since event %u", h->task, h->seq);
	if (h && h->how == CHESS_HOLD_IS)
		return cli_printf("blocked; waits for T%u", h->task);
	return cli_printf("blocked");
}

/* What keeps @task from being a choice; malloc'ed, "" of one that is. */
static char *hindrance(const struct step_walk *w, enum chess_task_phase phase, uint16_t task,
		       const struct chess_wait *waits, size_t n)
{
	size_t i = step_walk_event(w);

	if (step_walk_ended(w) || !step_walk_may(w, w->at, task)) {
		if (phase == CHESS_PHASE_BLOCKED || phase == CHESS_PHASE_TIMED)
			return holder_text(chess_wait_of(waits, n, task));
		if (!step_walk_ended(w) && chess_record_enabled(w->res.record, i, task))
			return cli_printf("others go first (fairness)");
	} else if (phase == CHESS_PHASE_TIMED) {
		return cli_printf(chess_record_spurious(w->res.record) ?
				  "waits; its wait would end without a wake-up" :
				  "waits; its deadline would pass");
	}
	return cli_printf("%s", "");
}

static void show_task(const struct step_walk *w, const struct so_far *f, uint16_t task,
		      const struct chess_wait *waits, size_t n)
{
	const struct chess_record *r = f->report.record;
	size_t i = step_walk_event(w);
	enum chess_task_phase phase = chess_record_phase(r, i + 1, task);
	const struct chess_event *e = chess_record_last_point(r, i + 1, task);
	bool next, turn;
	char *op, *where, *more;

	if (phase == CHESS_PHASE_ABSENT || phase >= CHESS_PHASE_ENDED)
		return;
	turn = !step_walk_ended(w) && CHESS_EVENT_IS_TURN(chess_record_event(r, i)->type);
	next = turn && chess_record_event(r, i)->chosen == task;
	where = e ? report_where(&f->report, e) : cli_printf("%s", "");
	op = step_op_text(&f->report, i, task);
	more = hindrance(w, phase, task, waits, n);
	printf("  %s T%-3u ", next ? ">" : " ", task);
	report_print_columns(stdout, op, where, more);
	free(more);
	free(op);
	free(where);
}

/* Choices that are not about the next task. */
static void show_ways(const struct step_walk *w)
{
	const struct chess_event *e = chess_record_event(w->res.record, w->event[w->at]);
	size_t i;

	for (i = 0; i < 64; i++) {
		char *text;

		if (!(e->enabled >> i & 1))
			continue;
		text = step_way_text(w, w->at, i);
		printf("  %s %s\n", i == e->chosen ? ">" : " ", text);
		free(text);
	}
}

void step_show_verdict(const struct step_walk *w)
{
	const size_t *cycle = w->report.run.cycle;
	size_t i, n = w->report.run.n_cycle, preemptions = w->report.run.n_preemptions;
	bool bug = chess_verdict_is_bug(w->res.verdict);

	printf("the run ends after event %zu, with %zu preemption%s: %s%s%s\n",
	       chess_record_length(w->res.record), preemptions, preemptions == 1 ? "" : "s",
	       bug ? out_bad() : out_good(), chess_verdict_name(w->res.verdict), out_plain());
	for (i = 0; n > 1 && i < n; i++)
		printf("%sT%u %s T%u%s", i ? ", " : "  ", w->t.waits[cycle[i]].task,
		       i ? "for" : "waits for", w->t.waits[cycle[(i + 1) % n]].task,
		       i == n - 1 ? "\n" : "");
}

void step_show(struct step_walk *w)
{
	const struct chess_event *e;
	struct chess_wait *waits;
	struct so_far f;
	size_t n = 0, t;
	char *text;

	step_walk_stacks(w, false);
	so_far_open(&f, w);
	if (chess_waits_at(f.t.record, chess_record_length(f.t.record), &waits, &n))
		waits = NULL;
	e = chess_record_event(f.t.record, step_walk_event(w));
	if (step_walk_ended(w)) {
		step_show_verdict(w);
	} else {
		text = event_text(&f.report, e);
		printf("%sevent %u%s: %s\n", out_bold(), e->seq, out_plain(), text);
		free(text);
	}
	if (!step_walk_ended(w) && !CHESS_EVENT_IS_TURN(e->type) && e->type != CHESS_EVENT_EXPIRE) {
		show_ways(w);
	} else {
		for (t = 0; t < chess_record_tasks(f.t.record); t++)
			show_task(w, &f, t, waits, n);
		if (!step_walk_ended(w) && (e->type == CHESS_EVENT_EXPIRE ||
					    step_walk_may(w, w->at, CHESS_TASK_TIMER)))
			printf("  %s timer: those that are due first go off\n",
			       e->type == CHESS_EVENT_EXPIRE ? ">" : " ");
	}
	chess_waits_free(waits, n);
	so_far_close(&f);
}

/* CHESS_PHASE_ABSENT after a sentence: there is no such task yet, or no more. */
static enum chess_task_phase living(const struct step_walk *w, uint16_t task)
{
	size_t i = step_walk_event(w);
	enum chess_task_phase phase = task < chess_record_tasks(w->res.record) ?
		chess_record_phase(w->res.record, i + 1, task) : CHESS_PHASE_ABSENT;

	if (phase == CHESS_PHASE_ABSENT)
		cli_note("there is no T%u at event %zu", task, i + 1);
	else if (phase >= CHESS_PHASE_ENDED)
		cli_note("T%u has ended before event %zu", task, i + 1);
	return phase >= CHESS_PHASE_ENDED ? CHESS_PHASE_ABSENT : phase;
}

static void show_stack(const struct so_far *f, size_t i, uint16_t task)
{
	const struct chess_event *e = chess_record_last_point(f->report.record, i + 1, task);
	char *frames[FRAMES_SHOWN], *op, *where;
	size_t n = 0, k;

	if (!e) {
		printf("  T%-3u has not come to a point yet\n", task);
		return;
	}
	op = report_op(&f->report, e);
	where = report_where(&f->report, e);
	printf("  T%-3u ", task);
	report_print_columns(stdout, op, where, "");
	free(op);
	free(where);
	n = symbols_event_stack(f->report.symbols, e, chess_record_stack(f->report.record, e->seq),
				frames, FRAMES_SHOWN);
	/* The innermost is said already. */
	for (k = 0; k < n; k++) {
		if (k)
			printf("       called by %s\n", frames[k]);
		free(frames[k]);
	}
}

bool step_show_where(struct step_walk *w, uint16_t task)
{
	size_t i = step_walk_event(w), t;
	struct so_far f;

	if (task != CHESS_TASK_NONE && living(w, task) == CHESS_PHASE_ABSENT)
		return false;
	step_walk_stacks(w, true);
	so_far_open(&f, w);
	for (t = 0; t < chess_record_tasks(f.t.record); t++) {
		enum chess_task_phase phase = chess_record_phase(f.t.record, i + 1, t);

		if ((task == CHESS_TASK_NONE || task == t) && phase != CHESS_PHASE_ABSENT &&
		    phase < CHESS_PHASE_ENDED)
			show_stack(&f, i, t);
	}
	so_far_close(&f);
	return true;
}

bool step_show_why(struct step_walk *w, uint16_t task)
{
	enum chess_task_phase phase = living(w, task);
	const struct chess_wait *wait;
	struct chess_wait *waits, shown;
	struct so_far f;
	size_t n = 0;

	if (phase == CHESS_PHASE_ABSENT)
		return false;
	if (phase == CHESS_PHASE_ENABLED) {
		printf("  T%u does not wait: it can run%s\n", task,
		       step_walk_ended(w) || step_walk_may(w, w->at, task) ? "" :
		       ", but others go first (fairness)");
		return true;
	}
	/* At the end of the run the kernel was asked as well. */
	wait = step_walk_ended(w) ? chess_wait_of(w->res.waits, w->res.n_waits, task) : NULL;
	if (wait) {
		report_print_wait(&w->report, wait, stdout);
		return true;
	}
	step_walk_stacks(w, true);
	so_far_open(&f, w);
	if (chess_waits_at(f.t.record, chess_record_length(f.t.record), &waits, &n))
		waits = NULL;
	wait = chess_wait_of(waits, n, task);
	if (wait) {
		shown = *wait;
		shown.text = (char *)(phase == CHESS_PHASE_TIMED ? "blocked, with a deadline" :
				      "blocked");
		report_print_wait(&f.report, &shown, stdout);
	} else {
		printf("  T%u is blocked, and the record does not say in what\n", task);
	}
	chess_waits_free(waits, n);
	so_far_close(&f);
	return true;
}

void step_show_list(struct step_walk *w)
{
	struct so_far f;

	so_far_open(&f, w);
	steps_print(&f.report, stdout);
	so_far_close(&f);
}
