// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests and answers over a Unix stream socket pair.
 *
 * The reader of one end is woken in vain when its own request is read: see
 * m_read() in the model.
 *
 * expect: verdict=ok runs=1,5,14
 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int sock[2];

static void *serve(void *arg)
{
	char c;

	assert(read(sock[1], &c, 1) == 1);
	c++;
	assert(write(sock[1], &c, 1) == 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	char c = 'a';

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	pthread_create(&t, NULL, serve, NULL);
	assert(write(sock[0], &c, 1) == 1);
	assert(read(sock[0], &c, 1) == 1 && c == 'b');
	pthread_join(t, NULL);
	return 0;
}
