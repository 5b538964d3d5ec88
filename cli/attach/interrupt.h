/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interrupt.c: Ctrl-C, SIGTERM and SIGHUP as a question that is asked now and then, for
 * modes of attach that have something to let go of first.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* From now on they only set what interrupt_seen() returns. */
void interrupt_begin(void);
/* And only arrive while the caller waits with @mask, as ppoll() does. */
void interrupt_begin_waiting(sigset_t *mask);
bool interrupt_seen(void);

#endif /* CLI_INTERRUPT_H */
