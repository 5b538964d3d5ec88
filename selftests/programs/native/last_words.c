// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process ends while a thread of it is about to write to a stream, which exit() flushes: its
 * parent finds nothing in the file.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void child(void)
{
	pthread_t thread;

	assert(!sem_init(&done, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	assert(!sem_wait(&done));
	INTO_WINDOW();
	exit(0);
}

int main(void)
{
	struct stat st;
	int status;

	report = tmpfile();
	assert(report);
	if (!fork())
		child();
	assert(wait(&status) > 0 && !status);
	assert(!fstat(fileno(report), &st));
	return st.st_size == 5 ? 0 : 1;
}
