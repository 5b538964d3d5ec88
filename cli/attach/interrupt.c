// SPDX-License-Identifier: GPL-2.0-only
/* See interrupt.h. */
#include <signal.h>
#include <stddef.h>

#include "attach/interrupt.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
static volatile sig_atomic_t seen;

static void handle_signal(int sig)
{
	(void)sig;
	seen = 1;
}

void interrupt_begin(void)
{
	struct sigaction sa = { .sa_handler = handle_signal }, old;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		/* nohup stays nohup; a script's jobs, which have SIGINT ignored, may get one. */
		if (!sigaction(signals[i], NULL, &old) &&
		    (signals[i] != SIGHUP || old.sa_handler != SIG_IGN))
			sigaction(signals[i], &sa, NULL);
}

void interrupt_begin_waiting(sigset_t *mask)
{
	sigset_t set;
	size_t i;

	interrupt_begin();
	sigemptyset(&set);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, mask);
}

bool interrupt_seen(void)
{
	return seen;
}
