// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads complete calls; a call is completed by the first one that claims it. How many
 * points the last thread passes depends on when the other one ends.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CALLS	3

struct call {
	atomic_bool claimed;
	pthread_mutex_t lock;
	char by;
};

static struct call calls[CALLS] = {
	[0 ... CALLS - 1] = { .lock = PTHREAD_MUTEX_INITIALIZER },
};

static void complete(struct call *call, char by)
{
	if (atomic_exchange(&call->claimed, true))
		return;
	assert(!pthread_mutex_lock(&call->lock));
	call->by = by;
	assert(!pthread_mutex_unlock(&call->lock));
}

static void *receive(void *unused)
{
	(void)unused;
	complete(&calls[0], 'r');
	complete(&calls[1], 'r');
	return NULL;
}

static void *cancel(void *unused)
{
	(void)unused;
	complete(&calls[1], 'c');
	complete(&calls[2], 'c');
	return NULL;
}

int main(void)
{
	pthread_t receiver, canceller;

	assert(!pthread_create(&receiver, NULL, receive, NULL));
	assert(!pthread_create(&canceller, NULL, cancel, NULL));
	assert(!pthread_join(receiver, NULL));
	assert(!pthread_join(canceller, NULL));
	assert(calls[0].by == 'r' && calls[1].by && calls[2].by == 'c');
	return 0;
}
