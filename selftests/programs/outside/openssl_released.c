// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection that has read everything releases its buffer to a list that all share. It looks
 * whether all was read before it takes the lock, and another read may have filled it by then.
 *
 * source: CVE-2010-5298 (OpenSSL, SSL_MODE_RELEASE_BUFFERS)
 * expect: verdict=assert
 */
#include <string.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char memory[16];
static char *buffer = memory, *spare;
static int left;

static void release(void)
{
	int is_empty;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	is_empty = !left;
	if (!IS_MENDED)
		pthread_mutex_lock(&lock);
	if (is_empty && buffer) {
		spare = buffer;
		buffer = NULL;
	}
	pthread_mutex_unlock(&lock);
}

static void *receive(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	if (!buffer) {
		buffer = spare;
		spare = NULL;
	}
	strcpy(buffer, "mine");
	left = 4;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(release, receive);
	/* Another connection takes what is spare. */
	if (spare)
		strcpy(spare, "theirs");
	assert(!left || !strcmp(memory, "mine"));
	return 0;
}
