// SPDX-License-Identifier: GPL-2.0-only
/*
 * A condition variable made of an event that is pulsed: a pulse releases the threads that wait
 * for the event now. One that has given its mutex back and is about to wait misses it.
 *
 * source: Schmidt and Pyarali, C++ Report 11(6), 1999 (PulseEvent)
 * expect: verdict=deadlock
 */
#include <stdbool.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t event_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pulsed = PTHREAD_COND_INITIALIZER;
static unsigned int pulses;
static bool is_ready;

static void event_wait(unsigned int seen)
{
	pthread_mutex_lock(&event_lock);
	if (!IS_MENDED)
		seen = pulses;
	while (pulses == seen)
		pthread_cond_wait(&pulsed, &event_lock);
	pthread_mutex_unlock(&event_lock);
}

static unsigned int event_pulse(bool is_pulse)
{
	unsigned int now;

	pthread_mutex_lock(&event_lock);
	pulses += is_pulse;
	now = pulses;
	pthread_cond_broadcast(&pulsed);
	pthread_mutex_unlock(&event_lock);
	return now;
}

static void wait_until_ready(void)
{
	unsigned int seen;

	pthread_mutex_lock(&lock);
	while (!is_ready) {
		seen = event_pulse(false);
		pthread_mutex_unlock(&lock);
		event_wait(seen);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
}

static void *make_ready(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	is_ready = true;
	event_pulse(true);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(wait_until_ready, make_ready);
	return 0;
}
