// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler that jumps out. What main does after the jump is after the handler, what it does
 * before races with it.
 *
 * race: count A.r B.w
 * race: count A.w B.r
 * race: count A.w B.w
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigjmp_buf back;
static int count, done;

static void on_signal(int sig)
{
	(void)sig;
	count++;			/* B */
	siglongjmp(back, 1);
}

static void *send_one(void *arg)
{
	pthread_kill(first, SIGUSR1);
	pthread_mutex_lock(&lock);
	done++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void work(void)
{
	count++;			/* A */
	for (;;)
		pause();
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t t;

	first = pthread_self();
	if (!sigsetjmp(back, 1)) {
		sigaction(SIGUSR1, &action, NULL);
		pthread_create(&t, NULL, send_one, NULL);
		work();
	}
	count++;
	pthread_mutex_lock(&lock);
	done++;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return done != 2;
}
