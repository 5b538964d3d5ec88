// SPDX-License-Identifier: GPL-2.0-only
/*
 * a message between two threads, and the end of the context
 * link: -lzmq -lpthread
 */
#include <pthread.h>
#include <zmq.h>

static void *context;

static void *put(void *arg)
{
	void *s = zmq_socket(context, ZMQ_PAIR);

	zmq_connect(s, "inproc://a");
	zmq_send(s, "x", 1, 0);
	zmq_close(s);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c = 0;
	void *s;

	context = zmq_ctx_new();
	s = zmq_socket(context, ZMQ_PAIR);
	zmq_bind(s, "inproc://a");
	pthread_create(&t, NULL, put, NULL);
	zmq_recv(s, &c, 1, 0);
	pthread_join(t, NULL);
	zmq_close(s);
	zmq_ctx_term(context);
	return c != 'x';
}
