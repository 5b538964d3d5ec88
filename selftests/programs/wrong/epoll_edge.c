// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server has a pipe of one-byte commands in an edge-triggered epoll set and reads
 * one command for each event, instead of reading until there is none: two commands
 * that come before it looks are one edge, and the second stays where it is.
 *
 * expect: verdict=deadlock preemptions=1
 * "Configure" is sent before the server starts, "run" when it is up.
 * Unless the server is preempted between saying so and its first look, it has read
 * the first and sleeps when the second is sent, which is an edge of its own. It does
 * not block before that look, nor in it: the first command is there.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <unistd.h>

static int set, commands[2];
static sem_t up;

static void *serve(void *arg)
{
	struct epoll_event event;
	char command;

	sem_post(&up);
	do {
		assert(epoll_wait(set, &event, 1, -1) == 1);
		assert(read(event.data.fd, &command, 1) == 1);
	} while (command != 'r');
	return arg;
}

int main(void)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	pthread_t t;

	sem_init(&up, 0, 0);
	assert(!pipe(commands));
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
