// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread sends the state of another one as it is, which changes both of its halves, one after
 * the other. A state that is halfway must not get out.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "window.h"

static struct {
	char name[8];
	int from, to;
} state = { "state", 0, 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused)
{
	(void)unused;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	state.from++;
	WINDOW();
	state.to++;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

static void transmit(int socket)
{
	struct iovec whole = { &state, sizeof(state) };
	struct msghdr message = { .msg_iov = &whole, .msg_iovlen = 1 };

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(sendmsg(socket, &message, 0) == sizeof(state));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

int main(void)
{
	int sockets[2], got[4];
	pthread_t thread;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	assert(!pthread_create(&thread, NULL, change, NULL));
	INTO_WINDOW();
	transmit(sockets[0]);
	assert(recv(sockets[1], got, sizeof(got), MSG_WAITALL) == sizeof(got));
	assert(got[3] == got[2] + 1);
	assert(!pthread_join(thread, NULL));
	return 0;
}
