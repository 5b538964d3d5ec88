// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads write lines to one stream, character by character. Each character is locked,
 * the line is not.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "window.h"

static FILE *stream;

static void *say(void *line)
{
	const char *c;

	if (IS_MENDED)
		flockfile(stream);
	for (c = line; *c; c++) {
		putc(*c, stream);
		WINDOW();
	}
	if (IS_MENDED)
		funlockfile(stream);
	return NULL;
}

int main(void)
{
	char text[16] = "";
	pthread_t thread;

	stream = fmemopen(text, sizeof(text), "w");
	assert(stream);
	assert(!pthread_create(&thread, NULL, say, "ab"));
	say("cd");
	assert(!pthread_join(thread, NULL));
	fclose(stream);
	return strcmp(text, "abcd") && strcmp(text, "cdab") ? 1 : 0;
}
