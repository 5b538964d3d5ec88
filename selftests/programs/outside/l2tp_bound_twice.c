// SPDX-License-Identifier: GPL-2.0-only
/*
 * A socket may be bound once. Whether it is bound already is looked up before the lock is
 * taken: two calls that do so at once both put it into the table.
 *
 * source: CVE-2016-10200 (Linux, L2TPv3)
 * expect: verdict=assert
 */
#include <stdbool.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_bound;
static int entries;

static void bind_it(void)
{
	if (!IS_MENDED && is_bound)
		return;
	pthread_mutex_lock(&lock);
	if (!IS_MENDED || !is_bound) {
		entries++;
		is_bound = true;
	}
	pthread_mutex_unlock(&lock);
}

static void *others(void *arg)
{
	(void)arg;
	bind_it();
	return NULL;
}

int main(void)
{
	together(bind_it, others);
	assert(entries == 1);
	return 0;
}
