/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * complaints.c: what monitors inside a program (the C library, language runtimes, sanitizers)
 * write to its stderr when they find it wrong. verdict.c asks, and reports name the monitor.
 */
#ifndef CHESSCTL_COMPLAINTS_H
#define CHESSCTL_COMPLAINTS_H

#include "chessctl/chessctl.h"

/* When a complaint decides about a run. */
enum chess_complaint_when {
	CHESS_WHEN_ABORTED = 1,	/* the program died of SIGABRT */
	CHESS_WHEN_FAILED,	/* it died of that, or returned another exit code than 0 */
	CHESS_WHEN_SAID,	/* however it ended */
};

/* Number of a monitor by its name, letters of either case; -1: there is none */
int chess_monitor_number(const char *name);
/* NULL: there are not so many */
const char *chess_monitor_name(unsigned int number);
/* "glibc, C++, ..."; malloc'ed */
char *chess_monitor_list(void);

/**
 * chess_complaint_find() - the first complaint that decides
 * @err: what the program wrote to stderr, or NULL
 * @unheard: bit N: monitor number N does not count
 * @when: only those that decide about a run that ended so
 * @out: filled in where there is one
 *
 * Return: whether there is one.
 */
bool chess_complaint_find(const char *err, uint32_t unheard, enum chess_complaint_when when,
			  struct chess_complaint *out);

#endif /* CHESSCTL_COMPLAINTS_H */
