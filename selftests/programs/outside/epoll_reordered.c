// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two workers wait for one connection. One has read the first piece of what came, the other one
 * reads the second piece and is done with it first. Mended: only one of them is told at a time.
 *
 * source: Majkowski, Epoll is fundamentally broken 1/2, 2017; epoll(7), EPOLLONESHOT
 * expect: verdict=assert
 */
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int epoll, ends[2], count;
static char text[4];

static void wait_for(int op)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (IS_MENDED)
		event.events |= EPOLLONESHOT;
	assert(!epoll_ctl(epoll, op, ends[0], &event));
}

static void work(void)
{
	struct epoll_event event;
	char piece;

	assert(epoll_wait(epoll, &event, 1, -1) == 1);
	assert(read(ends[0], &piece, 1) == 1);
	pthread_mutex_lock(&lock);
	text[count++] = piece;
	pthread_mutex_unlock(&lock);
	if (IS_MENDED)
		wait_for(EPOLL_CTL_MOD);
}

static void *others(void *arg)
{
	(void)arg;
	work();
	return NULL;
}

int main(void)
{
	pthread_t thread;

	epoll = epoll_create1(0);
	assert(epoll >= 0 && !socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	wait_for(EPOLL_CTL_ADD);
	assert(write(ends[1], "a", 1) == 1);
	assert(!pthread_create(&thread, NULL, others, NULL));
	assert(write(ends[1], "b", 1) == 1);
	work();
	assert(!pthread_join(thread, NULL));
	assert(!strcmp(text, "ab"));
	return 0;
}
