// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handlers of timers: what main did before it set the timer comes before, and what it does
 * after a call that was interrupted comes later. One is blocked while main counts.
 *
 * race: count A.r B.w
 * race: count A.w B.r
 * race: count A.w B.w
 */
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int count, before, seen, masked;

static void on_alarm(int sig)
{
	(void)sig;
	count++;			/* B */
	seen = before;
}

static void on_timer(int sig)
{
	(void)sig;
	masked++;
}

static void use_alarm(void)
{
	struct itimerval once = { .it_value.tv_sec = 1 };

	before = 1;
	setitimer(ITIMER_REAL, &once, NULL);
	count++;			/* A */
	if (usleep(2000000) < 0)
		count++;
}

static void use_timer(void)
{
	struct itimerspec once = { .it_value.tv_sec = 1 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	timer_t timer;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	masked++;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &once, NULL);
	for (int i = 0; i < 2; i++) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		masked++;
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		usleep(2000000);
	}
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_alarm };

	sigaction(SIGALRM, &action, NULL);
	action.sa_handler = on_timer;
	sigaction(SIGUSR1, &action, NULL);
	use_alarm();
	use_timer();
	return 0;
}
