// SPDX-License-Identifier: GPL-2.0-only
/*
 * an event that another thread activates runs, and the loop ends
 * link: -levent -levent_pthreads
 */
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>

static struct event_base *base;
static struct event *event;
static int ran;

static void run(evutil_socket_t fd, short what, void *arg)
{
	ran++;
	event_base_loopbreak(base);
}

static void *activate(void *arg)
{
	event_active(event, EV_READ, 1);
	return NULL;
}

int main(void)
{
	pthread_t t;

	evthread_use_pthreads();
	base = event_base_new();
	event = event_new(base, -1, EV_PERSIST, run, NULL);
	event_add(event, NULL);
	pthread_create(&t, NULL, activate, NULL);
	event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
	pthread_join(t, NULL);
	event_free(event);
	event_base_free(base);
	return ran != 1;
}
