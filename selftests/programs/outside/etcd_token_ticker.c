// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tokens are added by a channel, sent to under the lock. The goroutine that takes them also
 * deletes those that are too old at each tick of a timer, for which it needs the lock.
 *
 * source: etcd #7492; GoBench, CGO 2021
 * expect: verdict=deadlock
 */
#include <stdatomic.h>

#include "outside.h"
#include "channel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct channel added = CHANNEL(IS_MENDED);
static atomic_bool is_old;

static void *run(void *arg)
{
	int token;

	(void)arg;
	if (atomic_load(&is_old)) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	channel_take(&added, &token);
	return NULL;
}

static void assign(void)
{
	atomic_store(&is_old, true);
	pthread_mutex_lock(&lock);
	channel_send(&added, 1);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	together(assign, run);
	return 0;
}
