/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls of a run as strace has them, with paths, flags and results, and what its tasks are
 * called: a run along a known schedule once more, traced (ptrace(2)), for its report.
 *
 *    chessctl                 tracer                   child                   program
 *      fork  ---------------->  fork, seize  ---------->  the runner's run
 *      read a pipe              waitpid, decode             clone  ----------->  traced as well
 *        <-----------------------  calls
 *
 * Stops at system calls do not break off waits, and a traced task keeps the token while it
 * stands still, so the run goes the way of the others; that it did is checked, event by
 * event. Memory is read while its task stands still, with process_vm_readv(), which gives up
 * where nothing is mapped; no more of it than fits into a line.
 */
#ifndef CLI_CALLS_H
#define CLI_CALLS_H

#include <stdint.h>
#include <sys/types.h>

#include "session.h"

/* A system call that a task stands at. */
struct call_site {
	pid_t pid;
	uint64_t nr, args[6];
};

/**
 * calls_of_run() - the system calls at the points of a run, and the names of its tasks
 * @s: that made it; runs once more
 * @t: of the run, with its record and without these yet: they are put there; to be freed with
 *	calls_forget()
 *
 * Return: NULL, or a sentence on why there are none.
 */
const char *calls_of_run(struct session *s, struct chess_trace *t);
/*
 * The same of a run that was asked for no more than @n_asked decisions of @asked. Where it did
 * something else this time that is what is returned, with those calls that are alike.
 */
const char *calls_of_prefix(struct session *s, const struct chess_schedule *asked,
			    size_t n_asked, struct chess_trace *t);
void calls_forget(struct chess_trace *t);

/*
 * call_text.c: "openat(AT_FDCWD, \"data\", O_RDONLY", when the call is made. What it writes for
 * its caller is not there yet, and the text ends where such an argument would come: *@rest is
 * its number, or 6. malloc'ed
 */
char *call_begin(const struct call_site *c, size_t *rest);
/* "EEXIST" of a call that returned -17; NULL: it is the number of no error. */
const char *call_error_name(int64_t result);
/* The whole, once it has returned; @result as the kernel gives it. @begun is freed. */
char *call_end(const struct call_site *c, char *begun, size_t rest, int64_t result);
/* The same of one that never returned. @begun is freed. */
char *call_unfinished(const struct call_site *c, char *begun, size_t rest);

#endif /* CLI_CALLS_H */
