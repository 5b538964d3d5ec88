// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that can be cancelled is cancelled when open(2) has returned, but its descriptor
 * has not been stored: nobody closes it. Mended: a thread cannot be cancelled there.
 *
 * source: glibc #12683
 * expect: verdict=exit
 */
#include <fcntl.h>
#include <unistd.h>

#include "outside.h"

static volatile int fd = -1;

static void *open_it(void *arg)
{
	int old;

	(void)arg;
	if (IS_MENDED)
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	else
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	fd = open("/dev/null", O_RDONLY);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int next = dup(0), last;

	close(next);
	assert(!pthread_create(&thread, NULL, open_it, NULL));
	pthread_cancel(thread);
	assert(!pthread_join(thread, NULL));
	if (fd >= 0)
		close(fd);
	/* What is open now has taken the number. */
	last = dup(0);
	return last != next;
}
