// SPDX-License-Identifier: GPL-2.0-only
/*
 * A producer hands its item to a consumer that waits, else it queues it. A consumer
 * whose time is up goes away, although the producer may have chosen it already: the
 * item is then in the hands of somebody who does not look.
 *
 * expect: verdict=assert preemptions=1
 * The time-out must be decided while the producer stands between its choice and its
 * post, enabled: one preemption. The consumer must sleep by then: when it comes to its
 * wait with a time-out, which is a yield, it must go on before the producer, and that is
 * free.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t handed;
static int hand, queue;
static bool waiting;

static void put(int item)
{
	bool hand_over;

	pthread_mutex_lock(&lock);
	hand_over = waiting;
	waiting = false;
	if (hand_over)
		hand = item;
	else
		queue = item;
	pthread_mutex_unlock(&lock);
	if (hand_over)
		sem_post(&handed);
}

/* The queued item, or zero: then we wait for one. */
static int take_queued(void)
{
	int item;

	pthread_mutex_lock(&lock);
	item = queue;
	queue = 0;
	waiting = !item;
	pthread_mutex_unlock(&lock);
	return item;
}

static int get(void)
{
	struct timespec end;
	int item = take_queued();

	if (item)
		return item;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec++;
	if (!sem_timedwait(&handed, &end))
		return hand;
	pthread_mutex_lock(&lock);
	waiting = false;
	pthread_mutex_unlock(&lock);
	return 0;
}

static void *produce(void *arg)
{
	put(7);
	return arg;
}

int main(void)
{
	pthread_t t;
	int item;

	sem_init(&handed, 0, 0);
	pthread_create(&t, NULL, produce, NULL);
	item = get();
	pthread_join(t, NULL);
	if (!item)
		item = take_queued();
	assert(item == 7);
	return 0;
}
