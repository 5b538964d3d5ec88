// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data goes there and back with a byte over a pair of sockets.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

static int ends[2];
static int data;

static void give(int end)
{
	if (send(end, "x", 1, 0) != 1)
		abort();
}

static void take(int end)
{
	char byte;

	if (recv(end, &byte, 1, 0) != 1)
		abort();
}

static void *answer(void *arg)
{
	take(ends[1]);
	data *= 2;
	give(ends[1]);
	return arg;
}

int main(void)
{
	pthread_t t;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 2;
	pthread_create(&t, NULL, answer, NULL);
	data = 21;
	give(ends[0]);
	take(ends[0]);
	data++;
	pthread_join(t, NULL);
	return data != 43;
}
