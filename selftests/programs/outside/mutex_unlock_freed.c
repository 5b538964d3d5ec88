// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mutex is inside the object that it protects. To unlock it is to store that it is free, and
 * then to look in it whether it is shared between processes; the next owner has freed it.
 *
 * source: glibc #13690
 * expect: verdict=memory
 */
#include <stdatomic.h>

#include "outside.h"

struct mutex {
	atomic_int word;
	volatile int is_shared;
};

struct object {
	struct mutex lock;
	int references;
	long rest[4];
};

static struct object *object;
static int woken_shared;

static void lock(struct mutex *mutex)
{
	int is_free = 0;

	while (!atomic_compare_exchange_strong(&mutex->word, &is_free, 1)) {
		is_free = 0;
		sched_yield();
	}
}

static void unlock(struct mutex *mutex)
{
	int is_shared;

	if (IS_MENDED) {
		is_shared = mutex->is_shared;
		atomic_store(&mutex->word, 0);
	} else {
		atomic_store(&mutex->word, 0);
		is_shared = mutex->is_shared;
	}
	woken_shared = is_shared;
}

static void put(void)
{
	int left;

	lock(&object->lock);
	left = --object->references;
	unlock(&object->lock);
	if (!left)
		free(object);
}

static void *others(void *arg)
{
	(void)arg;
	put();
	return NULL;
}

int main(void)
{
	object = calloc(1, sizeof(*object));
	assert(object);
	object->references = 2;
	together(put, others);
	return 0;
}
