/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * here.c: what could run at a position of a run, and what each task is about to do. show.c prints
 * it, screen.c draws it.
 */
#ifndef CLI_STEP_HERE_H
#define CLI_STEP_HERE_H

#include "step/walk.h"

/**
 * struct step_so_far - the run up to here, as a report
 * @t: its trace, with @report.record in place of the whole record
 * @report: borrows the symbols of the whole
 */
struct step_so_far {
	struct chess_trace t;
	struct report report;
};

void step_so_far_open(struct step_so_far *f, const struct step_walk *w);
void step_so_far_close(struct step_so_far *f);

/**
 * struct step_line - a task, or another choice
 * @way: as step_walk_may() takes it
 * @next: it is what 'next' takes
 * @name: "T1", "T1 worker" of a task that has a name, "timer"
 * @op: what it is about to do; @where; @more: why it cannot run
 * @place: the same as @where; without a file where it is not known
 */
struct step_line {
	uint16_t way;
	bool next;
	char *name, *op, *where, *more;
	struct place place;
};

/**
 * struct step_here - a position
 * @seq: number of its event
 * @text: what happened last; NULL: the run has ended
 * @name_width: bytes of the longest name
 */
struct step_here {
	uint32_t seq;
	char *text;
	struct step_line *line;
	size_t n;
	size_t name_width;
};

void step_here_read(struct step_here *h, struct step_walk *w);
void step_here_clear(struct step_here *h);

#endif /* CLI_STEP_HERE_H */
