// SPDX-License-Identifier: GPL-2.0-only
/*
 * ev_async_send() of a thread wakes the loop
 * link: -lev -lpthread
 */
#include <ev.h>
#include <pthread.h>

static struct ev_loop *loop;
static ev_async async;
static int told;

static void tell(struct ev_loop *l, ev_async *a, int what)
{
	told++;
	ev_break(l, EVBREAK_ALL);
}

static void *task(void *arg)
{
	ev_async_send(loop, &async);
	return NULL;
}

int main(void)
{
	pthread_t t;

	loop = ev_loop_new(0);
	ev_async_init(&async, tell);
	ev_async_start(loop, &async);
	pthread_create(&t, NULL, task, NULL);
	ev_run(loop, 0);
	pthread_join(t, NULL);
	ev_loop_destroy(loop);
	return told != 1;
}
