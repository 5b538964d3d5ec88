/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that says it is done before it has written to its stream: a program says who flushes
 * that stream meanwhile.
 */
#ifndef NATIVE_LATE_REPORT_H
#define NATIVE_LATE_REPORT_H

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/stat.h>

#include "window.h"

static sem_t done;
static FILE *report;

static void *write_report(void *unused)
{
	if (IS_MENDED)
		assert(fputs("done\n", report) >= 0);
	assert(!sem_post(&done));
	WINDOW();
	if (!IS_MENDED)
		assert(fputs("done\n", report) >= 0);
	return unused;
}

/* Returns when the thread has said so. */
static pthread_t wait_for_report(void)
{
	pthread_t thread;

	assert(!sem_init(&done, 0, 0));
	assert(!pthread_create(&thread, NULL, write_report, NULL));
	assert(!sem_wait(&done));
	INTO_WINDOW();
	return thread;
}

static int is_written(void)
{
	struct stat st;

	assert(!fstat(fileno(report), &st));
	return st.st_size == 5;
}

#endif
