/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.c: lines for chessctl step: from a terminal with a prompt, editing and a history, by
 * libedit; from a pipe or a file as they come.
 */
#ifndef CLI_STEP_INPUT_H
#define CLI_STEP_INPUT_H

#include <stdbool.h>

struct step_input;

/* Of standard input. NULL: the terminal cannot be used */
struct step_input *step_input_open(void);
void step_input_close(struct step_input *in);
bool step_input_typed(const struct step_input *in);
/* The next line, without its end; it is valid until the next call. NULL: there is none */
char *step_input_line(struct step_input *in);

#endif /* CLI_STEP_INPUT_H */
