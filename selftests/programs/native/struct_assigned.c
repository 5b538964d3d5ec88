// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread assigns a structure, which the compiler makes one instruction, and another one assigns
 * it to its own at the same time: it may get the first members of the new one, and the last
 * ones of the old one.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>

#include "window.h"

struct position {
	long x[20], y[20], version;
};

static struct position current = { .version = 0 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void assign(struct position *to, const struct position *from)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
#ifdef SLOW
	__builtin_memcpy(to->x, from->x, sizeof(to->x));
	if (to == &current)
		WINDOW();
	__builtin_memcpy(to->y, from->y, sizeof(to->y));
	to->version = from->version;
#else
	*to = *from;
#endif
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *move(void *unused)
{
	struct position next = { .x = { 1 }, .version = 1 };

	(void)unused;
	assign(&current, &next);
	return NULL;
}

int main(void)
{
	struct position seen;
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, move, NULL));
	INTO_WINDOW();
	assign(&seen, &current);
	assert(seen.x[0] == seen.version);
	assert(!pthread_join(thread, NULL));
	return 0;
}
