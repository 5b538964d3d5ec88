// SPDX-License-Identifier: GPL-2.0-only
/*
 * A system call that has to try again keeps the pointer to the socket whose reference it has
 * dropped. When the descriptor was closed meanwhile, the way out drops it once more.
 *
 * source: CVE-2017-11176 (Linux, mq_notify)
 * expect: verdict=memory
 */
#include "outside.h"

struct sock {
	int references;
	long rest[4];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sock *open_sock;

static struct sock *get(void)
{
	struct sock *sock;

	pthread_mutex_lock(&lock);
	sock = open_sock;
	if (sock)
		sock->references++;
	pthread_mutex_unlock(&lock);
	return sock;
}

static void put(struct sock *sock)
{
	int left;

	pthread_mutex_lock(&lock);
	left = --sock->references;
	pthread_mutex_unlock(&lock);
	if (!left)
		free(sock);
}

static void notify(void)
{
	struct sock *sock = get(), *again;

	if (!sock)
		return;
	/* The queue of the socket is full. */
	put(sock);
	if (IS_MENDED)
		sock = NULL;
	again = get();
	if (again)
		sock = again;
	if (sock)
		put(sock);
}

static void *close_it(void *arg)
{
	struct sock *sock;

	(void)arg;
	pthread_mutex_lock(&lock);
	sock = open_sock;
	open_sock = NULL;
	pthread_mutex_unlock(&lock);
	put(sock);
	return NULL;
}

int main(void)
{
	open_sock = calloc(1, sizeof(*open_sock));
	assert(open_sock);
	open_sock->references = 1;
	together(notify, close_it);
	return 0;
}
