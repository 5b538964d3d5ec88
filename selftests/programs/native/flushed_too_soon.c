// SPDX-License-Identifier: GPL-2.0-only
/*
 * All streams are flushed before a file is measured, but a thread that says it is done has not
 * written to its stream yet.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/stat.h>

#include "window.h"

static sem_t done;
static FILE *report;

static void *work(void *unused)
{
	if (IS_MENDED)
		assert(fputs("done\n", report) >= 0);
	assert(!sem_post(&done));
	WINDOW();
	if (!IS_MENDED)
		assert(fputs("done\n", report) >= 0);
	return unused;
}

int main(void)
{
	pthread_t thread;
	struct stat st;

	report = tmpfile();
	assert(report && !sem_init(&done, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	assert(!sem_wait(&done));
	INTO_WINDOW();
	assert(!fflush(NULL));
	assert(!fstat(fileno(report), &st));
	assert(!pthread_join(thread, NULL));
	return st.st_size == 5 ? 0 : 1;
}
