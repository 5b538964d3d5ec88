/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For programs of several processes, forked from one: a lock that they share. The mended ones
 * take it, and the others do without.
 */
#ifndef NATIVE_SHARED_LOCK_H
#define NATIVE_SHARED_LOCK_H

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

#include "window.h"

static pthread_mutex_t *shared_lock_;

/* Before the first fork. */
static void make_shared_lock(void)
{
	pthread_mutexattr_t attr;

	shared_lock_ = mmap(NULL, sizeof(*shared_lock_), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(shared_lock_ != MAP_FAILED);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	assert(!pthread_mutex_init(shared_lock_, &attr));
}

static void lock_shared(void)
{
	if (IS_MENDED)
		pthread_mutex_lock(shared_lock_);
}

static void unlock_shared(void)
{
	if (IS_MENDED)
		pthread_mutex_unlock(shared_lock_);
}

#endif
