// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of references are atomic, but a pointer is loaded in one step and its object's count
 * raised in the next: in between, the pointer's owner may have dropped the last reference.
 *
 * source: Bambas, Illusion of atomic reference counting (Mozilla RefPtr)
 * expect: verdict=memory
 */
#include <stdatomic.h>

#include "outside.h"

struct object {
	atomic_int references;
	long rest[4];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *_Atomic member;

static void put(struct object *object)
{
	if (atomic_fetch_sub(&object->references, 1) == 1)
		free(object);
}

static void copy(void)
{
	struct object *mine;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	mine = atomic_load(&member);
	if (mine)
		atomic_fetch_add(&mine->references, 1);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	if (mine)
		put(mine);
}

static void *reset(void *arg)
{
	struct object *old;

	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	old = atomic_exchange(&member, NULL);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	put(old);
	return NULL;
}

int main(void)
{
	struct object *object = calloc(1, sizeof(*object));

	assert(object);
	atomic_store(&object->references, 1);
	atomic_store(&member, object);
	together(copy, reset);
	return 0;
}
