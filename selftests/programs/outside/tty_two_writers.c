// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each writer asks how much room the buffer of a terminal has, and then fills it. With two of
 * them, the second one writes after the end.
 *
 * source: CVE-2014-0196 (Linux, n_tty)
 * expect: verdict=assert
 */
#include "outside.h"

#define SIZE 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[2 * SIZE + 1];
static int used;

static void insert(void)
{
	int i, n = 3;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (n > SIZE - used)
		n = SIZE - used;
	for (i = 0; i < n; i++)
		buffer[used + i] = 'x';
	used += n;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *others(void *arg)
{
	(void)arg;
	insert();
	return NULL;
}

int main(void)
{
	together(insert, others);
	assert(used <= SIZE && !buffer[SIZE]);
	return 0;
}
