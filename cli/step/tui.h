/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tui.c: chessctl step with keys, on a whole terminal.
 */
#ifndef CLI_STEP_TUI_H
#define CLI_STEP_TUI_H

#include "step/obey.h"

/* Until somebody quits. False: nothing was done, since the terminal cannot show it. */
bool step_tui(struct step_talk *t);

#endif /* CLI_STEP_TUI_H */
