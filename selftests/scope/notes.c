// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library with many points and no bug: notes of a thread, kept under a lock of its own,
 * so that nobody ever waits in here.
 */
#include <pthread.h>

#include "notes.h"

#define LINES	4

void notes_write(struct notes *n)
{
	int i;

	for (i = 0; i < LINES; i++) {
		pthread_mutex_lock(&n->lock);
		n->lines++;
		pthread_mutex_unlock(&n->lock);
	}
}
