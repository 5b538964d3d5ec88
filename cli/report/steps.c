// SPDX-License-Identifier: GPL-2.0-only
/*
 * The steps of a schedule as one column per task. A row is an op at the moment
 * it is executed: the point of a preempted task shows twice, once where it was
 * held (">op") and once where it goes on. A time-out stands after the op it ends,
 * with the clock of the group. Points at which only one task was
 * alive are left out, and of the rest what is near a change of task matters
 * most. Called by report.c.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "report/report.h"

#define ROWS_MAX	25
#define WIDTH		96
#define COLUMN_MIN	13
#define COLUMN_MAX	30

struct row {
	uint32_t seq;
	uint16_t task;
	const char *mark;	/* in front of the text */
	const char *tail;	/* after it */
	const struct chess_event *point;	/* the op, or NULL: tail says all */
	const struct chess_event *timeout;	/* that ended it, or NULL */
	const struct chess_event *signal;	/* that the task takes, or NULL */
	bool early;		/* while others could go on */
	bool nothing;		/* not by its time, but without a wake-up */
	unsigned int weight;	/* kept first when large */
};

struct rows {
	struct row *row;
	size_t n;
};

static struct row *add_row(struct rows *rows, uint32_t seq, uint16_t task)
{
	struct row *row = &rows->row[rows->n++];

	memset(row, 0, sizeof(*row));
	row->seq = seq;
	row->task = task;
	row->mark = "";
	row->tail = "";
	return row;
}

/* The chosen task goes on with what it was held at. */
static void add_resumed(struct rows *rows, const struct chess_event *e,
			const struct chess_event **held, bool *blocked)
{
	struct row *row;

	if (e->chosen == CHESS_TASK_NONE || e->chosen == e->task)
		return;
	row = add_row(rows, e->seq, e->chosen);
	row->point = held[e->chosen];
	if (!row->point)
		row->tail = "starts";
	else if (blocked[e->chosen])
		row->mark = "..";
	blocked[e->chosen] = false;
}

/* The time-out belongs to the op its task has just gone on with. */
static struct row *add_timeout(struct rows *rows, const struct chess_event *e,
			       const struct chess_event *held, bool early)
{
	struct row *row = rows->n ? &rows->row[rows->n - 1] : NULL;

	if (!row || row->task != e->task || row->timeout) {
		row = add_row(rows, e->seq, e->task);
		row->point = held;
	}
	row->timeout = e;
	row->early = early;
	if (early)
		row->weight = 1000;
	return row;
}

/* Could the task at decision @i go on if it had not to let others go first? */
static bool is_left_out(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	return chess_record_enabled(r, i, e->task) && !chess_record_allowed(r, i, e->task);
}

/* What is known of the tasks while the record is walked. */
struct walk {
	const struct report *r;
	struct rows *rows;
	const struct chess_event **held;	/* by task: its last point */
	bool *blocked;				/* by task */
	bool early;	/* the decision before was that a deadline passes early */
};

static struct row *collect_point(struct walk *w, size_t i, bool preemption)
{
	const struct chess_event *e = chess_record_event(w->r->record, i);
	bool forced = e->chosen != e->task && is_left_out(w->r->record, i);
	struct row *row;

	w->held[e->task] = e;
	w->blocked[e->task] = false;
	if ((e->flags & CHESS_OPF_ALONE) && e->chosen == e->task)
		return NULL;
	/* A voluntary turn of another task is plain from its row. */
	if (e->chosen != e->task && !preemption && !forced)
		return NULL;
	row = add_row(w->rows, e->seq, e->task);
	row->point = e;
	row->mark = preemption ? ">" : "";
	row->tail = forced ? ", others first (fairness)" : row->tail;
	return row;
}

static struct row *collect_block(struct walk *w, const struct chess_event *e)
{
	/* The last row may be of an earlier op: a point alone has none. */
	struct row *row = w->rows->n ? &w->rows->row[w->rows->n - 1] : NULL;

	w->blocked[e->task] = true;
	if (row && row->task == e->task && row->point && row->point == w->held[e->task] &&
	    !*row->mark) {
		row->tail = ", blocks";
		return row;
	}
	row = add_row(w->rows, e->seq, e->task);
	row->point = w->held[e->task];
	row->tail = w->held[e->task] ? ", blocks" : "blocks";
	return row;
}

