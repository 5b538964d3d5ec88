/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which calls have a time-out among their arguments, and how it is given.
 */
#ifndef _CHESS_TIMED_CALL_H
#define _CHESS_TIMED_CALL_H

#include "chess.h"

struct pt_regs;

/* Newer than some headers. */
#define CHESS_NR_FUTEX_WAIT	455

/* How the time-out of a call is given. */
enum chess_form {
	CHESS_FORM_NONE,
	CHESS_FORM_TIMESPEC,	/* pointer, time from now */
	CHESS_FORM_TIMEVAL,	/* pointer, time from now */
	CHESS_FORM_MS,		/* milliseconds from now; negative: none */
	CHESS_FORM_ABSOLUTE,	/* pointer to a timespec, for a clock */
};

/**
 * struct chess_timed_call - where a call has its time-out, and what becomes of it
 * @form: enum chess_form
 * @arg: which argument
 * @clock: of CHESS_FORM_ABSOLUTE
 * @clock_arg: argument that names @clock, plus one; 0: none does
 * @sleeps: a time-out of zero is a short sleep in the kernel, elsewhere it is none
 * @pause: the call waits only for its time-out: pause() takes its place
 * @left: argument the remaining time is written through, plus one; 0: none
 * @always: write it at the end of every call, not only of an interrupted one
 * @result: what the call returns when it times out
 */
struct chess_timed_call {
	u8 form;
	u8 arg;
	int clock;
	u8 clock_arg;
	bool sleeps;
	bool pause;
	u8 left;
	bool always;
	s16 result;
};

bool chess_timed_call_find(struct chess_timed_call *c, const struct pt_regs *regs, long nr);
bool chess_timed_call_is_over(const struct chess_group *g, const struct chess_timed_call *c,
			      const struct pt_regs *regs);
bool chess_timed_call_deadline(const struct chess_group *g, const struct chess_timed_call *c,
			       const struct pt_regs *regs, u64 *deadline);
bool chess_timed_call_length(unsigned long from, u64 *ns);

#endif /* _CHESS_TIMED_CALL_H */
