// SPDX-License-Identifier: GPL-2.0-only
/*
 * To stop is to close the channel of updates and to wait for the goroutine that takes them,
 * all under the lock, which this one needs for the update it has just taken.
 *
 * source: etcd #6873; GoBench, CGO 2021
 * expect: verdict=deadlock
 */
#include "outside.h"
#include "channel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct channel updates = CHANNEL(1);
static struct channel done = CHANNEL(0);

static void *run(void *arg)
{
	int value;

	(void)arg;
	while (channel_take(&updates, &value)) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	channel_close(&done);
	return NULL;
}

static void stop(void)
{
	int value;

	channel_send(&updates, 1);
	pthread_mutex_lock(&lock);
	channel_close(&updates);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	channel_take(&done, &value);
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
}

int main(void)
{
	together(stop, run);
	return 0;
}
