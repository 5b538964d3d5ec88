// SPDX-License-Identifier: GPL-2.0-only
/*
 * An arena at the end of the data segment is given back by brk(2), while a thread that asked
 * whether it is there is about to write to it.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "window.h"

#define PAGE	4096UL
#define BYTES	(2 * PAGE)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile char *arena;

static void *use(void *unused)
{
	volatile char *is;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	is = arena;
	WINDOW();
	if (is)
		*is = 1;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	char *start;

	/* The heap has its room first. */
	free(malloc(1));
	start = (char *)(((uintptr_t)sbrk(0) + PAGE - 1) & -PAGE);
	assert(!brk(start + BYTES));
	arena = start;
	assert(!pthread_create(&thread, NULL, use, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	arena = NULL;
	assert(!brk(start));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
