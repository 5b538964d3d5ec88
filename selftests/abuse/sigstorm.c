// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads send a hundred queued signals to a third. Hard: each is delivered where it comes
 * back to its program.
 */
#include "abuse.h"

static volatile int signals;
static pthread_t target;

static void on_signal(int sig)
{
	(void)sig;
	__sync_fetch_and_add(&signals, 1);
}

static void *send(void *unused)
{
	int i;

	for (i = 0; i < 50; i++)
		pthread_kill(target, 34 + i % 8);
	return unused;
}

int main(void)
{
	int i;

	target = pthread_self();
	for (i = 34; i < 42; i++)
		signal(i, on_signal);
	both(send, NULL, NULL);
	say("signals %d\n", signals);
	return 0;
}
