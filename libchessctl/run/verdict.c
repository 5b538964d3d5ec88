// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which verdict a run gets; the verdicts themselves are rows of chessctl/verdict.h. A bug of
 * the program is a verdict, a limit of ours is "incomplete" or an error; they are never mixed.
 * runner.c calls chess_verdict_judge() once per run.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "run/complaints.h"
#include "internal.h"
#include "record/decision.h"
#include "run/deaths.h"
#include "run/verdict.h"

static const struct {
	const char *name;
	bool is_bug;
} verdicts[] = {
#define ROW(NAME, word, bug, text) [CHESS_VERDICT_##NAME] = { word, bug },
	CHESS_VERDICTS(ROW)
#undef ROW
};

/**
 * chess_verdict_name() - the word for a verdict in reports, JSON and traces
 * @v: a verdict
 *
 * Return: never NULL.
 */
const char *chess_verdict_name(enum chess_verdict v)
{
	if ((size_t)v >= ARRAY_SIZE(verdicts) || !verdicts[v].name)
		return "unknown";
	return verdicts[v].name;
}

/**
 * chess_verdict_is_bug() - does it say that the program is wrong
 * @v: a verdict
 *
 * Return: false also for what only says that we do not know.
 */
bool chess_verdict_is_bug(enum chess_verdict v)
{
	return (size_t)v < ARRAY_SIZE(verdicts) && verdicts[v].is_bug;
}

/* Number of the decision the prefix failed at, if the record says that it did;
 * *@decisions: how many were taken, up to there.
 */
static size_t find_divergence(const struct chess_record *r, size_t *decisions)
{
	size_t i, length = chess_record_length(r);

	*decisions = 0;
	for (i = 0; i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_DIVERGENCE)
			return *decisions;
		*decisions += chess_event_decides(e);
	}
	return SIZE_MAX;
}

static bool left_control(const struct chess_record *r, uint32_t *task)
{
	size_t i, length = chess_record_length(r);

	for (i = 0; chess_record_has_type(r, CHESS_EVENT_LEAVE) && i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_LEAVE) {
			*task = e->task;
			return true;
		}
	}
	return false;
}

static const struct chess_expect *expectations(const struct chess_facts *f)
{
	static const struct chess_expect nothing;

	return f->expect ? f->expect : &nothing;
}

/* A monitor inside the program may have said what it died of. */
static enum chess_verdict judge_abort(const struct chess_facts *f)
{
	struct chess_complaint c;

	if (chess_complaint_find(f->err, expectations(f)->unheard, CHESS_WHEN_ABORTED, &c))
		return c.verdict;
	return CHESS_VERDICT_ASSERT;
}

static enum chess_verdict judge_death(const struct chess_facts *f, struct chess_judgement *out)
{
	out->bad_task = chess_deciding_death(f->record, expectations(f), f->status,
					     &out->bad_status, &out->expected);
	if (out->bad_task < 0)
		return CHESS_VERDICT_OK;
	return WTERMSIG(out->bad_status) == SIGABRT ? judge_abort(f) : CHESS_VERDICT_CRASH;
}

/* It ended by itself: what it returned, and what monitors in it said, decide. */
static enum chess_verdict judge_exit(const struct chess_facts *f, struct chess_judgement *out)
{
	const struct chess_expect *x = expectations(f);
	int code = WIFEXITED(f->status) ? WEXITSTATUS(f->status) : 0;
	bool failed = !chess_expect_exit(x, code);
	struct chess_complaint c;

	/* With a code that is expected all that it says may be, too. */
	if ((code && !failed) ||
	    !chess_complaint_find(f->err, x->unheard,
				  failed ? CHESS_WHEN_FAILED : CHESS_WHEN_SAID, &c))
		c.verdict = failed ? CHESS_VERDICT_EXIT : CHESS_VERDICT_OK;
	if (c.verdict != CHESS_VERDICT_OK) {
		out->bad_task = 0;
		out->bad_status = f->status;
	}
	return c.verdict;
}

/**
 * chess_verdict_judge() - which verdict a run gets
 * @f: the facts
 * @out: the answer; "incomplete" leaves its reason in chess_error()
 */
void chess_verdict_judge(const struct chess_facts *f, struct chess_judgement *out)
{
	size_t decisions;
	uint32_t task;

	*out = (struct chess_judgement){ .verdict = CHESS_VERDICT_OK, .bad_task = -1 };
	out->diverged_at = find_divergence(f->record, &decisions);
	if (f->diverged || out->diverged_at != SIZE_MAX) {
		if (out->diverged_at == SIZE_MAX)
			out->diverged_at = decisions;
		out->verdict = CHESS_VERDICT_DIVERGED;
		return;
	}
	if (f->overflow) {
		chess_set_error(EOVERFLOW,
				"the record of the run is full after %zu events and the run was ended; allow more (--max-events)",
				chess_record_length(f->record));
		out->verdict = CHESS_VERDICT_INCOMPLETE;
		return;
	}
	/* A process may have crashed before the others got stuck: that is the bug. */
	if (f->deadlock || f->livelock || f->timeout) {
		struct chess_facts dead = *f;

		dead.status = 0;
		out->verdict = judge_death(&dead, out);
		if (out->verdict == CHESS_VERDICT_OK)
			out->verdict = f->deadlock ? CHESS_VERDICT_DEADLOCK :
				       f->livelock ? CHESS_VERDICT_LIVELOCK :
						     CHESS_VERDICT_TIMEOUT;
		return;
	}
	out->verdict = judge_death(f, out);
	if (out->verdict == CHESS_VERDICT_OK)
		out->verdict = judge_exit(f, out);
	if (out->verdict != CHESS_VERDICT_OK)
		return;
	if (decisions < f->length) {
		/* It ended well, but sooner than the prefix did. */
		out->diverged_at = decisions;
		out->verdict = CHESS_VERDICT_DIVERGED;
	} else if (f->lost) {
		chess_set_error(EOVERFLOW,
				"the module lost %u tasks, traps or events of the run: what they do is not searched",
				f->lost);
		out->verdict = CHESS_VERDICT_INCOMPLETE;
	} else if (f->misuse) {
		out->verdict = CHESS_VERDICT_MEMORY;
	} else if (f->replaced) {
		chess_set_error(ESTALE,
				"%s was replaced or changed after its traps had been registered, so its sync functions may have been no points; leave the files alone and start again",
				f->replaced);
		out->verdict = CHESS_VERDICT_INCOMPLETE;
	} else if (left_control(f->record, &task)) {
		chess_set_error(EPERM,
				"task T%u left control, its privileges rose: what it does from there on is not searched",
				task);
		out->verdict = CHESS_VERDICT_INCOMPLETE;
	}
}
