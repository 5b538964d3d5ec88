// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client sends its two requests at once and closes its sending half when it has
 * the first answer. The server takes POLLRDHUP for the end of the connection, also
 * where poll(2) says in the same breath that there is something left to read.
 *
 * expect: verdict=assert preemptions=1
 * The half-close must fall between the first answer and the server's next look. The
 * server does not sleep there, since the second request waits. Without a preemption
 * it has answered both when the client goes on.
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int sock[2];

static void *client(void *arg)
{
	char answer;

	assert(write(sock[1], "1", 1) == 1);
	assert(write(sock[1], "2", 1) == 1);
	assert(read(sock[1], &answer, 1) == 1 && answer == '1');
	assert(!shutdown(sock[1], SHUT_WR));
	assert(read(sock[1], &answer, 1) == 1 && answer == '2');
	return arg;
}

static void serve(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLRDHUP };
	char request;

	for (;;) {
		assert(poll(&p, 1, -1) == 1);
		if (p.revents & (POLLRDHUP | POLLHUP))
			break;
		assert(read(fd, &request, 1) == 1);
		assert(write(fd, &request, 1) == 1);
	}
	close(fd);
}

int main(void)
{
	pthread_t t;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	pthread_create(&t, NULL, client, NULL);
	serve(sock[0]);
	pthread_join(t, NULL);
	return 0;
}
