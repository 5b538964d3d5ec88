// SPDX-License-Identifier: GPL-2.0-only
/*
 * a message starts the notified thread
 * link: -lpthread
 */
#include <mqueue.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>

static sem_t came;

static void run(union sigval v) { sem_post(&came); }

int main(void)
{
	struct sigevent e = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = run };
	struct mq_attr a = { .mq_maxmsg = 2, .mq_msgsize = 8 };
	mqd_t q = mq_open("/hunt", O_RDWR | O_CREAT, 0600, &a);

	sem_init(&came, 0, 0);
	if (q < 0 || mq_notify(q, &e) || mq_send(q, "x", 1, 0))
		return 2;
	sem_wait(&came);
	mq_close(q);
	mq_unlink("/hunt");
	return 0;
}
