// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server has a pipe of one-byte commands in an edge-triggered epoll set and reads
 * until there are none for each event.
 *
 * expect: verdict=ok runs=1,7,24
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <unistd.h>

static int set, commands[2];
static sem_t up;

static void *serve(void *arg)
{
	struct epoll_event event;
	char command = 0;

	sem_post(&up);
	do {
		assert(epoll_wait(set, &event, 1, -1) == 1);
		while (read(event.data.fd, &command, 1) == 1)
			;
		assert(errno == EAGAIN);
	} while (command != 'r');
	return arg;
}

int main(void)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	pthread_t t;

	sem_init(&up, 0, 0);
	assert(!pipe2(commands, O_NONBLOCK));
	set = epoll_create1(0);
	event.data.fd = commands[0];
	assert(set >= 0 && !epoll_ctl(set, EPOLL_CTL_ADD, commands[0], &event));
	assert(write(commands[1], "c", 1) == 1);
	pthread_create(&t, NULL, serve, NULL);
	sem_wait(&up);
	assert(write(commands[1], "r", 1) == 1);
	pthread_join(t, NULL);
	return 0;
}
