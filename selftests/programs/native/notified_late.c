// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program wants a signal when its empty message queue gets a message. It looks whether the
 * queue is empty before it says so: a message in between is not told of, as the queue is
 * not empty then.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>

#include "window.h"

static mqd_t queue;

static void *send_one(void *arg)
{
	(void)arg;
	INTO_WINDOW();
	assert(!mq_send(queue, "m", 1, 0));
	return NULL;
}

static void ask_for_signal(void)
{
	struct sigevent how = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };

	assert(!mq_notify(queue, &how));
}

int main(void)
{
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 1 };
	pthread_t thread;
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	mq_unlink("/chess-notified");
	queue = mq_open("/chess-notified", O_CREAT | O_RDWR | O_EXCL, 0600, &attr);
	assert(queue != (mqd_t)-1 && !mq_unlink("/chess-notified"));
	assert(!pthread_create(&thread, NULL, send_one, NULL));
	if (IS_MENDED)
		ask_for_signal();
	assert(!mq_getattr(queue, &attr));
	WINDOW();
	if (!IS_MENDED)
		ask_for_signal();
	if (!attr.mq_curmsgs)
		assert(!sigwait(&set, &sig) && sig == SIGUSR1);
	assert(!pthread_join(thread, NULL));
	return 0;
}
