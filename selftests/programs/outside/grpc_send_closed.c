// SPDX-License-Identifier: GPL-2.0-only
/*
 * A transport that is closed closes its channel of writes. A handler that found it open sends
 * to it a moment later, which is a panic.
 *
 * source: gRPC-Go #1687; GoBench, CGO 2021
 * expect: verdict=assert
 */
#include "outside.h"
#include "channel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct channel writes = CHANNEL(1);
static bool is_closing;

static void *handle(void *arg)
{
	bool is_late;

	(void)arg;
	pthread_mutex_lock(&lock);
	is_late = is_closing;
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
	if (!is_late)
		channel_send(&writes, 1);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

static void close_transport(void)
{
	pthread_mutex_lock(&lock);
	is_closing = true;
	channel_close(&writes);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	together(close_transport, handle);
	return 0;
}
