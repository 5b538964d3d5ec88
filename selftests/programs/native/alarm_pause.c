// SPDX-License-Identifier: GPL-2.0-only
/*
 * sleep(3) as it was once written: an alarm, and pause(2) unless it has rung. One that
 * rings between the look and the call is not waited for again.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "window.h"

static volatile sig_atomic_t rung;

static void on_alarm(int sig)
{
	(void)sig;
	rung = 1;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval in = { .it_value.tv_usec = 10000 };
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_BLOCK, IS_MENDED ? &set : NULL, &old);
	assert(!setitimer(ITIMER_REAL, &in, NULL));
	while (!rung) {
		WINDOW();
		if (IS_MENDED)
			sigsuspend(&old);
		else
			pause();
	}
	return 0;
}
