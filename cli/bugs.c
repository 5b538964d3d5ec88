// SPDX-License-Identifier: GPL-2.0-only
/*
 * See bugs.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bugs.h"
#include "calls.h"
#include "changed.h"
#include "cli.h"
#include "keep.h"
#include "smaller.h"

static void announce(void *arg, const char *path)
{
	struct bugs *b = arg;

	resume_note_fate(b->resume, b->tried, b->part ? RESUME_PART : RESUME_TRACE, path);
}

/* One that an earlier life of the search has written. */
static bool is_written(const char *path)
{
	struct chess_trace *t = chess_trace_read(path);
	bool written = t;

	chess_trace_free(t);
	return written;
}

/*
 * What a failed write must not cost anybody is the bug: the verdict is reported as
 * ever, and the search finds it again, as it goes the same way every time.
 * Return: path, malloc'ed, or NULL after one sentence
 */
static char *write_trace(struct bugs *b, const struct chess_trace *t)
{
	const char *kept;
	enum resume_fate fate = resume_fate(b->resume, b->tried, &kept);
	char *path;
	int ret;

	path = kept ? cli_printf("%s", kept) :
	       out_trace_name(b->dir, t->program, chess_verdict_name(t->verdict), announce, b);
	if (fate == RESUME_TRACE && is_written(kept))
		return path;
	if (kept && b->part)
		announce(b, kept);
	if (!path) {
		cli_note("the bug was found, but no trace of it can be made in '%s': %s; repeat the search with another folder, --out DIR",
			 b->dir->path, strerror(errno));
		return NULL;
	}
	ret = chess_trace_write(t, path);
	if (ret) {
		cli_note("the bug was found, but its trace '%s' could not be written: %s; repeat the search with another folder, --out DIR",
			 path, strerror(-ret));
		unlink(path);
		free(path);
		return NULL;
	}
	return path;
}

/* No schedule is run twice; only a run that diverged can be the same as an earlier one. */
bool bugs_wants(void *arg, const struct chess_run_result *bad)
{
	const struct bugs *b = arg;
	uint64_t print;
	unsigned int i;

	if (!bad->record || b->failed || b->tried == TRACES_MAX)
		return false;
	print = chess_record_hash(bad->record);
	for (i = 0; i < b->tried; i++)
		if (b->prints[i] == print)
			return false;
	return true;
}

/*
 * Fewer preemptions than the bounded search has gone through in vain there cannot be. Other
 * failing runs are made smaller as far as a moment's search goes: what chance finds has
 * many that take no part in the bug. Return: is @small in place of @bad?
 */
static bool make_smaller(struct bugs *b, const struct chess_run_result *bad,
			 struct chess_shrink_result *small, enum chess_minimal *minimal)
{
	size_t preemptions = chess_record_preemptions(bad->record);

	*minimal = CHESS_MINIMAL_FEWEST;
	if (!preemptions || (b->in_order && !*b->is_first && preemptions <= b->bound))
		return false;
	*minimal = CHESS_MINIMAL_UNKNOWN;
	/* Each of its runs would be as long as they may be. */
	if (bad->verdict == CHESS_VERDICT_TIMEOUT || session_interrupted() ||
	    smaller_soon(b->s, bad, small))
		return false;
	b->smaller_seconds += small->seconds;
	*minimal = smaller_minimal(small);
	return true;
}

static bool is_known(const struct bugs *b, uint64_t print)
{
	unsigned int i;

	for (i = 0; i < b->n_small; i++)
		if (b->small_prints[i] == print)
			return true;
	return false;
}

/*
 * Did an earlier failing run come down to the same as this one, whose smaller one is @print?
 * What an earlier life of the search has decided stands. One that was interrupted while it
 * made the run smaller has decided nothing, but has kept a trace of what it had.
 */
static bool gets_no_trace(struct bugs *b, uint64_t print)
{
	const char *kept;
	enum resume_fate fate = resume_fate(b->resume, b->tried, &kept);

	if (fate == RESUME_TRACE || !is_known(b, print))
		return false;
	if (session_interrupted())
		return true;
	if (fate == RESUME_PART)
		unlink(kept);
	resume_note_fate(b->resume, b->tried, RESUME_KNOWN, NULL);
	return true;
}

