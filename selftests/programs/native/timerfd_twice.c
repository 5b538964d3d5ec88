// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request ends when its answer is there or when its timerfd has expired. To disarm the
 * timer does not help where the expiry has been read already: the request ends twice.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int timer, stop, ends;

static void end_request(void)
{
	pthread_mutex_lock(&lock);
	if (!IS_MENDED || !ends)
		ends++;
	pthread_mutex_unlock(&lock);
}

static void *watch(void *arg)
{
	struct pollfd fds[2] = {
		{ .fd = timer, .events = POLLIN }, { .fd = stop, .events = POLLIN },
	};
	uint64_t expiries;

	(void)arg;
	while (!(fds[1].revents & POLLIN)) {
		assert(poll(fds, 2, -1) > 0);
		if (read(timer, &expiries, sizeof(expiries)) == sizeof(expiries)) {
			WINDOW();
			end_request();
		}
	}
	return NULL;
}

int main(void)
{
	struct itimerspec in = { .it_value.tv_nsec = 20000000 }, never = { 0 };
	pthread_t thread;

	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	stop = eventfd(0, 0);
	assert(timer >= 0 && stop >= 0);
	assert(!timerfd_settime(timer, 0, &in, NULL));
	assert(!pthread_create(&thread, NULL, watch, NULL));
	WINDOW();
	if (!timerfd_settime(timer, 0, &never, NULL))
		end_request();
	assert(!eventfd_write(stop, 1));
	assert(!pthread_join(thread, NULL));
	assert(ends == 1);
	return 0;
}
