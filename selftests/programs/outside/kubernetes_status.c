// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pod's status is sent on a channel by whoever holds the lock of all statuses. The goroutine
 * that takes it needs this lock then, and another sender may have it, waiting to be taken from.
 *
 * source: Kubernetes #10182; GoBench, CGO 2021
 * expect: verdict=deadlock
 */
#include "outside.h"
#include "channel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct channel statuses = CHANNEL(0);

static void set_status(int pod)
{
	pthread_mutex_lock(&lock);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	channel_send(&statuses, pod);
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *synchronize(void *arg)
{
	int i, pod;

	(void)arg;
	for (i = 0; i < 2; i++) {
		channel_take(&statuses, &pod);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void mine(void)
{
	set_status(1);
	set_status(2);
}

int main(void)
{
	together(mine, synchronize);
	return 0;
}