/* A trace of @run, which comes of a failing one; its stacks are in @again then. */
static bool write_run(struct bugs *b, const struct chess_run_result *run,
		      enum chess_minimal minimal, struct chess_run_result *again)
{
	struct chess_trace t;
	bool use = !session_interrupted() && keep_run_again(b->s, run, again);

	b->part = !use && session_interrupted();
	session_trace(b->s, use ? again : run, &t);
	t.minimal = minimal;
	/* Addresses are the same in every run, so its maps serve for names. */
	if (!t.maps)
		changed_note_maps(&t, again->maps);
	if (use)
		keep_calls(b->s, &t);
	b->paths[b->n] = write_trace(b, &t);
	if (b->tried) {
		calls_forget(&t);
	} else {
		b->called = (struct chess_trace){
			.calls = t.calls, .n_calls = t.n_calls,
			.names = t.names, .n_names = t.n_names,
		};
	}
	if (b->paths[b->n])
		b->n++;
	else
		b->failed = true;
	return use;
}

/*
 * Names of temporary files are the same in each run, so what one leaves is in the way of the next.
 * Where that is so each has an empty /tmp from here on. Return: @bad, or a run of the same
 * schedule that has one, and fails.
 */
static const struct chess_run_result *without_leftovers(struct bugs *b,
							const struct chess_run_result *bad)
{
	if (b->tried || b->keeps_going || session_interrupted() ||
	    !keep_meets_files(b->s, bad) || !session_private_tmp(b->s))
		return bad;
	if (!keep_fails_again(b->s, bad, &b->alone)) {
		chess_run_result_clear(&b->alone);
		session_shared_tmp(b->s);
		return bad;
	}
	cli_note("the failing run left files in /tmp, where the next one came upon them: runs have an empty /tmp from here on (--private-tmp)");
	return &b->alone;
}

/* A trace of @bad. */
int bugs_keep(void *arg, const struct chess_run_result *bad)
{
	struct chess_run_result again = { 0 };
	struct chess_shrink_result small = { 0 };
	struct bugs *b = arg;
	const struct chess_run_result *run;
	enum chess_minimal minimal;
	const char *kept;
	uint64_t print;
	bool use = false;

	if (!bugs_wants(b, bad))
		return 0;
	/* What is done with it has limits of its own. */
	session_limit_run(0, 0);
	out_progress_end(b->progress);
	b->prints[b->tried] = chess_record_hash(bad->record);
	if (resume_fate(b->resume, b->tried, &kept) == RESUME_KNOWN) {
		b->tried++;
		return 0;
	}
	run = without_leftovers(b, bad);
	if (make_smaller(b, run, &small, &minimal))
		run = &small.best;
	print = chess_record_hash(run->record);
	if (!gets_no_trace(b, print)) {
		use = write_run(b, run, minimal, &again);
		b->small_prints[b->n_small++] = print;
	}
	if (b->tried) {
		chess_run_result_clear(&again);
		chess_shrink_result_clear(&small);
	} else {
		b->small = small;
		b->again = again;
		b->same = use;
		b->minimal = minimal;
	}
	b->tried++;
	return 0;
}

void bugs_trace(const struct bugs *b, const struct chess_run_result *bad, struct chess_trace *t)
{
	const struct chess_run_result *run = b->small.best.record ? &b->small.best :
					     b->alone.record ? &b->alone : bad;

	session_trace(b->s, b->same ? &b->again : run, t);
	t->calls = b->called.calls;
	t->n_calls = b->called.n_calls;
	t->names = b->called.names;
	t->n_names = b->called.n_names;
	t->minimal = b->minimal;
	if (!t->maps)
		changed_note_maps(t, b->again.maps);
}

void bugs_clear(struct bugs *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		free(b->paths[i]);
	calls_forget(&b->called);
	chess_run_result_clear(&b->alone);
	chess_run_result_clear(&b->again);
	chess_shrink_result_clear(&b->small);
}

struct json_object *bugs_json(const struct bugs *b)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < b->n; i++) {
		char *path = out_absolute(b->paths[i]);

		json_object_array_add(list, json_object_new_string(path));
		free(path);
	}
	return list;
}
