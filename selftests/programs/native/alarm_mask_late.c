// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process without threads or children wants SIGALRM at its sigwait(3) only. It sets the
 * alarm first and blocks the signal after that.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>

#include "window.h"

int main(void)
{
	struct itimerval in = { .it_value.tv_usec = 10000 };
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	if (IS_MENDED)
		sigprocmask(SIG_BLOCK, &set, NULL);
	assert(!setitimer(ITIMER_REAL, &in, NULL));
	WINDOW();
	sigprocmask(SIG_BLOCK, &set, NULL);
	assert(!sigwait(&set, &sig));
	assert(sig == SIGALRM);
	return 0;
}