/* Events by which another one than the task that runs is concerned. True: @e is one. */
static bool collect_other(struct walk *w, size_t i)
{
	const struct chess_event *e = chess_record_event(w->r->record, i);
	struct row *row;

	switch (e->type) {
	case CHESS_EVENT_EXPIRE:
		row = add_row(w->rows, e->seq, e->task);
		row->mark = ">";
		row->timeout = e;
		row->tail = "timer goes off";
		row->weight = 1000;
		return true;
	case CHESS_EVENT_SIGNAL:
		row = add_row(w->rows, e->seq, e->chosen);
		row->signal = e;
		row->tail = e->chosen == chess_record_default(w->r->record, i) ?
			    "" : ", not its process's first thread";
		row->weight = *row->tail ? 1000 : 0;
		return true;
	case CHESS_EVENT_QUEUE:
		/* As by default: nobody need look at it. */
		if (e->chosen == e->object)
			return true;
		row = add_row(w->rows, e->seq, e->chosen);
		row->tail = "is woken before those in front";
		row->weight = 1000;
		return true;
	case CHESS_EVENT_SPURIOUS:
		/* TIMEOUT says it. */
		return true;
	default:
		return false;
	}
}

/* The row of an event of the task that runs; NULL: it has none. */
static struct row *collect_own(struct walk *w, size_t i, bool preemption)
{
	const struct chess_event *e = chess_record_event(w->r->record, i);
	struct row *row;

	switch (e->type) {
	case CHESS_EVENT_POINT:
		return collect_point(w, i, preemption);
	case CHESS_EVENT_BLOCK:
		return collect_block(w, e);
	case CHESS_EVENT_TIMEOUT:
		row = add_timeout(w->rows, e, w->held[e->task], w->early);
		row->nothing = chess_record_is_spurious(w->r->record, i);
		row->weight = row->nothing ? 1000 : row->weight;
		w->early = false;
		return row;
	case CHESS_EVENT_EXEC:
		if (!i)		/* the start of the run itself */
			return NULL;
		break;
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_KILLED:
	case CHESS_EVENT_QUANTUM:
	case CHESS_EVENT_STALL:
	case CHESS_EVENT_DIVERGENCE:
		break;
	default:
		return NULL;
	}
	row = add_row(w->rows, e->seq, e->task);
	switch (e->type) {
	case CHESS_EVENT_EXEC:
		row->tail = "new program";
		break;
	case CHESS_EVENT_DIVERGENCE:
		row->tail = "diverges here";
		break;
	case CHESS_EVENT_QUANTUM:
	case CHESS_EVENT_STALL:
		row->mark = preemption ? ">" : "";
		row->tail = e->type == CHESS_EVENT_QUANTUM ? "quantum used up" : "stalled";
		break;
	default:
		row->tail = e->object & 0x7f ? "dies" : "ends";
		break;
	}
	return row;
}

static void collect(const struct report *r, struct rows *rows)
{
	size_t n = chess_record_length(r->record), i;
	size_t tasks = CHESS_MAX_TASKS;
	struct walk w = {
		.r = r, .rows = rows,
		.held = cli_alloc(tasks, sizeof(*w.held)),
		.blocked = cli_alloc(tasks, sizeof(*w.blocked)),
	};

	/* at most two rows for one event */
	rows->row = cli_alloc(2 * n, sizeof(*rows->row));
	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r->record, i);
		bool preemption = chess_record_is_preemption(r->record, i);
		struct row *row;

		if (e->task >= tasks ||
		    (e->type != CHESS_EVENT_EXPIRE && CHESS_EVENT_IS_DECISION(e->type) &&
		     e->chosen != CHESS_TASK_NONE && e->chosen >= tasks))
			continue;
		if (collect_other(&w, i))
			continue;
		row = collect_own(&w, i, preemption);
		if (row && preemption)
			row->weight = 1000;
		if (!CHESS_EVENT_IS_DECISION(e->type))
			continue;
		w.early = e->flags & CHESS_OPF_EARLY;
		add_resumed(rows, e, w.held, w.blocked);
	}
	free(w.held);
	free(w.blocked);
}

/* Rows next to a preemption, to a change of task and to the end weigh most. */
static void weigh(struct rows *rows)
{
	size_t i, k;

	for (i = 0; i < rows->n; i++) {
		unsigned int w = rows->row[i].weight;

		if (i + 8 >= rows->n)
			w += 400 + 10 * (i + 8 - rows->n);
		if (i && rows->row[i].task != rows->row[i - 1].task)
			w += 100;
		if (i + 1 < rows->n && rows->row[i].task != rows->row[i + 1].task)
			w += 100;
		for (k = i > 3 ? i - 3 : 0; k <= i + 3 && k < rows->n; k++)
			if (*rows->row[k].mark == '>')
				w += 300;
		/* among equals the later one: failures are explained by their end */
		rows->row[i].weight = w * 4096 + 1 + (i < 4094 ? i : 4094);
	}
}

static int by_weight(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;

	return x->weight < y->weight ? 1 : -(x->weight > y->weight);
}

/* Marks by weight 0 what does not fit. */
static void cut(struct rows *rows)
{
	struct row **order = cli_alloc(rows->n, sizeof(*order));
	size_t i;

	for (i = 0; i < rows->n; i++)
		order[i] = &rows->row[i];
	qsort(order, rows->n, sizeof(*order), by_weight);
	for (i = ROWS_MAX; i < rows->n; i++)
		order[i]->weight = 0;
	free(order);
}

