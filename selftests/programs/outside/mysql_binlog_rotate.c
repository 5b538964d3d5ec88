// SPDX-License-Identifier: GPL-2.0-only
/*
 * The binary log is rotated by being closed and opened again. A statement that looks in
 * between whether there is a log finds none, and is not logged.
 *
 * source: MySQL #791 (binary log rotation)
 * expect: verdict=assert
 */
#include <stdbool.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open = true;
static int written;

static void rotate(void)
{
	pthread_mutex_lock(&lock);
	is_open = false;
	is_open = true;
	pthread_mutex_unlock(&lock);
}

static void *insert(void *arg)
{
	(void)arg;
	if (!IS_MENDED && !is_open)
		return NULL;
	pthread_mutex_lock(&lock);
	if (is_open)
		written++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(rotate, insert);
	assert(written == 1);
	return 0;
}
