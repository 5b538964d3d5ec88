// SPDX-License-Identifier: GPL-2.0-only
/*
 * Obeys a command of chessctl step: what moves and chooses is here, what only looks is in the other
 * files. See obey.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "step/obey.h"

static bool at_end(const struct step_walk *w)
{
	if (step_walk_ended(w))
		cli_note("this is the end of the run; 'undo' and 'back' lead back");
	return step_walk_ended(w);
}

/* To the next decision at which there is something to choose. */
static void advance(struct step_walk *w)
{
	w->at = step_walk_choice_from(w, w->at + 1);
}

static bool next(struct step_walk *w, uint64_t times)
{
	if (at_end(w))
		return false;
	step_walk_remember(w);
	while (times-- && !step_walk_ended(w))
		advance(w);
	return true;
}

/* Can it be chosen here? Else says why not. */
static bool may_choose(const struct step_walk *w, const struct step_words *words)
{
	const struct chess_event *e;
	bool is_wait;
	char *text;

	if (at_end(w))
		return false;
	e = chess_record_event(w->res.record, w->event[w->at]);
	is_wait = e->type == CHESS_EVENT_SPURIOUS;
	if (is_wait != (words->way == STEP_WAIT_ENDS)) {
		cli_note(is_wait ? "the choice here is how the wait ends: 'run late' or 'run spurious'" :
			 "the choice here is not how a wait ends; choose a task");
		return false;
	}
	if (step_walk_may(w, w->at, words->value))
		return true;
	text = step_way_text(w, w->at, words->value);
	if (words->way == STEP_TASK && words->value >= chess_record_tasks(w->res.record))
		cli_note("this run has no %s; it has %zu tasks", text,
			 chess_record_tasks(w->res.record));
	else
		cli_note("%s cannot run at event %u%s", text, e->seq,
			 words->way == STEP_TASK ? "; 'why' says what a task waits for" : "");
	free(text);
	return false;
}

static bool run(struct step_walk *w, const struct step_words *words)
{
	struct chess_run_result res;
	uint16_t was;
	uint32_t seq;
	char *chosen, *other;

	if (words->way == STEP_NO_WAY)
		return next(w, 1);
	if (!may_choose(w, words))
		return false;
	was = chess_record_event(w->res.record, w->event[w->at])->chosen;
	if (was == words->value)
		return next(w, 1);
	chosen = step_way_text(w, w->at, words->value);
	other = step_way_text(w, w->at, was);
	seq = step_walk_event(w) + 1;
	if (step_walk_try(w, words->value, &res)) {
		free(chosen);
		free(other);
		return false;
	}
	step_walk_remember(w);
	step_walk_take(w, &res);
	printf("event %u: %s in place of %s; by default from here on ", seq, chosen, other);
	step_show_verdict(w);
	advance(w);
	free(chosen);
	free(other);
	return true;
}

/* Return: false after a sentence */
static bool try_one(struct step_walk *w, uint16_t way)
{
	const struct chess_event *e = chess_record_event(w->res.record, w->event[w->at]);
	bool as_is = way == e->chosen;
	char *text = step_way_text(w, w->at, way);
	enum chess_verdict verdict = w->res.verdict;
	struct chess_run_result res = { 0 };
	bool good = as_is || !step_walk_try(w, way, &res);

	if (good && !as_is)
		verdict = res.verdict;
	if (good)
		printf("  %s %s: %s\n", as_is ? ">" : " ", text, chess_verdict_name(verdict));
	chess_run_result_clear(&res);
	free(text);
	return good;
}

static bool try(struct step_walk *w, const struct step_words *words)
{
	const struct chess_event *e;
	size_t n, way;
	bool good = true;

	if (words->way != STEP_NO_WAY)
		return may_choose(w, words) && try_one(w, words->value);
	if (at_end(w))
		return false;
	e = chess_record_event(w->res.record, w->event[w->at]);
	n = e->type == CHESS_EVENT_SPURIOUS ? CHESS_ENDS_FOR_NOTHING + 1 :
	    chess_record_tasks(w->res.record);
	for (way = 0; way < n && good && !session_interrupted(); way++)
		if (step_walk_may(w, w->at, way))
			good = try_one(w, way);
	if (good && !session_interrupted() && step_walk_may(w, w->at, CHESS_TASK_TIMER))
		good = try_one(w, CHESS_TASK_TIMER);
	return good;
}

static bool back(struct step_walk *w, uint64_t times)
{
	size_t at = w->at, k;

	for (k = w->at; k-- && times;) {
		if (!step_walk_is_choice(w, k))
			continue;
		at = k;
		times--;
	}
	if (at == w->at) {
		cli_note("there is no decision before this one");
		return false;
	}
	step_walk_remember(w);
	w->at = at;
	return true;
}

/* Did it move? Refused: *@good is false. */
static bool moves(struct step_talk *t, const struct step_words *words, bool *good)
{
	switch (words->verb) {
	case STEP_RUN:
		*good = run(&t->w, words);
		return *good;
	case STEP_NEXT:
		*good = next(&t->w, words->number);
		return *good;
	case STEP_UNTIL:
		*good = step_until(&t->w, words);
		return *good;
	case STEP_UNDO:
		*good = !step_walk_undo(&t->w, words->number);
		return *good;
	case STEP_BACK:
		*good = back(&t->w, words->number);
		return *good;
	case STEP_DELTA:
		*good = step_delta(&t->w);
		return *good;
	default:
		return false;
	}
}

static bool look(struct step_talk *t, const struct step_words *words)
{
	switch (words->verb) {
	case STEP_TRY:
		return try(&t->w, words);
	case STEP_WHERE:
		return step_show_where(&t->w, words->way == STEP_TASK ? words->value :
				       CHESS_TASK_NONE);
	case STEP_WHY:
		return step_show_why(&t->w, words->value);
	case STEP_LIST:
		step_show_list(&t->w);
		return true;
	case STEP_SAVE:
		return step_save(&t->w, t->dir, words->text);
	case STEP_VERDICT:
		step_show_verdict(&t->w);
		return true;
	case STEP_REPORT:
		step_walk_explain(&t->w);
		report_print(&t->w.report, stdout, NULL);
		return true;
	case STEP_HELP:
		fputs(step_words_help(), stdout);
		return true;
	case STEP_QUIT:
		t->over = true;
		return true;
	default:
		return true;
	}
}

bool step_obey(struct step_talk *t, char *line)
{
	struct step_words words;
	bool good = step_words_read(line, &words), moved = false;

	if (!good) {
		cli_note("%s", words.error);
	} else {
		moved = moves(t, &words, &good);
		if (good && !moved)
			good = look(t, &words);
	}
	t->refused |= !good;
	return moved;
}
