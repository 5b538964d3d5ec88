// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library ignores SIGPIPE while it writes, and restores what was there before. Two threads
 * do so: one restores the default while the other one writes to a connection that is gone.
 *
 * source: libcurl, CURLOPT_NOSIGNAL(3) (programs of several threads)
 * expect: verdict=crash
 */
#include <signal.h>
#include <unistd.h>

#include "outside.h"

static int ends[2];

static void write_safely(void)
{
	sigset_t set, old_mask;
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;

	if (IS_MENDED) {
		sigemptyset(&set);
		sigaddset(&set, SIGPIPE);
		pthread_sigmask(SIG_BLOCK, &set, &old_mask);
	} else {
		sigaction(SIGPIPE, &ignore, &old);
	}
	assert(write(ends[1], "a", 1) < 0);
	/* Mended, the signal stays blocked in this thread, which has got it. */
	if (!IS_MENDED)
		sigaction(SIGPIPE, &old, NULL);
}

static void *others(void *arg)
{
	(void)arg;
	write_safely();
	return NULL;
}

int main(void)
{
	assert(!pipe(ends));
	close(ends[0]);
	together(write_safely, others);
	return 0;
}
