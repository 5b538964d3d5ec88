// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: the signal is let in by calls that wait, and by nothing else.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

static pthread_t first;
static int count;

static void on_signal(int sig)
{
	(void)sig;
	count++;
}

static void *send_one(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

static void wait_by(int way, int fd, const sigset_t *open)
{
	struct epoll_event event;

	switch (way) {
	case 0:
		sigsuspend(open);
		break;
	case 1:
		ppoll(NULL, 0, NULL, open);
		break;
	case 2:
		pselect(0, NULL, NULL, NULL, NULL, open);
		break;
	case 3:
		epoll_pwait(fd, &event, 1, -1, open);
		break;
	}
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	int fd = epoll_create1(0);
	sigset_t set, open;
	pthread_t t;

	first = pthread_self();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &open);
	sigaction(SIGUSR1, &action, NULL);
	for (int way = 0; way < 4; way++) {
		int was = count;

		pthread_create(&t, NULL, send_one, NULL);
		while (count == was)
			wait_by(way, fd, &open);
		pthread_join(t, NULL);
	}
	return count != 4;
}
