// SPDX-License-Identifier: GPL-2.0-only
/*
 * The raft loop sends events to the store and runs the callbacks that the store sends to it.
 * When both have something to send, neither takes what the other has.
 *
 * source: CockroachDB #2448; GoBench, CGO 2021
 * expect: verdict=deadlock
 */
#include "outside.h"
#include "channel.h"

static struct channel events = CHANNEL(0);
static struct channel callbacks = CHANNEL(IS_MENDED);

static void run_raft(void)
{
	int value;

	channel_send(&events, 1);
	pthread_mutex_lock(&callbacks.lock);
	if (callbacks.sent == callbacks.taken) {
		pthread_mutex_unlock(&callbacks.lock);
		channel_send(&events, 2);
	} else {
		pthread_mutex_unlock(&callbacks.lock);
		channel_take(&callbacks, &value);
		channel_send(&events, 2);
	}
}

static void *run_store(void *arg)
{
	int value;

	(void)arg;
	channel_take(&events, &value);
	channel_send(&callbacks, value);
	channel_take(&events, &value);
	return NULL;
}

int main(void)
{
	together(run_raft, run_store);
	return 0;
}
