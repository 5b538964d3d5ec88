/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands of chessctl step do; cmd_step.c calls them. Results go to stdout. What cannot
 * be done is one sentence on stderr, changes nothing, and is answered with false.
 *
 * show.c	where the run is: what could run, the stacks, the steps so far, a wait
 * until.c	the next place of a kind in the run
 * delta.c	which choices make it fail
 * save.c	a trace of it
 */
#ifndef CLI_STEP_H
#define CLI_STEP_H

#include "out.h"
#include "step/walk.h"
#include "step/words.h"

/* What could run at this decision, and what each task is about to do. */
void step_show(struct step_walk *w);
/* The stack of @task, or of each with CHESS_TASK_NONE. */
bool step_show_where(struct step_walk *w, uint16_t task);
/* What it waits for. */
bool step_show_why(struct step_walk *w, uint16_t task);
void step_show_list(struct step_walk *w);
/* The same, a line for each step; malloc'ed */
char *step_history(struct step_walk *w);
/* How the run ends, in a line. */
void step_show_verdict(const struct step_walk *w);

/* "T1", "the timers", "its deadline passes": malloc'ed */
char *step_way_text(const struct step_walk *w, size_t k, uint16_t way);

/* What @task is about to do after event index @i: "lock b", "start"; malloc'ed */
char *step_op_text(const struct report *r, size_t i, uint16_t task);

bool step_until(struct step_walk *w, const struct step_words *words);

bool step_delta(struct step_walk *w);

/* @file: NULL, a free name in @dir. In the VM what is written elsewhere is lost. */
bool step_save(struct step_walk *w, const struct out_dir *dir, const char *file);

#endif /* CLI_STEP_H */
