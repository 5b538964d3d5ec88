// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer of no length stands for "no timeout" and is replaced if there is one. It fires
 * at once, and a wait for either the event or the time may find that the time is up.
 *
 * source: Tu et al., ASPLOS 2019, figure 12 (timer of zero)
 * expect: verdict=assert
 */
#include <semaphore.h>
#include <time.h>

#include "outside.h"

static sem_t event;

static void *send(void *arg)
{
	(void)arg;
	sem_post(&event);
	return NULL;
}

static void receive(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	if (IS_MENDED)
		assert(!sem_wait(&event));
	else
		assert(!sem_timedwait(&event, &until));
}

int main(void)
{
	sem_init(&event, 0, 0);
	together(receive, send);
	return 0;
}
