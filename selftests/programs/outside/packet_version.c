// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version of a packet socket may be changed as long as it has no ring. A ring that is made
 * between the look and the change was made for the other version: it has no timer to delete.
 *
 * source: CVE-2016-8655 (Linux, af_packet)
 * expect: verdict=crash
 */
#include "outside.h"

struct ring {
	int *timer;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int version = 1, armed;
static struct ring made, *ring;

static void set_ring(void)
{
	pthread_mutex_lock(&lock);
	made.timer = version == 3 ? &armed : NULL;
	ring = &made;
	pthread_mutex_unlock(&lock);
}

static void *set_version(void *arg)
{
	struct ring *there;

	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	there = ring;
	if (!there)
		version = 3;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(set_ring, set_version);
	if (version == 3)
		*ring->timer = 0;
	return 0;
}
