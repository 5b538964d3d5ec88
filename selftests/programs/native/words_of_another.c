// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads split a line each with strtok(3), which has one place in all to remember where
 * it is.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "window.h"

static int count(char *line)
{
	char *rest, *word;
	int n = 0;

	for (word = IS_MENDED ? strtok_r(line, " ", &rest) : strtok(line, " "); word;
	     word = IS_MENDED ? strtok_r(NULL, " ", &rest) : strtok(NULL, " ")) {
		n++;
		WINDOW();
	}
	return n;
}

static int words;

static void *count_other(void *line)
{
	INTO_WINDOW();
	words = count(line);
	return NULL;
}

int main(void)
{
	static char one[] = "a b", two[] = "a b c";
	pthread_t thread;
	int mine;

	assert(!pthread_create(&thread, NULL, count_other, two));
	mine = count(one);
	assert(!pthread_join(thread, NULL));
	return mine == 2 && words == 3 ? 0 : 1;
}
