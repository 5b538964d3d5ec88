/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What explore, races and shrink do with a failing run before they write its trace.
 */
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include "session.h"

/*
 * A search takes no stacks, for speed. The failing schedule is run once more
 * for them; that it gives the same record is checked, as for any replay.
 * Return: is @again to be used in place of @bad?
 */
bool keep_run_again(struct session *s, const struct chess_run_result *bad,
		    struct chess_run_result *again);

/*
 * Is the first difference between @bad and a run of its schedule a file that is there in one of
 * them only? A failing program may not get to where it removes its temporary files.
 */
bool keep_meets_files(struct session *s, const struct chess_run_result *bad);
/*
 * Does a run of its schedule, @again, fail, too? With a verdict of its own, perhaps: what nobody
 * else has mounted nobody outside can change, so a time-out may be a deadlock. Clear @again in any
 * case.
 */
bool keep_fails_again(struct session *s, const struct chess_run_result *bad,
		      struct chess_run_result *again);

/*
 * The system calls of the run that @t is of, and the names of its tasks, for its report: in @t, to
 * be freed with calls_forget(). Of a run without any that others could notice, or that takes as
 * long as it may, there are none; what else keeps them from being there is said.
 */
void keep_calls(struct session *s, struct chess_trace *t);

/* The same of a run with races, for its stacks there; whatever else its verdict is. */
bool keep_races_again(struct session *s, const struct chess_run_result *run,
		      const struct chess_trace_race *races, size_t n,
		      struct chess_run_result *again);

#endif /* CLI_KEEP_H */
