// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which bug a failing run shows, see same.h. In doubt two runs show different ones.
 * The rules are for people too: docs/strategies.md, "The same bug".
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "array.h"
#include "internal.h"
#include "shrink/same.h"

static bool is_same_place(const struct chess_place *a, const struct chess_place *b)
{
	return a->at == b->at && a->nr == b->nr && a->op == b->op;
}

static bool has_place(const struct chess_bug *bug, const struct chess_place *p)
{
	size_t i;

	for (i = 0; i < bug->n; i++)
		if (is_same_place(&bug->place[i], p))
			return true;
	return false;
}

/* Where @e was reached. That of a system call is in the C library as a rule. */
static int add_place(struct chess_bug *bug, const struct chess_event *e)
{
	struct chess_place p;

	if (!e)
		return 0;
	p = (struct chess_place){
		.at = e->flags & CHESS_OPF_PROBE && e->caller ? e->caller : e->ip,
		.nr = e->nr, .op = e->op,
	};
	if (has_place(bug, &p))
		return 0;
	if (chess_array_resize(&bug->place, bug->n + 1, sizeof(p)))
		return chess_set_error(ENOMEM, "no memory for the places of a bug");
	bug->place[bug->n++] = p;
	return 0;
}

/* The last line that assert(3) wrote. */
static char *find_assertion(const char *err)
{
	static const char mark[] = ": Assertion `";
	const char *at, *last = NULL, *start;

	for (at = err; at && (at = strstr(at, mark)); at++)
		last = at;
	if (!last)
		return NULL;
	for (start = last; start > err && start[-1] != '\n'; start--)
		;
	return strndup(start, strcspn(start, "\n"));
}

/* Who only waits for the end of others is where those are, and no part of the bug. */
static bool waits_for_ends(const struct chess_event *e)
{
	return e && (e->op == CHESS_OP_JOIN || e->op == CHESS_OP_WAIT_CHILD);
}

static int add_waits(struct chess_bug *bug, const struct chess_run_result *run)
{
	size_t *cycle = calloc(run->n_waits + 1, sizeof(*cycle));
	size_t i, n;
	int ret = 0;

	if (!cycle)
		return chess_set_error(ENOMEM, "no memory for the waits of a run");
	n = chess_waits_cycle(run->waits, run->n_waits, cycle);
	bug->cycle = n;
	for (i = 0; !ret && i < (n ? n : run->n_waits); i++) {
		const struct chess_wait *w = &run->waits[n ? cycle[i] : i];
		const struct chess_event *e = w->seq ?
			chess_record_event(run->record, w->seq - 1) : NULL;

		if (n || !waits_for_ends(e))
			ret = add_place(bug, e);
	}
	free(cycle);
	return ret;
}

/**
 * chess_bug_of() - which bug does a run show
 * @run: a failing run
 * @bug: filled in; for chess_bug_clear()
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_bug_of(const struct chess_run_result *run, struct chess_bug *bug)
{
	int ret = 0;

	*bug = (struct chess_bug){ .verdict = run->verdict };
	/* Whoever makes the runs says which of them show the race, however they end. */
	if (run->verdict == CHESS_VERDICT_RACE && run->bad_task < 0)
		return 0;
	if (run->bad_task >= 0)
		bug->status = run->bad_status & ~__WCOREFLAG;
	if (run->verdict == CHESS_VERDICT_MEMORY && run->misuse &&
	    asprintf(&bug->said, "%llx %llx", (unsigned long long)run->misuse->first.ip,
		     (unsigned long long)run->misuse->second.ip) < 0) {
		bug->said = NULL;
		return chess_set_error(ENOMEM, "no memory for a bug");
	}
	if (run->verdict == CHESS_VERDICT_ASSERT)
		bug->said = find_assertion(run->err);
	if (run->verdict == CHESS_VERDICT_CRASH ||
	    (run->verdict == CHESS_VERDICT_ASSERT && !bug->said))
		ret = add_place(bug, run->bad_task < 0 ? NULL :
				chess_record_last_point(run->record,
							chess_record_length(run->record),
							run->bad_task));
	else if (run->n_waits)
		ret = add_waits(bug, run);
	if (ret)
		chess_bug_clear(bug);
	return ret;
}

void chess_bug_clear(struct chess_bug *bug)
{
	free(bug->said);
	free(bug->place);
	memset(bug, 0, sizeof(*bug));
}

/**
 * chess_bug_same() - is the bug of another run this one
 * @bug: that of the trace
 * @other: that of a smaller run: tasks may be missing from it, places may not be new
 *
 * Return: whether it is.
 */
bool chess_bug_same(const struct chess_bug *bug, const struct chess_bug *other)
{
	size_t i;

	if (bug->verdict != other->verdict || bug->status != other->status ||
	    bug->cycle != other->cycle || !bug->n != !other->n || !bug->said != !other->said)
		return false;
	if (bug->said && strcmp(bug->said, other->said))
		return false;
	for (i = 0; i < other->n; i++)
		if (!has_place(bug, &other->place[i]))
			return false;
	return true;
}
