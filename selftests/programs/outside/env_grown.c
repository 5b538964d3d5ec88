// SPDX-License-Identifier: GPL-2.0-only
/*
 * getenv(3) goes through the environment while another thread adds a variable, for which the list
 * is copied to more memory. The search goes on in the old list, which is free.
 *
 * source: glibc #15607, #19951 (setenv not safe beside getenv); Rust RUSTSEC-2020-0159
 * expect: verdict=crash
 */
#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void look_up(void)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (!getenv("SECOND"))
		abort();
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *add(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	setenv("THIRD", "3", 1);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	clearenv();
	setenv("FIRST", "1", 1);
	setenv("SECOND", "2", 1);
	together(look_up, add);
	return 0;
}
