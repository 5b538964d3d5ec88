// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two workers wait in one epoll set. Both are woken for the same byte, and the second to read
 * waits in its read(2) where it does not hear that it is to stop.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "window.h"

static int set, input[2], stop;

static void *work(void *arg)
{
	struct epoll_event event;
	char byte;

	(void)arg;
	for (;;) {
		assert(epoll_wait(set, &event, 1, -1) == 1);
		if (event.data.fd == stop)
			return NULL;
		WINDOW();
		if (read(input[0], &byte, 1) != 1)
			assert(errno == EAGAIN);
	}
}

static void watch(int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	assert(!epoll_ctl(set, EPOLL_CTL_ADD, fd, &event));
}

int main(void)
{
	pthread_t threads[2];
	int i;

	assert(!pipe2(input, IS_MENDED ? O_NONBLOCK : 0));
	set = epoll_create1(0);
	stop = eventfd(0, 0);
	watch(input[0]);
	watch(stop);
	assert(write(input[1], "j", 1) == 1);
	for (i = 0; i < 2; i++)
		assert(!pthread_create(&threads[i], NULL, work, NULL));
	WINDOW();
	assert(!eventfd_write(stop, 1));
	for (i = 0; i < 2; i++)
		assert(!pthread_join(threads[i], NULL));
	return 0;
}
