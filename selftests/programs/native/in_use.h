/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes that a thread asks for and uses, while main() takes them away: a program says how it gets
 * them, how the thread uses the last one, and how they are taken away.
 */
#ifndef NATIVE_IN_USE_H
#define NATIVE_IN_USE_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "window.h"

#define SIZE	8192

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_open = true;
static char *bytes;

static void get(void);
static void use(void);
static void take_away(void);

static inline void map(int how)
{
	bytes = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS, -1, 0);
	assert(bytes != MAP_FAILED);
}

static void *ask_and_use(void *unused)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (atomic_load(&is_open)) {
		WINDOW();
		use();
	}
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;

	get();
	bytes[SIZE - 1] = 3;
	assert(!pthread_create(&thread, NULL, ask_and_use, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	atomic_store(&is_open, false);
	take_away();
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}

#endif
