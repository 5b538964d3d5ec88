// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads format a line each into one buffer by snprintf(3), and read back what they
 * wrote. The C library makes all accesses to it.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "window.h"

static char line[32];

static int format(int number)
{
	char mine[sizeof(line)], *to = IS_MENDED ? mine : line;

	snprintf(to, sizeof(line), "%d", number);
	WINDOW();
	return atoi(to) != number;
}

static void *work(void *wrong)
{
	INTO_WINDOW();
	*(int *)wrong = format(7);
	return NULL;
}

int main(void)
{
	static int theirs;
	pthread_t thread;
	int mine;

	assert(!pthread_create(&thread, NULL, work, &theirs));
	mine = format(8);
	assert(!pthread_join(thread, NULL));
	return mine || theirs;
}
