// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread waits in read(2) for a timerfd to expire. Who does not need it any more disarms the
 * timer, which does not wake the thread up, and waits for its end.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "window.h"

static int timer;

static void *watch(void *arg)
{
	uint64_t expiries;

	(void)arg;
	assert(read(timer, &expiries, sizeof(expiries)) == sizeof(expiries));
	return NULL;
}

int main(void)
{
	struct itimerspec in = { .it_value.tv_sec = 1 };
	struct itimerspec soon = { .it_value.tv_nsec = IS_MENDED };
	pthread_t thread;

	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	assert(timer >= 0 && !timerfd_settime(timer, 0, &in, NULL));
	assert(!pthread_create(&thread, NULL, watch, NULL));
	WINDOW();
	assert(!timerfd_settime(timer, 0, &soon, NULL));
	assert(!pthread_join(thread, NULL));
	return 0;
}
