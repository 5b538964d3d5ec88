// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operator's first mode is used to set up the machine, which takes time. An edit that is
 * over by then changes the beam, but not what has been set up.
 *
 * source: Leveson and Turner, IEEE Computer 26(7), 1993 (Therac-25, Tyler)
 * expect: verdict=assert
 */
#include "outside.h"

enum mode { XRAY, ELECTRON };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum mode entered = XRAY;

static void treat(void)
{
	enum mode magnets, beam;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	magnets = entered;
	beam = entered;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(beam == magnets);
}

static void *edit(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	entered = ELECTRON;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(treat, edit);
	return 0;
}
