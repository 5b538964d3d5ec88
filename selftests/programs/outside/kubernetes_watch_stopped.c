// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events are handed to watchers under a lock. A watcher that stops takes nothing more, and
 * needs the lock to say so.
 *
 * source: Kubernetes #1321; GoBench, CGO 2021
 * expect: verdict=deadlock
 */
#include "outside.h"
#include "channel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct channel results = CHANNEL(IS_MENDED);
static bool is_watching = true;

static void *distribute(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	if (is_watching)
		channel_send(&results, 1);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void stop(void)
{
	pthread_mutex_lock(&lock);
	is_watching = false;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	together(stop, distribute);
	return 0;
}
