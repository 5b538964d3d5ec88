// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer of timer_create(). Mended: both count by atomic instructions.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#ifdef MENDED
static atomic_int count;
#else
static int count;
#endif
static atomic_int came;

static void on_timer(int sig)
{
	(void)sig;
	count++;
	came = 1;
}

int main(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	struct sigaction action = { .sa_handler = on_timer };
	struct itimerspec once = { .it_value.tv_sec = 1 };
	timer_t timer;

	sigaction(SIGUSR1, &action, NULL);
	assert(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	timer_settime(timer, 0, &once, NULL);
	count++;
	while (!came)
		usleep(100000);
	assert(count == 2);
	return 0;
}
