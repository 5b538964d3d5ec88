// SPDX-License-Identifier: GPL-2.0-only
/*
 * A string is published before strcpy(3) has filled it in.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

#define TEXT "a name that is longer than a register, so that it takes a call"

static char *_Atomic name;

static void *set(void *arg)
{
	char *mine = calloc(1, sizeof(TEXT));

	assert(mine);
	if (IS_MENDED)
		strcpy(mine, arg);
	name = mine;
	WINDOW();
	if (!IS_MENDED)
		strcpy(mine, arg);
	return NULL;
}

int main(void)
{
	static char text[] = TEXT;
	pthread_t thread;
	char *seen;
	int wrong;

	assert(!pthread_create(&thread, NULL, set, text));
	INTO_WINDOW();
	seen = name;
	wrong = seen && strcmp(seen, text);
	assert(!pthread_join(thread, NULL));
	free(name);
	return wrong;
}
