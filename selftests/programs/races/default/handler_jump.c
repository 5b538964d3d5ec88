// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler ends what main does by a jump, in the middle of it: what main leaves is half done.
 * Mended: the signal is blocked while main changes it.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;
static sigjmp_buf back;
static int from = 100, to, ended;

static void on_signal(int sig)
{
	(void)sig;
	ended = from + to;
	siglongjmp(back, 1);
}

static void *send_one(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

static void move(const sigset_t *set)
{
	sigset_t old;

#ifdef MENDED
	pthread_sigmask(SIG_BLOCK, set, &old);
	from -= 10;
	to += 10;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
#else
	(void)set;
	(void)old;
	from -= 10;
	to += 10;
#endif
	for (;;)
		pause();
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t set;
	pthread_t t;

	first = pthread_self();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (!sigsetjmp(back, 1)) {
		sigaction(SIGUSR1, &action, NULL);
		pthread_create(&t, NULL, send_one, NULL);
		move(&set);
	}
	assert(ended == 100 && from + to == 100);
	return 0;
}
