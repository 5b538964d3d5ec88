/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * obey.c: a session of chessctl step: a run, and commands one after the other, from wherever they
 * come. cmd_step.c reads lines, tui.c keys.
 */
#ifndef CLI_STEP_OBEY_H
#define CLI_STEP_OBEY_H

#include "step/step.h"

/**
 * struct step_talk - one session
 * @w: the run
 * @dir: where traces go
 * @refused: a command was
 * @over: 'quit' came
 */
struct step_talk {
	struct step_walk w;
	const struct out_dir *dir;
	bool refused, over;
};

/*
 * @line is changed. What it says goes to stdout, and to stderr where it cannot be obeyed. True: the
 * position is another one, which the caller shows.
 */
bool step_obey(struct step_talk *t, char *line);

#endif /* CLI_STEP_OBEY_H */