static char *row_text(const struct report *r, const struct row *row)
{
	char *op = row->point ? report_call(r, row->point) : NULL;
	bool timer = row->timeout && row->timeout->type == CHESS_EVENT_EXPIRE;
	char *clock = row->nothing ? cli_printf(", woke up spuriously") :
		      row->timeout ? cli_printf("%s at %.6f s", timer ? " early, due" :
						row->early ? ", early time-out" : ", time-out",
						row->timeout->object / 1e9) : NULL;
	char *signal = row->signal ? cli_printf("takes signal %u (SIG%s)", row->signal->nr,
						sigabbrev_np(row->signal->nr) ?: "RT") : NULL;
	char *text = cli_printf("%s%s%s%s%s", row->mark, op ? op : "", signal ? signal : "",
				row->tail, clock ? clock : "");

	free(signal);
	free(clock);
	free(op);
	return text;
}

static void print_row(const struct report *r, const struct row *row, const uint16_t *columns,
		      size_t n, int width, FILE *to)
{
	char *text = row_text(r, row);
	size_t i;

	fprintf(to, "  %5u ", row->seq);
	if (!width) {
		fprintf(to, "T%u %s\n", row->task, text);
		free(text);
		return;
	}
	/* Later columns stay empty, so the text may run on into them. */
	for (i = 0; i < n && columns[i] != row->task; i++)
		fprintf(to, "%*s", width, "");
	fprintf(to, "%s%s%s\n", *row->mark == '>' ? out_bold() : "", text,
		*row->mark == '>' ? out_plain() : "");
	free(text);
}

static size_t find_columns(const struct rows *rows, uint16_t *columns, size_t max)
{
	size_t i, k, n = 0;

	for (i = 0; i < rows->n; i++) {
		uint16_t task = rows->row[i].task;

		if (!rows->row[i].weight)
			continue;
		for (k = 0; k < n && columns[k] < task; k++)
			;
		if (k < n && columns[k] == task)
			continue;
		if (n == max)
			return max + 1;
		memmove(columns + k + 1, columns + k, (n - k) * sizeof(*columns));
		columns[k] = task;
		n++;
	}
	return n;
}

/* Explains the marks that are there. */
static const char *legend(const struct rows *rows)
{
	bool preempted = false, resumed = false;
	size_t i;

	for (i = 0; i < rows->n; i++) {
		const struct row *row = &rows->row[i];

		preempted |= row->weight && *row->mark == '>';
		resumed |= row->weight && *row->mark == '.';
	}
	if (preempted)
		return resumed ? " (>op: preempted before it; ..op: continues after waiting in it)" :
				 " (>op: preempted before it)";
	return resumed ? " (..op: continues after waiting in it)" : "";
}

size_t steps_each(const struct report *r, steps_fn *fn, void *arg)
{
	struct rows rows = { 0 };
	size_t i, left_out = 0;

	collect(r, &rows);
	weigh(&rows);
	if (rows.n > ROWS_MAX)
		cut(&rows);
	for (i = 0; i < rows.n; i++) {
		const struct row *row = &rows.row[i];
		struct report_step step = {
			.seq = row->seq, .task = row->task, .point = row->point,
			.preempted = *row->mark == '>' && !row->timeout, .left_out = left_out,
		};

		if (!row->weight) {
			left_out++;
			continue;
		}
		step.text = row_text(r, row);
		fn(arg, &step);
		free(step.text);
		left_out = 0;
	}
	free(rows.row);
	return left_out;
}

void steps_print(const struct report *r, FILE *to)
{
	uint16_t columns[WIDTH / COLUMN_MIN];
	struct rows rows = { 0 };
	size_t i, n, left_out = 0;
	int width = 0;

	collect(r, &rows);
	if (!rows.n)
		goto out;
	weigh(&rows);
	if (rows.n > ROWS_MAX)
		cut(&rows);
	n = find_columns(&rows, columns, WIDTH / COLUMN_MIN);
	fprintf(to, "\n%ssteps%s%s\n", out_bold(), out_plain(), legend(&rows));
	if (n <= WIDTH / COLUMN_MIN) {
		width = WIDTH / n < COLUMN_MAX ? WIDTH / n : COLUMN_MAX;
		fprintf(to, "  %5s ", "event");
		for (i = 0; i < n; i++)
			fprintf(to, "T%-*u", i + 1 < n ? width - 1 : 1, columns[i]);
		fputc('\n', to);
	}
	for (i = 0; i < rows.n; i++) {
		if (!rows.row[i].weight) {
			left_out++;
			continue;
		}
		if (left_out)
			fprintf(to, "    ... %zu step%s left out\n", left_out,
				left_out == 1 ? "" : "s");
		left_out = 0;
		print_row(r, &rows.row[i], columns, n, width, to);
	}
out:
	free(rows.row);
}
