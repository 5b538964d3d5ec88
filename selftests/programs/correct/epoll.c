// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread waits in epoll_wait for an eventfd, then reads it.
 *
 * expect: verdict=ok runs=1,3,8
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int set, fd;

static void *serve(void *arg)
{
	struct epoll_event event;
	uint64_t n;

	assert(epoll_wait(set, &event, 1, -1) == 1);
	assert(event.data.fd == fd);
	assert(read(fd, &n, sizeof(n)) == sizeof(n) && n == 1);
	return arg;
}

int main(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	uint64_t one = 1;
	pthread_t t;

	fd = eventfd(0, 0);
	set = epoll_create1(0);
	event.data.fd = fd;
	assert(fd >= 0 && set >= 0 && !epoll_ctl(set, EPOLL_CTL_ADD, fd, &event));
	pthread_create(&t, NULL, serve, NULL);
	assert(write(fd, &one, sizeof(one)) == sizeof(one));
	pthread_join(t, NULL);
	return 0;
}
