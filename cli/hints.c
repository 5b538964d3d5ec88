// SPDX-License-Identifier: GPL-2.0-only
/*
 * See hints.h.
 */
#include <errno.h>
#include <string.h>

#include "hints.h"

static bool is_outside(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_RESUME ||
	       (e->type == CHESS_EVENT_WAKE && e->object == CHESS_TASK_NONE);
}

static bool is_end(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_EXIT || e->type == CHESS_EVENT_KILLED;
}

static const char of_file[] =
	"a file is there in one run only: give each run its own with --private-tmp (/tmp, /dev/shm, IPC) or --overlay";

/* Of the same call. What runs leave in the system shows in what it returns. */
static const char *cause_of_results(int64_t a, int64_t b)
{
	if (a == -EADDRINUSE || b == -EADDRINUSE)
		return "an address is in use in one run only: give each run a network of its own with --no-network";
	if (a == -EEXIST || b == -EEXIST || a == -ENOENT || b == -ENOENT)
		return of_file;
	return "the call returned something else: what it asks of the system differs from run to run";
}

static const char *cause_of_points(const struct chess_event *a, const struct chess_event *b)
{
	bool probe = a->flags & CHESS_OPF_PROBE;

	if (a->nr != b->nr || (a->flags ^ b->flags) & CHESS_OPF_PROBE)
		return "the task took another path after its last point: what it read or computed there differs";
	if (a->object != b->object || a->object_kind != b->object_kind || a->arg != b->arg)
		return "the same call with another argument: an address, descriptor or number that differs from run to run";
	if (a->ip != b->ip || (probe && a->caller != b->caller))
		return "the same call from another place: the task took another path after its last point";
	if (!probe && a->result != b->result)
		return cause_of_results(a->result, b->result);
	return "other tasks could run: a task ended, woke or began to wait at another moment";
}

const char *hints_cause(const struct chess_event *a, const struct chess_event *b)
{
	if (!a || !b)
		return "one run ended where the other continued";
	if (is_outside(a) || is_outside(b))
		return "a wake-up from outside the group (another process, the network, a terminal, a timer of the machine) came at another moment";
	if (a->type == CHESS_EVENT_QUANTUM || b->type == CHESS_EVENT_QUANTUM)
		return "a loop that reaches no point was cut by the quantum, which is counted in time";
	if (a->type == CHESS_EVENT_STALL || b->type == CHESS_EVENT_STALL)
		return "the kernel held a task up for so long that the watchdog took the token";
	if (a->type == CHESS_EVENT_TIMEOUT && b->type == CHESS_EVENT_TIMEOUT && a->task == b->task)
		return "the clock of the group differs: the program read clocks more often, or waits for another time";
	if (is_end(a) && is_end(b) && a->task == b->task && a->object != b->object)
		return "the task ended with another status";
	if (a->task != b->task)
		return "another task acted: the runs differ in something that is not a point: memory, or an input from outside";
	if (a->type == CHESS_EVENT_POINT && b->type == CHESS_EVENT_POINT)
		return cause_of_points(a, b);
	return "the task took another path after its last point: what it read or computed there differs";
}

bool hints_is_file(const struct chess_event *a, const struct chess_event *b)
{
	return hints_cause(a, b) == of_file;
}

void hints_find(const struct chess_record *r, struct hints_record *out)
{
	size_t i, n = chess_record_length(r);

	memset(out, 0, sizeof(*out));
	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		/* One that nobody was enabled at may stand there twice. */
		if (is_outside(e) && !(e->type == CHESS_EVENT_RESUME && i &&
				       is_outside(chess_record_event(r, i - 1)) &&
				       chess_record_event(r, i - 1)->task == e->task) &&
		    !out->wakes++)
			out->first_wake = i;
		out->quanta += e->type == CHESS_EVENT_QUANTUM;
		out->stalls += e->type == CHESS_EVENT_STALL;
		out->left += e->type == CHESS_EVENT_LEAVE;
	}
}

/* Where the line after @at begins; NULL at the end of the text. */
static const char *behind(const char *at, size_t len)
{
	if (!at || !at[len])
		return NULL;
	return at[len + 1] ? at + len + 1 : NULL;
}

bool hints_next_line(const char *a, const char *b, struct hints_line *line)
{
	struct hints_line l = *line;

	if (!l.number++) {
		l.a = a && *a ? a : NULL;
		l.b = b && *b ? b : NULL;
	} else {
		l.a = behind(l.a, l.a_len);
		l.b = behind(l.b, l.b_len);
	}
	while (l.a || l.b) {
		l.a_len = l.a ? strcspn(l.a, "\n") : 0;
		l.b_len = l.b ? strcspn(l.b, "\n") : 0;
		if (!l.a || !l.b || l.a_len != l.b_len || memcmp(l.a, l.b, l.a_len)) {
			*line = l;
			return true;
		}
		l.a = behind(l.a, l.a_len);
		l.b = behind(l.b, l.b_len);
		l.number++;
	}
	return false;
}
