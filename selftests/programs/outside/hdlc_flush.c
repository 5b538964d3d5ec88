// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line discipline keeps the buffer it could not send. A flush puts it back into the list of
 * free ones, and so does the next attempt to send: the buffer is in the list twice.
 *
 * source: CVE-2017-2636 (Linux, n_hdlc)
 * expect: verdict=memory
 */
#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *unsent;

static void give_back(void)
{
	char *buffer;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	buffer = unsent;
	if (buffer) {
		free(buffer);
		unsent = NULL;
	}
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *flush(void *arg)
{
	(void)arg;
	give_back();
	return NULL;
}

int main(void)
{
	unsent = malloc(64);
	assert(unsent);
	together(give_back, flush);
	return 0;
}
