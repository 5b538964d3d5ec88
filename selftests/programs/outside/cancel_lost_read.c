// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread waits in read(2), where it may be cancelled. If it is cancelled when its read has
 * taken something already, this is lost. Mended: it may be cancelled in poll(2) only, which
 * takes nothing.
 *
 * source: glibc #12683
 * expect: verdict=assert
 */
#include <poll.h>
#include <unistd.h>

#include "outside.h"

static int ends[2], got;

static void *receive(void *arg)
{
	struct pollfd fd = { .fd = ends[0], .events = POLLIN };
	char byte;
	int old;

	(void)arg;
	if (IS_MENDED) {
		poll(&fd, 1, -1);
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	}
	got = read(ends[0], &byte, 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char byte;

	assert(!pipe(ends));
	assert(!pthread_create(&thread, NULL, receive, NULL));
	assert(write(ends[1], "a", 1) == 1);
	pthread_cancel(thread);
	assert(!pthread_join(thread, NULL));
	close(ends[1]);
	/* It was received, or is still there. */
	assert(got == 1 || read(ends[0], &byte, 1) == 1);
	return 0;
}
