// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client of a line discipline is removed by one ioctl and looked up by another one, without
 * a lock for both: it may be freed while it is used.
 *
 * source: CVE-2019-11486 (Linux, n_r3964)
 * expect: verdict=memory
 */
#include "outside.h"

struct client {
	struct client *next;
	volatile int signals;
	long rest[4];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct client *clients;

static void set_signals(void)
{
	struct client *client;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	client = clients;
	if (client)
		client->signals = 1;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *remove_client(void *arg)
{
	struct client *client;

	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	client = clients;
	clients = client->next;
	free(client);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	clients = calloc(1, sizeof(*clients));
	assert(clients);
	together(set_signals, remove_client);
	return 0;
}
