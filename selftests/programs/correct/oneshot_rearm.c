// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two workers share an epoll set. EPOLLONESHOT makes sure that one of them at a
 * time has the connection, until it arms it again, when it has answered.
 *
 * expect: verdict=ok runs=4,57,476
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection {
	int fd;
	char request;
};

static int set;

static void arm(struct connection *c, int op)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLONESHOT, .data.ptr = c };

	assert(!epoll_ctl(set, op, c->fd, &event));
}

static void *serve_one(void *arg)
{
	struct epoll_event event;
	struct connection *c;

	assert(epoll_wait(set, &event, 1, -1) == 1);
	c = event.data.ptr;
	assert(read(c->fd, &c->request, 1) == 1);
	assert(write(c->fd, &c->request, 1) == 1);
	arm(c, EPOLL_CTL_MOD);
	return arg;
}

int main(void)
{
	struct connection c;
	pthread_t worker[2];
	char answer[2];
	int sock[2];

	assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sock));
	set = epoll_create1(0);
	assert(set >= 0);
	c.fd = sock[0];
	arm(&c, EPOLL_CTL_ADD);
	assert(write(sock[1], "1", 1) == 1 && write(sock[1], "2", 1) == 1);
	for (int i = 0; i < 2; i++)
		pthread_create(&worker[i], NULL, serve_one, NULL);
	for (int i = 0; i < 2; i++)
		assert(read(sock[1], &answer[i], 1) == 1);
	assert(answer[0] == '1' && answer[1] == '2');
	for (int i = 0; i < 2; i++)
		pthread_join(worker[i], NULL);
	return 0;
}
