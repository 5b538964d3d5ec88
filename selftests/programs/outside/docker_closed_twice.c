// SPDX-License-Identifier: GPL-2.0-only
/*
 * A channel is closed by whichever goroutine finds that it is not closed yet. Two of them may
 * find that, and to close a channel twice is a panic.
 *
 * source: Docker #24007; Tu et al., ASPLOS 2019, figure 10
 * expect: verdict=assert
 */
#include "outside.h"
#include "channel.h"

static struct channel closed = CHANNEL(0);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void close_it(void)
{
	channel_close(&closed);
}

static bool is_closed(void)
{
	bool came;

	pthread_mutex_lock(&closed.lock);
	came = closed.is_closed;
	pthread_mutex_unlock(&closed.lock);
	return came;
}

static void mine(void)
{
	if (IS_MENDED)
		pthread_once(&once, close_it);
	else if (!is_closed())
		close_it();
}

static void *others(void *arg)
{
	(void)arg;
	mine();
	return NULL;
}

int main(void)
{
	together(mine, others);
	return 0;
}
