// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run of a program and a position in it, see walk.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "calls.h"
#include "cli.h"
#include "keep.h"
#include "step/walk.h"

/* May a task have named itself or another one, or be another program's? */
static bool may_have_names(const struct chess_trace *t)
{
	size_t i;

	if (t->verdict == CHESS_VERDICT_TIMEOUT || t->verdict == CHESS_VERDICT_LIVELOCK)
		return false;
	for (i = 0; i < chess_record_length(t->record); i++) {
		const struct chess_event *e = chess_record_event(t->record, i);

		if (e->type != CHESS_EVENT_POINT || e->flags & CHESS_OPF_PROBE)
			continue;
		if (e->nr == SYS_prctl || e->nr == SYS_execve ||
		    (e->nr == SYS_openat && !(e->flags & CHESS_OPF_ALONE)))
			return true;
	}
	return false;
}

/* Those of the trace hold for other schedules, too; without one a run is asked, if need be. */
static void note_names(struct step_walk *w)
{
	struct chess_trace *t = &w->t;
	struct chess_trace asked = *t;
	size_t i;

	/* It gets its own, and the others stay. */
	asked.calls = NULL;
	asked.n_calls = 0;
	if (w->given && w->given->n_names) {
		t->names = cli_alloc(w->given->n_names, sizeof(*t->names));
		for (i = 0; i < w->given->n_names; i++) {
			t->names[i] = w->given->names[i];
			t->names[i].name = cli_printf("%s", w->given->names[i].name);
		}
		t->n_names = w->given->n_names;
	} else if (may_have_names(t) && !session_interrupted() && !calls_of_run(w->s, &asked)) {
		t->names = asked.names;
		t->n_names = asked.n_names;
		asked.names = NULL;
		asked.n_names = 0;
		calls_forget(&asked);
		w->runs++;
	}
}

/* Each run maps the same files, as a rule: their symbols are read once. */
static void open_report(struct step_walk *w)
{
	struct symbols *symbols = w->report.symbols;
	const char *maps;

	calls_forget(&w->t);
	session_trace(w->s, &w->res, &w->t);
	note_names(w);
	w->explained = false;
	if (w->report.record)
		chess_account_clear(&w->report.run);
	maps = w->t.maps ? w->t.maps : "";
	if (symbols && w->maps && !strcmp(w->maps, maps)) {
		w->report.trace = &w->t;
		w->report.record = w->t.record;
		if (chess_account_of(&w->t, &w->report.run))
			cli_no_memory();
		return;
	}
	symbols_free(symbols);
	report_open(&w->report, &w->t);
	free(w->maps);
	w->maps = cli_printf("%s", maps);
}

static void use_run(struct step_walk *w)
{
	free(w->event);
	w->event = report_decisions(w->res.record, &w->n);
	open_report(w);
	if (w->at > w->n)
		w->at = w->n;
}

/* One run. 0, or -1 after a sentence. @prefix may be NULL */
static int run_prefix(struct step_walk *w, struct chess_schedule *prefix,
		      struct chess_run_result *res)
{
	struct chess_executor x = smaller_executor(&w->judge);
	int ret;

	*res = (struct chess_run_result){
		.bad_task = -1, .diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
	};
	ret = x.run(x.ctx, &(struct chess_plan) {
		.prefix = prefix, .length = prefix ? chess_schedule_length(prefix) : 0,
	}, res);
	w->runs++;
	if (session_interrupted())
		cli_note("interrupted");
	else if (ret)
		cli_note("the run could not be made: %s", chess_error());
	else if (!res->record || !chess_record_length(res->record))
		cli_note("the run has no record: %s", chess_error());
	else
		return 0;
	chess_run_result_clear(res);
	return -1;
}

int step_walk_open(struct step_walk *w, struct session *s, const struct chess_trace *given)
{
	struct chess_schedule *prefix = NULL;
	int ret;

	*w = (struct step_walk){ .s = s, .given = given };
	w->judge = (struct smaller){ .s = s, .verdict = given ? given->verdict : CHESS_VERDICT_OK };
	if (given && given->n_races)
		w->judge.races_of = given;
	if (given) {
		prefix = chess_record_schedule(given->record);
		if (!prefix)
			cli_no_memory();
	}
	ret = run_prefix(w, prefix, &w->res);
	chess_schedule_free(prefix);
	if (ret)
		return session_interrupted() ? CLI_INCOMPLETE : CLI_ENVIRONMENT;
	use_run(w);
	w->at = step_walk_choice_from(w, 0);
	return CLI_PROCEED;
}

