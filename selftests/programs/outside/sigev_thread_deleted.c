// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer calls a function in a thread of its own. Deleting the timer does not wait for a call
 * that has begun, which uses what is freed now.
 *
 * source: POSIX.1-2017, timer_delete (pending notifications are unspecified)
 * expect: verdict=memory
 */
#include <signal.h>
#include <time.h>

#include "outside.h"

struct request {
	volatile int timeouts;
	long rest[4];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request *request;

static void on_time(union sigval value)
{
	struct request *mine = value.sival_ptr;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (!IS_MENDED || request)
		mine->timeouts++;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

int main(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD };
	struct itimerspec in = { .it_value.tv_nsec = 10000000 };
	struct request *done;
	timer_t timer;

	request = calloc(1, sizeof(*request));
	assert(request);
	event.sigev_value.sival_ptr = request;
	event.sigev_notify_function = on_time;
	assert(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	assert(!timer_settime(timer, 0, &in, NULL));
	assert(!timer_delete(timer));
	pthread_mutex_lock(&lock);
	done = request;
	request = NULL;
	pthread_mutex_unlock(&lock);
	free(done);
	return 0;
}
