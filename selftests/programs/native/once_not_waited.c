// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first at a flag makes the table. The second does not, but does not wait until it
 * is there either.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "window.h"

static atomic_flag begun = ATOMIC_FLAG_INIT;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made[4];
static int *_Atomic table;

static void make_table(void)
{
	made[2] = 4;
	WINDOW();
	atomic_store(&table, made);
}

static int look_up(int i)
{
	if (IS_MENDED)
		pthread_once(&once, make_table);
	else if (!atomic_flag_test_and_set(&begun))
		make_table();
	return atomic_load(&table)[i];
}

static void *use(void *arg)
{
	(void)arg;
	assert(look_up(2) == 4);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, use, NULL));
	use(NULL);
	assert(!pthread_join(thread, NULL));
	return 0;
}
