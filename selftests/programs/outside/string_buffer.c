// SPDX-License-Identifier: GPL-2.0-only
/*
 * A buffer is appended to another one: its length is asked, and then its text. Each call takes
 * the lock; the buffer may be cut in between.
 *
 * source: Flanagan and Qadeer, PLDI 2003, section 6 (java.lang.StringBuffer)
 * expect: verdict=assert
 */
#include <string.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[8] = "abc";
static int length = 3;

static void append(char *to)
{
	int size;

	pthread_mutex_lock(&lock);
	size = length;
	if (!IS_MENDED) {
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	assert(size <= length);
	memcpy(to, text, size);
	pthread_mutex_unlock(&lock);
}

static void mine(void)
{
	char copy[8] = "";

	append(copy);
}

static void *cut(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	length = 0;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(mine, cut);
	return 0;
}
