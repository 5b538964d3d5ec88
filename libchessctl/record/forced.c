// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Runs in which the module made a task let others go on although the task did not ask for
 * it: it used up its quantum, or took too many points in a row (rows.h). To the fair
 * scheduler both are yields, and a task that yields may have to let others go first. A task
 * that only computes for long does not wait for others, so the schedules in which it goes on
 * are real, and missing. A stall (the holder of the token slept in the kernel's own
 * business) hands the token on where no program could see it: any such one counts.
 */
#include "internal.h"
#include "record/decision.h"
#include "record/rows.h"

/**
 * chess_record_was_forced() - did the module take schedules away from the program?
 * @r: a run
 *
 * Return: true where a forced yield was followed by a decision at which fairness left
 * somebody out, and where there was a stall. Musuvathi and Qadeer, PLDI'08, 3: only a
 * program's own yields tell that it waits.
 */
bool chess_record_was_forced(const struct chess_record *r)
{
	size_t i, length = chess_record_length(r);
	struct chess_row row = { .task = CHESS_TASK_NONE };
	bool forced = false;

	for (i = 0; i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		switch (e->type) {
		case CHESS_EVENT_STALL:
			return true;
		case CHESS_EVENT_QUANTUM:
			forced = true;
			break;
		case CHESS_EVENT_POINT:
			forced |= chess_row_is_cut(&row, e);
			break;
		case CHESS_EVENT_FAIR:
			if (forced)
				return true;
			break;
		}
	}
	return false;
}
