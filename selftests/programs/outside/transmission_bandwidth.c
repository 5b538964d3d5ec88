// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client starts its event thread and then makes its bandwidth object, which the thread
 * hands to each peer it adds.
 *
 * source: transmission 1.42 (bandwidth of peers)
 * expect: verdict=assert
 */
#include "outside.h"

struct client {
	int *bandwidth;
};

static struct client client;

static void *handle_events(void *arg)
{
	struct client *of = arg;

	/* A peer is added, whose bandwidth has to be part of one. */
	assert(of->bandwidth);
	return NULL;
}

int main(void)
{
	static int bandwidth = 100;
	pthread_t thread;

	if (IS_MENDED)
		client.bandwidth = &bandwidth;
	assert(!pthread_create(&thread, NULL, handle_events, &client));
	if (!IS_MENDED)
		client.bandwidth = &bandwidth;
	assert(!pthread_join(thread, NULL));
	return 0;
}
