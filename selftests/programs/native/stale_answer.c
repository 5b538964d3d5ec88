// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client whose answer does not come in time asks its next question. The first thing that
 * comes then is the answer to the first one.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "window.h"

static int fds[2];

static void *serve(void *arg)
{
	char question;

	(void)arg;
	while (recv(fds[1], &question, 1, 0) == 1) {
		WINDOW();
		assert(send(fds[1], &question, 1, 0) == 1);
	}
	return NULL;
}

/* The answer, or zero when it did not come in time. */
static char ask(char question)
{
	char answer;

	assert(send(fds[0], &question, 1, 0) == 1);
	for (;;) {
		if (recv(fds[0], &answer, 1, 0) != 1) {
			assert(errno == EAGAIN);
			return 0;
		}
		if (!IS_MENDED || answer == question)
			return answer;
	}
}

int main(void)
{
	struct timeval in = { .tv_usec = 30000 };
	pthread_t thread;
	char answer;

	assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds));
	assert(!setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &in, sizeof(in)));
	assert(!pthread_create(&thread, NULL, serve, NULL));
	ask('a');
	answer = ask('b');
	assert(!answer || answer == 'b');
	assert(!shutdown(fds[0], SHUT_WR));
	assert(!pthread_join(thread, NULL));
	return 0;
}