void step_walk_close(struct step_walk *w)
{
	while (w->n_past)
		chess_schedule_free(w->past[--w->n_past].schedule);
	free(w->past);
	free(w->event);
	free(w->maps);
	if (w->report.symbols)
		report_close(&w->report);
	calls_forget(&w->t);
	chess_run_result_clear(&w->res);
	memset(w, 0, sizeof(*w));
}

size_t step_walk_event(const struct step_walk *w)
{
	size_t length = chess_record_length(w->res.record);

	return step_walk_ended(w) ? length - 1 : w->event[w->at];
}

/* The decision that timers would have had to wait for. */
static size_t decision_after(const struct step_walk *w, size_t k)
{
	while (k + 1 < w->n) {
		const struct chess_event *e = chess_record_event(w->res.record, w->event[++k]);

		if (CHESS_EVENT_IS_TURN(e->type))
			break;
	}
	return k;
}

static bool may_turn(const struct chess_record *r, size_t i, uint16_t way)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (way == CHESS_TASK_TIMER)
		return chess_record_may_expire(r, i);
	if (chess_record_timed(r, i, way))
		return true;
	if (!chess_record_allowed(r, i, way))
		return false;
	/* Where it yields, others go first: always, or as fairness has it. */
	if (way == e->task && (e->flags & CHESS_OPF_YIELD || e->type == CHESS_EVENT_QUANTUM))
		return chess_record_fair(r) && chess_record_enabled(r, i, e->chosen);
	return true;
}

bool step_walk_may(const struct step_walk *w, size_t k, uint16_t way)
{
	const struct chess_record *r = w->res.record;
	const struct chess_event *e = chess_record_event(r, w->event[k]);

	if (way == e->chosen)
		return true;
	if (way != CHESS_TASK_TIMER && e->type != CHESS_EVENT_SPURIOUS &&
	    way >= chess_record_tasks(r))
		return false;
	switch (e->type) {
	case CHESS_EVENT_SPURIOUS:
	case CHESS_EVENT_SIGNAL:
	case CHESS_EVENT_QUEUE:
		return way < 64 && e->enabled >> way & 1;
	case CHESS_EVENT_EXPIRE:
		k = decision_after(w, k);
		return CHESS_EVENT_IS_TURN(chess_record_event(r, w->event[k])->type) &&
		       chess_record_allowed(r, w->event[k], way);
	default:
		return may_turn(r, w->event[k], way);
	}
}

bool step_walk_is_choice(const struct step_walk *w, size_t k)
{
	const struct chess_record *r = w->res.record;
	const struct chess_event *e = chess_record_event(r, w->event[k]);
	size_t n = e->type == CHESS_EVENT_SPURIOUS ? CHESS_ENDS_FOR_NOTHING + 1 :
		   chess_record_tasks(r), t;

	if (chess_record_may_expire(r, w->event[k]) || e->type == CHESS_EVENT_EXPIRE)
		return true;
	if (n <= 64 && !((e->enabled | e->timed) & ~(1ULL << (e->chosen & 63))))
		return false;
	for (t = 0; t < n; t++)
		if (t != e->chosen && step_walk_may(w, k, t))
			return true;
	return false;
}

size_t step_walk_choice_from(const struct step_walk *w, size_t k)
{
	while (k < w->n && !step_walk_is_choice(w, k))
		k++;
	return k;
}

void step_walk_remember(struct step_walk *w)
{
	struct step_past *p;

	w->past = cli_realloc(w->past, w->n_past + 1, sizeof(*w->past));
	p = &w->past[w->n_past++];
	*p = (struct step_past){
		.schedule = chess_record_schedule(w->res.record),
		.print = chess_record_hash(w->res.record), .at = w->at,
	};
	if (!p->schedule)
		cli_no_memory();
}

/*
 * Up to the position two runs with one prefix take the same decisions, or cannot be controlled.
 * What earlier calls return may depend on what comes later.
 */
static void warn_of_difference(struct step_walk *w, const struct chess_run_result *res)
{
	struct chess_trace t;
	struct report seen;
	size_t at, at_seen;

	if (chess_record_compare_decisions(w->res.record, res->record, &at, &at_seen) >= w->at)
		return;
	cli_note("WARNING: the program did not repeat what it had done: the run differs before the decision; 'chessctl doctor' looks for the cause");
	session_trace(w->s, res, &t);
	report_open(&seen, &t);
	report_difference(&w->report, at, &seen, at_seen, stderr);
	report_close(&seen);
}

