/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: how a run ended. Everything else takes the verdicts from CHESS_VERDICTS: traces,
 * JSON, exit codes, and the manual (scripts/verdicts.sh).
 */
#ifndef CHESSCTL_API_VERDICT_H
#define CHESSCTL_API_VERDICT_H

#include <stdbool.h>

#include <chessctl/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One row for each verdict, new ones at the end: its name here; its word in reports, JSON and
 * traces; whether it is a bug of the program, and so exit code 1; what the manual says about it.
 * When a run gets it is decided in run/verdict.c.
 */
#define CHESS_VERDICTS(ROW) \
	ROW(OK, "ok", false, "No bug.") \
	ROW(ASSERT, "assert", true, \
	    "An abort, a C++ exception that was not caught, a failed assertion, or a Rust panic, caught or not.") \
	ROW(CRASH, "crash", true, \
	    "A process died of SEGV, BUS, ILL, FPE, SYS or TRAP, or of ABRT after the C library found the heap or a stack damaged; or the first process died of any other signal.") \
	ROW(DEADLOCK, "deadlock", true, \
	    "No task is enabled, none has a deadline, and nothing outside can wake one; or some tasks wait for each other's locks for ever.") \
	ROW(LIVELOCK, "livelock", true, \
	    "A fair run of more than --max-points points that repeats itself. The report says whether one task never yields, which violates the good samaritan rule, or whether one starves.") \
	ROW(RACE, "race", true, \
	    "Two accesses raced. Given by the command races, by replays of its traces, and where a sanitizer or a language runtime reported a race.") \
	ROW(EXIT, "exit", true, "The program ended with a code other than 0 that is not in --ok-exit.") \
	/* A bug: a wait for a signal or a socket that never ends cannot be proven to be a */ \
	/* deadlock, but the program still hangs. */ \
	ROW(TIMEOUT, "timeout", true, "The run took longer than --run-timeout, or waited in vain for something outside.") \
	ROW(MEMORY, "memory", true, \
	    "Where accesses are recorded: heap memory was used or freed after its free(), or a signal handler calls malloc(), free() or the like and may interrupt such a call. Or a sanitizer reported a memory error.") \
	ROW(DIVERGED, "diverged", false, "A run did not follow its prefix, or a replay differs from its trace.") \
	ROW(INCOMPLETE, "incomplete", false, \
	    "Not everything was run or recorded: a limit was reached, schedules were left out, tasks or traps (breakpoints that chess sets in code of the program) were lost, a file with traps was replaced, or a task escaped from control.")

#define CHESS_VERDICT_NUMBER(NAME, ...) CHESS_VERDICT_##NAME,
enum chess_verdict {
	CHESS_VERDICT_NONE,	/* there was no run yet */
	CHESS_VERDICTS(CHESS_VERDICT_NUMBER)
	CHESS_VERDICT_END,	/* after the last one */
};
#undef CHESS_VERDICT_NUMBER

/* verdict.c */
CHESS_API const char *chess_verdict_name(enum chess_verdict v);
CHESS_API bool chess_verdict_is_bug(enum chess_verdict v);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_VERDICT_H */
