// SPDX-License-Identifier: GPL-2.0-only
/*
 * a message between two threads, then both sockets are closed
 * link: -lnanomsg -lpthread
 */
#include <nanomsg/nn.h>
#include <nanomsg/pair.h>
#include <pthread.h>

static void *put(void *arg)
{
	int s = nn_socket(AF_SP, NN_PAIR);

	nn_connect(s, "inproc://a");
	nn_send(s, "x", 1, 0);
	nn_recv(s, &(char){ 0 }, 1, 0);
	nn_close(s);
	return NULL;
}

int main(void)
{
	int s = nn_socket(AF_SP, NN_PAIR);
	pthread_t t;
	char c = 0;

	nn_bind(s, "inproc://a");
	pthread_create(&t, NULL, put, NULL);
	nn_recv(s, &c, 1, 0);
	nn_send(s, "y", 1, 0);
	pthread_join(t, NULL);
	nn_close(s);
	return c != 'x';
}
