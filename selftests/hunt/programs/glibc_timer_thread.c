// SPDX-License-Identifier: GPL-2.0-only
/*
 * a timer that starts a thread is deleted while it goes off
 * link: -lpthread
 */
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t went_off;

static void run(union sigval v) { sem_post(&went_off); }

int main(void)
{
	struct sigevent e = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = run };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	timer_t t;

	sem_init(&went_off, 0, 0);
	if (timer_create(CLOCK_MONOTONIC, &e, &t) || timer_settime(t, 0, &soon, NULL))
		return 2;
	sem_wait(&went_off);
	timer_delete(t);
	return 0;
}
