// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same with a timer, which nobody need send: there is one task. Mended: the signal is
 * blocked while main counts.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static int count;
static atomic_int came;

static void on_alarm(int sig)
{
	(void)sig;
	count++;
	came = 1;
}

static void work(void)
{
#ifdef MENDED
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, &old);
	count++;
	sigprocmask(SIG_SETMASK, &old, NULL);
#else
	count++;
#endif
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval once = { .it_value.tv_sec = 1 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &once, NULL);
	work();
	while (!came)
		usleep(100000);
	assert(count == 2);
	return 0;
}
