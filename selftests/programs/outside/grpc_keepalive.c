// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client without streams has its keepalive sleep until there is one, with the lock held that
 * a new stream takes to wake it up.
 *
 * source: gRPC-Go #1460; GoBench, CGO 2021
 * expect: verdict=deadlock
 */
#include "outside.h"
#include "channel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct channel awake = CHANNEL(1);
static int streams;
static bool is_asleep;

static void *keep_alive(void *arg)
{
	int value;

	(void)arg;
	pthread_mutex_lock(&lock);
	if (streams) {
		pthread_mutex_unlock(&lock);
		return NULL;
	}
	is_asleep = true;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	channel_take(&awake, &value);
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

static void new_stream(void)
{
	pthread_mutex_lock(&lock);
	streams++;
	if (is_asleep)
		channel_send(&awake, 1);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	together(new_stream, keep_alive);
	return 0;
}