int step_walk_try(struct step_walk *w, uint16_t way, struct chess_run_result *res)
{
	struct chess_schedule *whole = chess_record_schedule(w->res.record);
	struct chess_schedule *prefix = whole ? chess_schedule_copy(whole, w->at) : NULL;
	int ret;

	chess_schedule_free(whole);
	if (!prefix || chess_schedule_push(prefix, way))
		cli_no_memory();
	ret = run_prefix(w, prefix, res);
	chess_schedule_free(prefix);
	if (ret)
		return ret;
	warn_of_difference(w, res);
	if (res->diverged_at == SIZE_MAX)
		return 0;
	cli_note("this choice cannot be taken here: the run did not follow it");
	chess_run_result_clear(res);
	return -1;
}

void step_walk_take(struct step_walk *w, struct chess_run_result *res)
{
	chess_run_result_clear(&w->res);
	w->res = *res;
	memset(res, 0, sizeof(*res));
	use_run(w);
}

int step_walk_undo(struct step_walk *w, uint64_t n)
{
	struct chess_run_result res;
	struct step_past *p;

	if (n > w->n_past) {
		cli_note(w->n_past ? "only %zu command%s can be undone" : "nothing can be undone",
			 w->n_past, w->n_past == 1 ? "" : "s");
		return -1;
	}
	p = &w->past[w->n_past - n];
	if (p->print != chess_record_hash(w->res.record)) {
		if (run_prefix(w, p->schedule, &res))
			return -1;
		if (p->print != chess_record_hash(res.record))
			cli_note("WARNING: the program did not repeat what it had done: this is not the run that it was; 'chessctl doctor' looks for the cause");
		step_walk_take(w, &res);
	}
	w->at = p->at < w->n ? p->at : w->n;
	while (n--)
		chess_schedule_free(w->past[--w->n_past].schedule);
	return 0;
}

/* The line is known where a function was called, and of accesses. */
static bool wants_stack(const struct step_walk *w, const struct chess_event *e, bool all)
{
	return !chess_record_stack(w->res.record, e->seq) &&
	       (all || !(e->flags & CHESS_OPF_PROBE));
}

static void copy_stacks(struct chess_record *to, const struct chess_record *from,
			const uint32_t *seqs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct chess_stack *s = chess_record_stack(from, seqs[i]);

		if (s && !chess_record_stack(to, seqs[i]) &&
		    chess_record_push_stack(to, s, sizeof(*s) + s->size))
			cli_no_memory();
	}
}

void step_walk_fetch(struct step_walk *w, const uint32_t *seqs, size_t n)
{
	struct chess_record *r = w->res.record;
	struct chess_schedule *whole = chess_record_schedule(r);
	struct chess_run_result again = { 0 };

	if (!whole)
		cli_no_memory();
	if (!chess_runner_run(w->s->runner, whole, chess_schedule_length(whole), seqs, n, &again) &&
	    again.record && !session_interrupted() &&
	    chess_record_compare(r, again.record) >= seqs[n - 1])
		copy_stacks(r, again.record, seqs, n);
	w->runs++;
	chess_run_result_clear(&again);
	chess_schedule_free(whole);
}

void step_walk_stacks(struct step_walk *w, bool all)
{
	const struct chess_record *r = w->res.record;
	uint32_t seqs[CHESS_MAX_STACKS];
	size_t n = 0, t, i = step_walk_event(w);

	for (t = 0; t < chess_record_tasks(r) && n < CHESS_MAX_STACKS; t++) {
		const struct chess_event *e = chess_record_last_point(r, i + 1, t);
		enum chess_task_phase phase = chess_record_phase(r, i + 1, t);

		if (e && phase != CHESS_PHASE_ABSENT && phase < CHESS_PHASE_ENDED &&
		    wants_stack(w, e, all))
			seqs[n++] = e->seq;
	}
	if (!n)
		return;
	report_sort_seqs(seqs, n);
	step_walk_fetch(w, seqs, n);
}

void step_walk_explain(struct step_walk *w)
{
	uint32_t *seqs;
	size_t n;

	if (w->explained)
		return;
	w->explained = true;
	seqs = report_stack_seqs(w->res.record, w->res.bad_task, w->res.waits, w->res.n_waits, &n);
	if (n)
		step_walk_fetch(w, seqs, n);
	free(seqs);
	calls_forget(&w->t);
	keep_calls(w->s, &w->t);
	if (!w->t.n_names)
		note_names(w);
}
