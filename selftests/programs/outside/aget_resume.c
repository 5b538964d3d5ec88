// SPDX-License-Identifier: GPL-2.0-only
/*
 * An interrupted download saves how much there is of it, and how far each thread has come. A
 * thread that goes on meanwhile makes the two differ, and the resumed download is damaged.
 *
 * source: aget (saved state of a download); Park et al., ASPLOS 2009 (CTrigger)
 * expect: verdict=assert
 */
#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, offset;

static void download(void)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	offset += 100;
	total += 100;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *save(void *arg)
{
	int saved_total, saved_offset;

	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	saved_total = total;
	saved_offset = offset;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(saved_total == saved_offset);
	return NULL;
}

int main(void)
{
	together(download, save);
	return 0;
}
