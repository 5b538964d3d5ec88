// SPDX-License-Identifier: GPL-2.0-only
/*
 * The next place of a kind in the run as it is, for "until": see step.h. Nothing is chosen on the
 * way there: the run is gone along as it was made.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/report_parts.h"
#include "step/step.h"

#define BATCHES		32	/* runs for stacks that it may take to find a function */

/* "pay" is also account::pay. */
static bool is_called(const char *function, const char *name)
{
	size_t n = strlen(function), tail = strlen(name);

	return !strcmp(function, name) ||
	       (n > tail + 2 && !strcmp(function + n - tail, name) &&
		!strncmp(function + n - tail - 2, "::", 2));
}

/* Is the function called @name where @e stands, or is it what @e calls? */
static bool is_in_function(const struct step_walk *w, const struct chess_event *e,
			   const char *name)
{
	const struct chess_wrapper *called = chess_wrapper_of(e);
	struct place p;
	bool found;

	if (called && !strcmp(called->symbol, name))
		return true;
	if (!(e->flags & CHESS_OPF_PROBE) && !strcmp(chess_syscall_name(e->nr), name))
		return true;
	if (!symbols_event_place(w->report.symbols, e,
				 chess_record_stack(w->res.record, e->seq), &p))
		return false;
	found = p.function && is_called(p.function, name);
	place_clear(&p);
	return found;
}

/* "b" is b and what lies in it, "b+0x8" only that. */
static bool is_about(const struct step_walk *w, const struct chess_event *e, const char *name)
{
	char *object = report_object(&w->report, e);
	size_t n = strlen(name);
	bool found = *object && !strncmp(object, name, n) && (!object[n] || object[n] == '+');

	free(object);
	return found;
}

static bool is_there(const struct step_walk *w, const struct chess_event *e,
		     const struct step_words *words)
{
	switch (words->stop) {
	case STEP_AT_FUNCTION:
		return e->type == CHESS_EVENT_POINT && is_in_function(w, e, words->text);
	case STEP_AT_OBJECT:
		return e->type == CHESS_EVENT_POINT && is_about(w, e, words->text);
	case STEP_AT_BLOCK:
		return e->type == CHESS_EVENT_BLOCK && e->task == words->value;
	default:
		return false;
	}
}

/* Index of the first such event from @i on; the number of events where there is none. */
static size_t find(const struct step_walk *w, size_t i, const struct step_words *words)
{
	size_t n = chess_record_length(w->res.record);

	while (i < n && !is_there(w, chess_record_event(w->res.record, i), words))
		i++;
	return i;
}

/*
 * Which function of the program a system call is made in only its stack says. Those of the calls
 * from event @i on, up to @end, are fetched. Return: where to continue
 */
static size_t fetch_stacks(struct step_walk *w, size_t i, size_t end)
{
	uint32_t seqs[CHESS_MAX_STACKS];
	size_t n = 0;

	for (; i < end && n < CHESS_MAX_STACKS; i++) {
		const struct chess_event *e = chess_record_event(w->res.record, i);

		if (e->type == CHESS_EVENT_POINT && !(e->flags & CHESS_OPF_PROBE) &&
		    !chess_record_stack(w->res.record, e->seq))
			seqs[n++] = e->seq;
	}
	if (n)
		step_walk_fetch(w, seqs, n);
	return i;
}

static size_t find_function(struct step_walk *w, size_t i, const struct step_words *words)
{
	size_t end = find(w, i, words), from = i, batch;

	for (batch = 0; batch < BATCHES && from < end && !session_interrupted(); batch++) {
		size_t next = fetch_stacks(w, from, end), found;

		found = find(w, from, words);
		if (found < end)
			return found;
		from = next;
	}
	return end;
}

/* To the decision at event index @i, or the first one after it. */
static void go(struct step_walk *w, size_t i)
{
	step_walk_remember(w);
	while (w->at < w->n && w->event[w->at] < i)
		w->at++;
}

static bool refuse_missing(const struct step_walk *w, const struct step_words *words)
{
	size_t n = chess_record_length(w->res.record);

	switch (words->stop) {
	case STEP_AT_FUNCTION:
		cli_note("no task is about to do anything in a function '%s' in the rest of this run, which ends with event %zu",
			 words->text, n);
		break;
	case STEP_AT_OBJECT:
		cli_note("no task is about to do anything to an object '%s' in the rest of this run, which ends with event %zu",
			 words->text, n);
		break;
	default:
		cli_note("T%u does not block in the rest of this run, which ends with event %zu",
			 words->value, n);
	}
	return false;
}

bool step_until(struct step_walk *w, const struct step_words *words)
{
	size_t n = chess_record_length(w->res.record), i = step_walk_event(w) + 1, at;

	if (step_walk_ended(w)) {
		cli_note("this is the end of the run; 'undo' and 'back' lead back");
		return false;
	}
	switch (words->stop) {
	case STEP_AT_END:
		go(w, n);
		return true;
	case STEP_AT_EVENT:
		if (words->number > n) {
			cli_note("the run has only %zu events", n);
			return false;
		}
		if (words->number <= i) {
			cli_note("the run is at event %zu already; 'undo' and 'back' lead back", i);
			return false;
		}
		go(w, words->number - 1);
		return true;
	case STEP_AT_BLOCK:
		if (words->value >= chess_record_tasks(w->res.record)) {
			cli_note("this run has no T%u; it has %zu tasks", words->value,
				 chess_record_tasks(w->res.record));
			return false;
		}
		break;
	default:
		break;
	}
	at = words->stop == STEP_AT_FUNCTION ? find_function(w, i, words) : find(w, i, words);
	if (at == n)
		return refuse_missing(w, words);
	go(w, at);
	return true;
}
