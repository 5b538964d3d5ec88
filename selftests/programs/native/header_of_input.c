// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first line of standard input is a header, which main reads. It starts a thread for the
 * other lines before it has.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "window.h"

static void *read_body(void *unused)
{
	char line[80];

	(void)unused;
	if (!fgets(line, sizeof(line), stdin))
		line[0] = 0;
	return NULL;
}

static void read_header(void)
{
	char line[80];

	assert(fgets(line, sizeof(line), stdin));
	assert(!strncmp(line, "Name:", 5));
}

int main(void)
{
	pthread_t thread;

	assert(freopen("/proc/self/status", "r", stdin));
	if (IS_MENDED)
		read_header();
	assert(!pthread_create(&thread, NULL, read_body, NULL));
	WINDOW();
	if (!IS_MENDED)
		read_header();
	assert(!pthread_join(thread, NULL));
	return 0;
}
