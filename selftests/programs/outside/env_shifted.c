// SPDX-License-Identifier: GPL-2.0-only
/*
 * getenv(3) goes through the environment while another thread takes a variable out of it. What
 * stands after that one moves down by one, and the search may step over the one it is for.
 *
 * source: Rust #27970; CVE-2020-26235 (environment read while it is changed)
 * expect: verdict=assert
 */
#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void look_up(void)
{
	const char *value;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	value = getenv("SECOND");
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(value);
}

static void *take_out(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	unsetenv("FIRST");
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	clearenv();
	setenv("FIRST", "1", 1);
	setenv("SECOND", "2", 1);
	together(look_up, take_out);
	return 0;
}
