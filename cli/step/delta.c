// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which of the choices of a failing run make it fail: see step.h. The library takes choices away
 * as long as the same bug shows (delta debugging, chess_shrink()); of the last preemption that is
 * left it looks for the two steps whose order matters (chess_pair_find()). What is printed was
 * run: without any one of the choices, and with the two steps in either order.
 */
#include <errno.h>
#include <stdlib.h>

#include "cli.h"
#include "report/report_parts.h"
#include "step/step.h"

#define RUNS_MAX	2000
#define SECONDS_MAX	300

/* Choices other than the default's that cost nothing: at a block, an end or a yield. */
static size_t count_free(const struct step_walk *w, bool print)
{
	const struct chess_record *r = w->res.record;
	size_t k, n = 0;

	for (k = 0; k < w->n; k++) {
		const struct chess_event *e = chess_record_event(r, w->event[k]);
		uint16_t by_default = chess_record_default(r, w->event[k]);
		char *chosen;

		if (e->chosen == by_default || by_default == CHESS_TASK_NONE ||
		    chess_record_is_preemption(r, w->event[k]))
			continue;
		n++;
		if (!print)
			continue;
		chosen = step_way_text(w, k, e->chosen);
		printf("  at event %u\n  %s, where T%u is the default\n", e->seq, chosen, by_default);
		free(chosen);
	}
	return n;
}

/* The step of @task at this decision, where it stands at point @seq; 0: at none yet */
static void print_step(const struct step_walk *w, uint16_t task, uint32_t seq)
{
	const struct chess_event *e = seq ? chess_record_event(w->res.record, seq - 1) : NULL;
	char *op = step_op_text(&w->report, step_walk_event(w), task);
	char *where = e ? report_where(&w->report, e) : cli_printf("%s", "");

	printf("    T%-3u ", task);
	report_print_columns(stdout, op, where, "");
	free(op);
	free(where);
}

/* Decision number of the event at index @at. */
static void go_to(struct step_walk *w, size_t at)
{
	for (w->at = 0; w->at < w->n && w->event[w->at] < at; w->at++)
		;
}

/* The run of the pair that fails is the run from here on, at the decision where they part. */
static void show_pair(struct step_walk *w, struct chess_pair *p)
{
	enum chess_verdict passes = p->passing.verdict;

	step_walk_remember(w);
	step_walk_take(w, &p->failing);
	go_to(w, p->at);
	step_walk_stacks(w, false);
	printf("the critical pair: in this order the run ends with %s\n",
	       chess_verdict_name(w->res.verdict));
	print_step(w, p->first, p->first_seq);
	print_step(w, p->second, p->second_seq);
	printf("  in the other order it ends with %s\n", chess_verdict_name(passes));
}

/* As a line of a pair: what the task of @e, a point, does at it */
static void print_line(const struct step_walk *w, uint16_t task, const char *what,
		       const struct chess_event *e)
{
	char *op = report_op(&w->report, e), *where = report_where(&w->report, e);
	char *text = cli_printf("%s%s", what, op);

	printf("    T%-3u ", task);
	report_print_columns(stdout, text, where, "");
	free(text);
	free(where);
	free(op);
}

/*
 * Where a time passed early, the pair is that and the step that the default takes first. Both
 * orders are run. False: it is not known which step that is, or the other order fails, too.
 */
static bool find_early_pair(struct step_walk *w, const struct chess_account_preemption *p)
{
	const struct chess_record *r = w->res.record;
	uint16_t by_default = chess_record_default(r, p->at);
	const struct chess_event *kept = p->kept ? p->kept : p->before ?
					 chess_record_event(r, p->before) : NULL;
	bool is_timer = chess_record_event(r, p->at)->type == CHESS_EVENT_EXPIRE;
	uint16_t other = is_timer && kept ? kept->task : by_default;
	struct chess_run_result res;
	enum chess_verdict verdict;

	if (!kept || kept->type != CHESS_EVENT_POINT || other == CHESS_TASK_NONE ||
	    (!is_timer && !p->instead) || !step_walk_may(w, w->at, other) ||
	    step_walk_try(w, other, &res))
		return false;
	verdict = res.verdict;
	chess_run_result_clear(&res);
	if (verdict == w->res.verdict)
		return false;
	printf("the critical pair: in this order the run ends with %s\n",
	       chess_verdict_name(w->res.verdict));
	if (is_timer)
		printf("    a timer goes off\n");
	else
		print_line(w, p->chosen, p->for_nothing ? "wakes up without a cause in " :
			   "time passes in ", p->instead);
	print_line(w, kept->task, "", kept);
	printf("  in the other order it ends with %s\n", chess_verdict_name(verdict));
	return true;
}

static void find_pair(struct step_walk *w)
{
	const struct chess_account *a = &w->report.run;
	const struct chess_account_preemption *p = &a->preemptions[a->n_preemptions - 1];
	struct chess_executor x = smaller_executor(&w->judge);
	size_t at = p->at;
	struct chess_pair pair;
	int ret;

	go_to(w, at);
	if ((p->early || chess_record_event(w->res.record, at)->type == CHESS_EVENT_EXPIRE) &&
	    find_early_pair(w, p))
		return;
	ret = chess_pair_find(&x, w->res.record, at, &pair);
	w->runs += pair.runs;
	if (!ret)
		show_pair(w, &pair);
	else if (ret == -EINTR)
		cli_note("interrupted");
	else
		printf("no two steps decide it alone: %s\n", chess_error());
	chess_pair_clear(&pair);
}

static void show(struct step_walk *w, const struct chess_shrink_result *res)
{
	const struct chess_account *a = &w->report.run;
	size_t i, n;

	step_walk_explain(w);
	n = a->n_preemptions + count_free(w, false);
	printf("%llu run%s: ", (unsigned long long)res->runs, res->runs == 1 ? "" : "s");
	if (!n)
		printf("the default choices alone end with %s\n",
		       chess_verdict_name(w->res.verdict));
	else
		printf("the run ends with %s because of %s%s\n",
		       chess_verdict_name(w->res.verdict),
		       n == 1 ? "this choice" : "these choices",
		       res->one_minimal ? n == 1 ? "; without it, it does not" :
					  "; without any one of them it does not" :
			"; interrupted before it was known whether each is needed");
	for (i = 0; i < a->n_preemptions; i++) {
		printf("  at event %zu\n", a->preemptions[i].at + 1);
		report_print_preemption(&w->report, &a->preemptions[i], stdout);
	}
	count_free(w, true);
}

bool step_delta(struct step_walk *w)
{
	struct chess_executor x = smaller_executor(&w->judge);
	struct chess_shrink_opts o = {
		.sz = sizeof(o), .max_runs = RUNS_MAX, .max_seconds = SECONDS_MAX,
		.drop_only = true,
	};
	struct chess_shrink_result res;
	int ret;

	if (!chess_verdict_is_bug(w->res.verdict)) {
		cli_note("this run does not fail: its verdict is %s; choose until it does, or give step a trace that fails",
			 chess_verdict_name(w->res.verdict));
		return false;
	}
	w->judge.verdict = w->res.verdict;
	ret = chess_shrink(&x, w->res.record, &o, &res);
	if (ret) {
		cli_note("no choice can be taken away: %s", chess_error());
		return false;
	}
	w->runs += res.runs;
	step_walk_remember(w);
	step_walk_take(w, &res.best);
	go_to(w, 0);
	show(w, &res);
	if (w->report.run.n_preemptions && !session_interrupted())
		find_pair(w);
	else
		w->at = step_walk_choice_from(w, 0);
	chess_shrink_result_clear(&res);
	return true;
}
