// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server keeps the date of its log lines in a buffer that is written again when the time has
 * changed. The time is noted first, so another thread takes the buffer for current.
 *
 * source: Cherokee 0.9.2 (date of the log)
 * expect: verdict=assert
 */
#include <stdio.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int now = 12, made_for;
static int date;

static int get_date(void)
{
	int came;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (made_for != now) {
		made_for = now;
		date = now * 100;
	}
	came = date;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return came;
}

static void mine(void)
{
	assert(get_date() == 1200);
}

static void *others(void *arg)
{
	(void)arg;
	mine();
	return NULL;
}

int main(void)
{
	together(mine, others);
	return 0;
}
