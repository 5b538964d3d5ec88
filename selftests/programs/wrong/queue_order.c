// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two POSIX message queues of one slot each as locks: to send is to lock, to receive is
 * to unlock. A process and its child take them in opposite order.
 *
 * expect: verdict=deadlock preemptions=1
 * Each must hold one and want the other. The first to hold one is enabled before the
 * second, which is free: it must be preempted there.
 */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <unistd.h>

static void lock(mqd_t q)
{
	assert(!mq_send(q, "x", 1, 0));
}

static void unlock(mqd_t q)
{
	char message[1];

	assert(mq_receive(q, message, sizeof(message), NULL) == 1);
}

static void lock_both(mqd_t first, mqd_t second)
{
	lock(first);
	lock(second);
	unlock(second);
	unlock(first);
}

int main(void)
{
	struct mq_attr one = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	/* Without their namespace the next run would find them. */
	mqd_t a = mq_open("/queue-order-a", O_RDWR | O_CREAT | O_EXCL, 0600, &one);
	mqd_t b = mq_open("/queue-order-b", O_RDWR | O_CREAT | O_EXCL, 0600, &one);
	int status;
	pid_t child;

	assert(a >= 0 && b >= 0);
	child = fork();
	assert(child >= 0);
	if (!child) {
		lock_both(b, a);
		_exit(0);
	}
	lock_both(a, b);
	assert(waitpid(child, &status, 0) == child && !status);
	return 0;
}
