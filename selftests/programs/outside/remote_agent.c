// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task of a spacecraft looks whether the count of an event has changed since it last looked,
 * and waits for the next event if not. One that comes after the look is missed.
 *
 * source: Havelund et al., IEEE TSE 27(8), 2001 (NASA Remote Agent)
 * expect: verdict=deadlock
 */
#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t happened = PTHREAD_COND_INITIALIZER;
static int events;

static void monitor(void)
{
	int seen;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	seen = events;
	if (!IS_MENDED)
		pthread_mutex_lock(&lock);
	if (!seen)
		do
			pthread_cond_wait(&happened, &lock);
		while (!events);
	pthread_mutex_unlock(&lock);
}

static void *signal_event(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	events++;
	pthread_cond_signal(&happened);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(monitor, signal_event);
	return 0;
}
