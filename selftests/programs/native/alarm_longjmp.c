// SPDX-License-Identifier: GPL-2.0-only
/*
 * A computation that takes too long is left by siglongjmp(3) from the handler of its alarm,
 * with the lock that it happens to hold.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigjmp_buf out;
static sigset_t alarms;
static int steps;

static void on_alarm(int sig)
{
	(void)sig;
	siglongjmp(out, 1);
}

static void step(void)
{
	if (IS_MENDED)
		sigprocmask(SIG_BLOCK, &alarms, NULL);
	pthread_mutex_lock(&lock);
	WINDOW();
	steps++;
	pthread_mutex_unlock(&lock);
	if (IS_MENDED)
		sigprocmask(SIG_UNBLOCK, &alarms, NULL);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval in = { .it_value.tv_usec = 20000 }, never = { 0 };

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	if (!sigsetjmp(out, 1)) {
		assert(!setitimer(ITIMER_REAL, &in, NULL));
		step();
		assert(!setitimer(ITIMER_REAL, &never, NULL));
	}
	sigprocmask(SIG_BLOCK, &alarms, NULL);
	pthread_mutex_lock(&lock);
	assert(steps <= 1);
	pthread_mutex_unlock(&lock);
	return 0;
}
