// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request is handled by a goroutine of its own, which sends the result on a channel without
 * room. Nobody takes it when the caller has not waited that long. With room for one it ends.
 *
 * source: Kubernetes #5316; Tu et al., ASPLOS 2019, figure 1
 * expect: verdict=deadlock
 */
#include <time.h>

#include "outside.h"
#include "channel.h"

static struct channel results = CHANNEL(IS_MENDED);

static void *handle(void *arg)
{
	(void)arg;
	channel_send(&results, 1);
	return NULL;
}

static bool take_in_time(void)
{
	struct timespec until;
	bool is_there;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&results.lock);
	while (results.sent == results.taken)
		if (pthread_cond_timedwait(&results.changed, &results.lock, &until))
			break;
	is_there = results.sent != results.taken;
	if (is_there) {
		results.taken++;
		pthread_cond_broadcast(&results.changed);
	}
	pthread_mutex_unlock(&results.lock);
	return is_there;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, handle, NULL));
	take_in_time();
	assert(!pthread_join(thread, NULL));
	return 0;
}
