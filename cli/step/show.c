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
#include "step/here.h"
#include "step/step.h"

#define FRAMES_SHOWN	12

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
	struct step_here h;
	size_t i;

	step_here_read(&h, w);
	if (h.text)
		printf("%sevent %u%s: %s\n", out_bold(), h.seq, out_plain(), h.text);
	else
		step_show_verdict(w);
	for (i = 0; i < h.n; i++) {
		const struct step_line *line = &h.line[i];

		printf("  %s ", line->next ? ">" : " ");
		if (line->way == CHESS_TASK_TIMER) {
			printf("%s: %s\n", line->name, line->op);
		} else if (!*line->op) {
			printf("%s\n", line->name);
		} else {
			printf("%-*s ", h.name_width < 4 ? 4 : (int)h.name_width, line->name);
			report_print_columns(stdout, line->op, line->where, line->more);
		}
	}
	step_here_clear(&h);
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

static void show_stack(const struct step_so_far *f, size_t i, uint16_t task)
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
	struct step_so_far f;

	if (task != CHESS_TASK_NONE && living(w, task) == CHESS_PHASE_ABSENT)
		return false;
	step_walk_stacks(w, true);
	step_so_far_open(&f, w);
	for (t = 0; t < chess_record_tasks(f.t.record); t++) {
		enum chess_task_phase phase = chess_record_phase(f.t.record, i + 1, t);

		if ((task == CHESS_TASK_NONE || task == t) && phase != CHESS_PHASE_ABSENT &&
		    phase < CHESS_PHASE_ENDED)
			show_stack(&f, i, t);
	}
	step_so_far_close(&f);
	return true;
}

bool step_show_why(struct step_walk *w, uint16_t task)
{
	enum chess_task_phase phase = living(w, task);
	const struct chess_wait *wait;
	struct chess_wait *waits, shown;
	struct step_so_far f;
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
	step_so_far_open(&f, w);
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
	step_so_far_close(&f);
	return true;
}

void step_show_list(struct step_walk *w)
{
	struct step_so_far f;

	step_so_far_open(&f, w);
	steps_print(&f.report, stdout);
	step_so_far_close(&f);
}

struct history {
	const struct report *r;
	FILE *to;
};

static void print_left_out(FILE *to, size_t n)
{
	if (n)
		fprintf(to, "   ... %zu step%s left out\n", n, n == 1 ? "" : "s");
}

static void print_step(void *arg, const struct report_step *step)
{
	const struct history *h = arg;
	char *where = step->point ? report_where(h->r, step->point) : cli_printf("%s", "");
	/* There is room for file and line. */
	char *at = strstr(where, " at ");

	print_left_out(h->to, step->left_out);
	fprintf(h->to, "%5u T%-2u %-12s %s\n", step->seq, step->task, step->text,
		at ? at + strlen(" at ") : where);
	free(where);
}

char *step_history(struct step_walk *w)
{
	struct step_so_far f;
	struct history h = { .r = &f.report };
	char *text = NULL;
	size_t size;

	h.to = open_memstream(&text, &size);
	if (!h.to)
		cli_no_memory();
	step_so_far_open(&f, w);
	print_left_out(h.to, steps_each(&f.report, print_step, &h));
	step_so_far_close(&f);
	if (fclose(h.to))
		cli_no_memory();
	return text;
}
