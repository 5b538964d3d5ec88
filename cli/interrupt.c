// SPDX-License-Identifier: GPL-2.0-only
/* See interrupt.h. */
#include <signal.h>
#include <stddef.h>

#include "interrupt.h"

static volatile sig_atomic_t seen;

static void handle_signal(int sig)
{
	(void)sig;
	seen = 1;
}

void interrupt_begin(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = handle_signal }, old;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		/* nohup stays nohup */
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
}

bool interrupt_seen(void)
{
	return seen;
}
