// SPDX-License-Identifier: GPL-2.0-only
/*
 * A container's state changes under its lock, and its monitor is told to stop by a channel
 * without room. The monitor may be about to take the lock for a result of its own.
 *
 * source: Docker #28462; GoBench, CGO 2021
 * expect: verdict=deadlock
 */
#include "outside.h"
#include "channel.h"

static pthread_mutex_t container = PTHREAD_MUTEX_INITIALIZER;
static struct channel stop = CHANNEL(0);
static bool is_healthy;

static void *monitor(void *arg)
{
	int value;

	(void)arg;
	pthread_mutex_lock(&container);
	is_healthy = true;
	pthread_mutex_unlock(&container);
	channel_take(&stop, &value);
	return NULL;
}

static void change_state(void)
{
	pthread_mutex_lock(&container);
	is_healthy = false;
	if (IS_MENDED)
		channel_close(&stop);
	else
		channel_send(&stop, 1);
	pthread_mutex_unlock(&container);
}

int main(void)
{
	together(change_state, monitor);
	return 0;
}
