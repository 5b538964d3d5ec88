// SPDX-License-Identifier: GPL-2.0-only
/*
 * LiteEvent of PLINQ (CHESS, OSDI'08, figure 2 and 5.4.1): an event that needs the kernel
 * only where somebody has to wait. Made for one task that sets and one that waits and
 * disposes of it; the lock orders setting and disposing. Here two wait and dispose.
 *
 * expect: verdict=assert preemptions=1
 * options: --strategy hold
 * surw, which takes turns with it by default, comes first (run 9) with more of them. To
 * shrink that to one takes minutes: a run that ends with tasks in poll() takes a second.
 *
 * The schedule: T1 finds the event not set, makes the kernel's event and is preempted
 * before it waits for it. T3 sets it. T2 finds it set and disposes of it. T1 has nothing
 * to wait for. One preemption, as in the paper: without one, T1 loads the kernel's event
 * as soon as it is made, and waits in the kernel, which keeps it for the waiter.
 *
 * What the figure leaves out: who makes the kernel's event looks at the state again, so
 * that no wake-up is lost.
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define NONE (-1)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_set;
static int kevent = NONE;

static void set_kevent(void)
{
	pthread_mutex_lock(&lock);
	if (kevent != NONE)
		eventfd_write(kevent, 1);
	pthread_mutex_unlock(&lock);
}

static void *set(void *arg)
{
	is_set = 1;
	if (kevent != NONE)
		set_kevent();
	return arg;
}

static void make_kevent(void)
{
	pthread_mutex_lock(&lock);
	if (kevent == NONE)
		kevent = eventfd(0, 0);
	if (is_set)
		eventfd_write(kevent, 1);
	pthread_mutex_unlock(&lock);
}

static void wait(void)
{
	struct pollfd fd = { .events = POLLIN };

	if (is_set)
		return;
	make_kevent();
	fd.fd = kevent;
	assert(fd.fd != NONE);
	poll(&fd, 1, -1);
}

static void dispose(void)
{
	pthread_mutex_lock(&lock);
	if (kevent != NONE)
		close(kevent);
	kevent = NONE;
	pthread_mutex_unlock(&lock);
}

static void *wait_and_dispose(void *arg)
{
	wait();
	dispose();
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, wait_and_dispose, NULL);
	pthread_create(&t[1], NULL, wait_and_dispose, NULL);
	pthread_create(&t[2], NULL, set, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
