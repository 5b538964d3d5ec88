// SPDX-License-Identifier: GPL-2.0-only
/*
 * A failing run once more, for what only its report needs, see keep.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "calls.h"
#include "cli.h"
#include "hints.h"
#include "keep.h"
#include "report/race_report.h"
#include "report/report.h"

/* 0 or -errno */
static int run_whole(struct session *s, const struct chess_record *record, const uint32_t *seqs,
		     size_t n, struct chess_run_result *again)
{
	struct chess_schedule *whole = chess_record_schedule(record);
	int ret = whole ? chess_runner_run(s->runner, whole, chess_schedule_length(whole), seqs,
					   n, again) : -ENOMEM;

	chess_schedule_free(whole);
	return ret;
}

bool keep_races_again(struct session *s, const struct chess_run_result *run,
		      const struct chess_trace_race *races, size_t n,
		      struct chess_run_result *again)
{
	uint32_t seqs[CHESS_MAX_STACKS];
	size_t n_seqs = 0;

	race_report_seqs(run->record, races, n, seqs, &n_seqs, CHESS_MAX_STACKS);
	report_sort_seqs(seqs, n_seqs);
	return !run_whole(s, run->record, seqs, n_seqs, again) && again->record &&
	       chess_record_compare(run->record, again->record) == SIZE_MAX;
}

/* And the calls and the access of the heap's misuse. */
static uint32_t *with_misuse(const struct chess_run_result *bad, uint32_t *seqs, size_t *n)
{
	uint32_t *all;

	if (!bad->misuse)
		return seqs;
	all = cli_alloc(CHESS_MAX_STACKS, sizeof(*all));
	memcpy(all, seqs, *n * sizeof(*all));
	free(seqs);
	race_report_seqs(bad->record, bad->misuse, 1, all, n, CHESS_MAX_STACKS);
	report_sort_seqs(all, *n);
	return all;
}

bool keep_meets_files(struct session *s, const struct chess_run_result *bad)
{
	struct chess_run_result again = { 0 };
	size_t at;
	bool met = !run_whole(s, bad->record, NULL, 0, &again) && again.record;

	at = met ? chess_record_compare(bad->record, again.record) : SIZE_MAX;
	met = at != SIZE_MAX && hints_is_file(chess_record_event(bad->record, at),
					      chess_record_event(again.record, at));
	chess_run_result_clear(&again);
	return met;
}

bool keep_fails_again(struct session *s, const struct chess_run_result *bad,
		      struct chess_run_result *again)
{
	return !run_whole(s, bad->record, NULL, 0, again) && again->record &&
	       chess_verdict_is_bug(again->verdict);
}

bool keep_run_again(struct session *s, const struct chess_run_result *bad,
		    struct chess_run_result *again)
{
	struct report first, second;
	struct chess_trace a, b;
	uint32_t *seqs;
	size_t n, at;
	int ret;

	seqs = report_stack_seqs(bad->record, bad->bad_task, bad->waits, bad->n_waits, &n);
	seqs = with_misuse(bad, seqs, &n);
	ret = run_whole(s, bad->record, seqs, n, again);
	free(seqs);
	if (ret) {
		cli_note("note: the failing schedule could not be run again for its stacks: %s",
			 chess_error());
		return false;
	}
	if (again->unseen)
		cli_note("note: the report has no kernel stacks of blocked tasks: %s",
			 again->unseen);
	at = chess_record_compare(bad->record, again->record);
	if (at == SIZE_MAX && again->verdict == bad->verdict)
		return true;

	cli_note("WARNING: the failing schedule did not repeat: first %s, then %s; the trace holds the first run and may not replay",
		 chess_verdict_name(bad->verdict), chess_verdict_name(again->verdict));
	if (at != SIZE_MAX) {
		session_trace(s, bad, &a);
		session_trace(s, again, &b);
		report_open(&first, &a);
		report_open(&second, &b);
		report_difference(&first, at, &second, at, stderr);
		cli_note("  likely cause: %s",
			 hints_cause(chess_record_event(bad->record, at),
				     chess_record_event(again->record, at)));
		report_close(&first);
		report_close(&second);
	}
	return false;
}

/* Of what a task does alone, only its name can be seen later. */
static bool is_shown(const struct chess_event *e)
{
	if (e->type != CHESS_EVENT_POINT || e->flags & CHESS_OPF_PROBE)
		return false;
	return !(e->flags & CHESS_OPF_ALONE) || e->nr == SYS_prctl || e->nr == SYS_execve;
}

static bool has_calls(const struct chess_record *r)
{
	size_t i;

	for (i = 0; i < chess_record_length(r); i++)
		if (is_shown(chess_record_event(r, i)))
			return true;
	return false;
}

void keep_calls(struct session *s, struct chess_trace *t)
{
	const char *why;

	if (t->verdict == CHESS_VERDICT_TIMEOUT || t->verdict == CHESS_VERDICT_LIVELOCK ||
	    session_interrupted() || !has_calls(t->record))
		return;
	why = calls_of_run(s, t);
	if (why)
		cli_note("note: the report has no arguments and results of system calls, and no names of tasks: %s",
			 why);
}
