// SPDX-License-Identifier: GPL-2.0-only
/*
 * A new port is put into the list of its client and returned without a reference. It may be
 * deleted before its maker has filled it in.
 *
 * source: CVE-2017-15265 (Linux, ALSA sequencer)
 * expect: verdict=memory
 */
#include "outside.h"

struct port {
	volatile int capability;
	int references;
	long rest[4];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct port *listed;

static void put(struct port *port)
{
	int left;

	pthread_mutex_lock(&lock);
	left = --port->references;
	pthread_mutex_unlock(&lock);
	if (!left)
		free(port);
}

static void create(void)
{
	struct port *port = calloc(1, sizeof(*port));

	assert(port);
	port->references = IS_MENDED ? 2 : 1;
	pthread_mutex_lock(&lock);
	listed = port;
	pthread_mutex_unlock(&lock);
	port->capability = 1;
	if (IS_MENDED)
		put(port);
}

static void *delete(void *arg)
{
	struct port *port;

	(void)arg;
	pthread_mutex_lock(&lock);
	port = listed;
	listed = NULL;
	pthread_mutex_unlock(&lock);
	if (port)
		put(port);
	return NULL;
}

int main(void)
{
	together(create, delete);
	delete(NULL);
	return 0;
}
