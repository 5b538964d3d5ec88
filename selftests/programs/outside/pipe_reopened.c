// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pipe is opened again through its name while its last user closes it: its memory may be gone
 * when the opener has the lock, and the opener does not look again.
 *
 * source: CVE-2009-3547 (Linux, fs/pipe.c)
 * expect: verdict=crash
 */
#include "outside.h"

struct pipe_info {
	int readers;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pipe_info made = { .readers = 1 };
static struct pipe_info *info = &made;

static void release(void)
{
	pthread_mutex_lock(&lock);
	if (!--info->readers)
		info = NULL;
	pthread_mutex_unlock(&lock);
}

static void *reopen(void *arg)
{
	(void)arg;
	if (!info)
		return NULL;
	pthread_mutex_lock(&lock);
	if (!IS_MENDED || info) {
		info->readers++;
		pthread_mutex_unlock(&lock);
		release();
		return NULL;
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(release, reopen);
	return 0;
}
