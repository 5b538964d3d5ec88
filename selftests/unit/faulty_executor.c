// SPDX-License-Identifier: GPL-2.0-only
/*
 * See faulty_executor.h.
 */
#include <errno.h>

#include "faulty_executor.h"
#include "../harness.h"

static bool is_disturbed(const struct fault *f, uint64_t first, uint64_t run)
{
	return first && run >= first && run < first + (f->disturbed ? f->disturbed : 1);
}

/* The record again, with one more task enabled at decision number @at. */
static struct chess_record *with_enabled(const struct chess_record *r, size_t at,
					 unsigned int task)
{
	struct chess_record *other = chess_record_new();
	size_t i;

	chess_record_set_fair(other, chess_record_fair(r));
	for (i = 0; i < chess_record_length(r); i++) {
		struct chess_event e = *chess_record_event(r, i);

		if (CHESS_EVENT_IS_DECISION(e.type) && !at--)
			e.enabled |= 1ULL << task;
		ASSERT_EQ(0, chess_record_push(other, &e, 1));
	}
	return other;
}

int faulty_run(const struct fault *f, uint64_t run, const struct chess_executor *x,
	       const struct chess_plan *plan, struct chess_run_result *out)
{
	struct chess_plan given = *plan;
	struct chess_record *r;
	int ret;

	if (run == f->error_at)
		return f->error;
	if (is_disturbed(f, f->wrong_prefix_at, run) && given.length)
		given.length--;
	ret = x->run(x->ctx, &given, out);
	if (ret)
		return ret;
	if (is_disturbed(f, f->other_enabled_at, run) && plan->length) {
		r = with_enabled(out->record, plan->length - 1, f->other);
		chess_record_free(out->record);
		out->record = r;
	}
	if (run == f->incomplete_at) {
		out->verdict = CHESS_VERDICT_INCOMPLETE;
		chess_set_error(EOVERFLOW, "a trap was lost");
	}
	return 0;
}
