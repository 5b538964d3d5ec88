// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the C library accesses for its callers: the last copy and the fill race on the last
 * four bytes of what is copied, the two lines on their first byte, and nobody with the
 * copies of other bytes and of none.
 *
 * race: bytes A.w B.w
 * race: line C.w D.r
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char bytes[16], line[8];
static volatile size_t count = 8, none;

static void *work(void *from)
{
	memcpy(bytes, from, count);
	memcpy(bytes + 8, from, none);
	memcpy(bytes + 4, from, count);			/* A */
	snprintf(line, count, "%d", 7);			/* C */
	return NULL;
}

int main(void)
{
	static char from[16];
	pthread_t thread;
	int number;

	pthread_create(&thread, NULL, work, from);
	memset(bytes + 8, 'x', count);			/* B */
	number = atoi(line);				/* D */
	snprintf(line + 4, none, "%d", 8);
	pthread_join(thread, NULL);
	return number > 7;
}
