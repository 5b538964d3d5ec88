// SPDX-License-Identifier: GPL-2.0-only
/*
 * What could run at a position of a run, and what each task is about to do: see here.h. All is of
 * the part of the record up to the decision that is next; what comes after it may still be chosen
 * otherwise.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/names.h"
#include "step/here.h"

void step_so_far_open(struct step_so_far *f, const struct step_walk *w)
{
	f->t = w->t;
	f->t.record = chess_record_cut(w->res.record, step_walk_event(w) + 1);
	if (!f->t.record)
		cli_no_memory();
	f->report = (struct report){
		.trace = &f->t, .record = f->t.record, .symbols = w->report.symbols,
	};
}

void step_so_far_close(struct step_so_far *f)
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

static struct step_line *add_line(struct step_here *h, uint16_t way)
{
	struct step_line *line;

	h->line = cli_realloc(h->line, h->n + 1, sizeof(*h->line));
	line = &h->line[h->n++];
	*line = (struct step_line){ .way = way };
	return line;
}

static void add_task(struct step_here *h, const struct step_walk *w, const struct step_so_far *f,
		     uint16_t task, const char *name, const struct chess_wait *waits, size_t n)
{
	const struct chess_record *r = f->report.record;
	size_t i = step_walk_event(w);
	enum chess_task_phase phase = chess_record_phase(r, i + 1, task);
	const struct chess_event *e = chess_record_last_point(r, i + 1, task);
	struct step_line *line;
	bool turn;

	if (phase == CHESS_PHASE_ABSENT || phase >= CHESS_PHASE_ENDED)
		return;
	turn = !step_walk_ended(w) && CHESS_EVENT_IS_TURN(chess_record_event(r, i)->type);
	line = add_line(h, task);
	line->next = turn && chess_record_event(r, i)->chosen == task;
	line->name = cli_printf("T%u%s%s", task, name ? " " : "", name ? name : "");
	line->op = step_op_text(&f->report, i, task);
	line->where = e ? report_where(&f->report, e) : cli_printf("%s", "");
	line->more = hindrance(w, phase, task, waits, n);
	if (e && !symbols_event_place(f->report.symbols, e, chess_record_stack(r, e->seq),
				      &line->place))
		memset(&line->place, 0, sizeof(line->place));
}

static void add_way(struct step_here *h, const struct step_walk *w, uint16_t way, bool next,
		    const char *op)
{
	struct step_line *line = add_line(h, way);

	line->next = next;
	line->name = step_way_text(w, w->at, way);
	line->op = cli_printf("%s", op);
	line->where = cli_printf("%s", "");
	line->more = cli_printf("%s", "");
}

/* Choices that are not about the next task. */
static void add_ways(struct step_here *h, const struct step_walk *w)
{
	const struct chess_event *e = chess_record_event(w->res.record, w->event[w->at]);
	size_t i;

	for (i = 0; i < 64; i++)
		if (e->enabled >> i & 1)
			add_way(h, w, i, i == e->chosen, "");
}

void step_here_read(struct step_here *h, struct step_walk *w)
{
	char **names = report_task_names(&w->report);
	const struct chess_event *e;
	struct chess_wait *waits;
	struct step_so_far f;
	size_t n = 0, t;

	*h = (struct step_here){ .seq = step_walk_event(w) + 1 };
	step_walk_stacks(w, false);
	step_so_far_open(&f, w);
	if (chess_waits_at(f.t.record, chess_record_length(f.t.record), &waits, &n))
		waits = NULL;
	e = chess_record_event(f.t.record, step_walk_event(w));
	if (!step_walk_ended(w))
		h->text = event_text(&f.report, e);
	if (!step_walk_ended(w) && !CHESS_EVENT_IS_TURN(e->type) && e->type != CHESS_EVENT_EXPIRE) {
		add_ways(h, w);
	} else {
		for (t = 0; t < chess_record_tasks(f.t.record); t++)
			add_task(h, w, &f, t, names[t], waits, n);
		if (!step_walk_ended(w) && (e->type == CHESS_EVENT_EXPIRE ||
					    step_walk_may(w, w->at, CHESS_TASK_TIMER)))
			add_way(h, w, CHESS_TASK_TIMER, e->type == CHESS_EVENT_EXPIRE,
				"those that are due first go off");
	}
	for (t = 0; t < h->n; t++)
		if (strlen(h->line[t].name) > h->name_width)
			h->name_width = strlen(h->line[t].name);
	report_free_names(names, chess_record_tasks(w->res.record));
	chess_waits_free(waits, n);
	step_so_far_close(&f);
}

void step_here_clear(struct step_here *h)
{
	size_t i;

	for (i = 0; i < h->n; i++) {
		free(h->line[i].name);
		free(h->line[i].op);
		free(h->line[i].where);
		free(h->line[i].more);
		place_clear(&h->line[i].place);
	}
	free(h->line);
	free(h->text);
	*h = (struct step_here){ 0 };
}
