/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replay --gdb: the program is started by gdb and controlled by us.
 */
#ifndef CLI_GDB_H
#define CLI_GDB_H

#include <chessctl/chessctl.h>
#include <stdio.h>
#include <string.h>

#include "session.h"

/**
 * struct gdb_watchpoint - memory that gdb watches with a hardware breakpoint
 * @expression: of gdb; NULL: none
 * @alone: nobody is there to type: each change is printed, and the program continues
 */
struct gdb_watchpoint {
	char *expression;
	bool alone;
};

/*
 * @text: VARIABLE or ADDRESS[:SIZE]. Return: CLI_PROCEED; or an exit code after one sentence.
 */
int gdb_watchpoint_read(const char *text, struct gdb_watchpoint *out);

/* Writes the commands that gdb gets for it; none where nothing is watched. */
void gdb_watchpoint_script(const struct gdb_watchpoint *watch, FILE *f);

/**
 * struct gdb_front - what is in front of gdb
 * @interpreter: for gdb's option of that name, as "mi3"; NULL: people type
 * @kept: breakpoints, as gdb writes them, for the next replay; a file without a name, or -1
 */
struct gdb_front {
	const char *interpreter;
	int kept;
};

/* Is it a program, which reads GDB/MI? */
static inline bool gdb_front_is_program(const struct gdb_front *front)
{
	return front->interpreter && !strncmp(front->interpreter, "mi", 2);
}

/*
 * Runs gdb to its end. *@at: the event that it goes to first, or 0: none; then the one to go back
 * to, in another replay, if somebody asked for that, or 0. Return: exit code for the command.
 */
int gdb_replay(struct chess_ctl *ctl, const struct chess_trace *t, char **argv, const char *path,
	       const char *cwd, const struct session_opts *o, const char *points,
	       const struct gdb_watchpoint *watch, const struct gdb_front *front, uint32_t *at);

/**
 * struct gdb_end - a run under gdb, for gdb_end_wait()
 * @ctl: the module
 * @group: of the run
 * @t: the trace it follows
 * @program: its first process
 * @alone: nobody is asked where the trace ends
 * @typed: somebody types at a terminal, and can stop the program by himself
 * @seen: the record where the run was at the end of the trace, written then; the caller's
 */
struct gdb_end {
	struct chess_ctl *ctl;
	uint32_t group;
	const struct chess_trace *t;
	pid_t program;
	bool alone, typed;
	struct chess_record **seen;
};

/*
 * chess_record_compare_decisions() of the trace and of a run of it. Where we ended the run of the
 * trace ourselves, what a run does after that is no difference.
 */
size_t gdb_end_compare(const struct chess_trace *t, const struct chess_record *seen,
		       size_t *at, size_t *seen_at);

/* Waits for gdb, and stops the program where the trace ends. Return: gdb's wait status. */
int gdb_end_wait(const struct gdb_end *e, pid_t gdb);

#endif /* CLI_GDB_H */
