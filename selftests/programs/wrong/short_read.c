// SPDX-License-Identifier: GPL-2.0-only
/*
 * The server expects a message of two writes in one read from a stream socket.
 *
 * expect: verdict=assert preemptions=1
 * The read returns early only if it runs between the two writes. Main sleeps in
 * its read or has not come to it yet; the client is enabled between its writes.
 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int sock[2];

static void *client(void *arg)
{
	assert(write(sock[1], "head", 4) == 4);
	assert(write(sock[1], "body", 4) == 4);
	return arg;
}

int main(void)
{
	char message[8];
	pthread_t t;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	pthread_create(&t, NULL, client, NULL);
	assert(read(sock[0], message, sizeof(message)) == sizeof(message));
	pthread_join(t, NULL);
	return 0;
}
