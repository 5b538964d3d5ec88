// SPDX-License-Identifier: GPL-2.0-only
/*
 * A write to a private page is done in steps: copy the page, forget that it is to be written,
 * look it up again. If the copy is thrown away in between, what is looked up is the original.
 *
 * source: CVE-2016-5195 (Linux, Dirty COW)
 * expect: verdict=assert
 */
#include <stdbool.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int original = 1, copy;
static bool has_copy;

static int *look_up(bool *is_write)
{
	int *page = NULL;

	pthread_mutex_lock(&lock);
	if (*is_write && !has_copy) {
		copy = original;
		has_copy = true;
		/* The page can be had now as if it were only read. */
		if (!IS_MENDED)
			*is_write = false;
	} else {
		page = has_copy ? &copy : &original;
	}
	pthread_mutex_unlock(&lock);
	return page;
}

static void write_page(void)
{
	bool is_write = true;
	int *page;

	do
		page = look_up(&is_write);
	while (!page);
	*page = 2;
}

static void *dont_need(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	has_copy = false;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(write_page, dont_need);
	assert(original == 1);
	return 0;
}
