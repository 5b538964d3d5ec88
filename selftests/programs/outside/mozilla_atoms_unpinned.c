// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last context that is destroyed unpins the atoms of all. A context that is destroyed at
 * the same time still marks its own: it is not the last one, but it is not done either.
 *
 * source: Lu et al., ASPLOS 2008, section 3 (SpiderMonkey, js_UnpinPinnedAtom)
 * expect: verdict=memory
 */
#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int contexts = 2;
static int *atoms;

static void destroy(void)
{
	int left;

	if (IS_MENDED)
		*(volatile int *)atoms = 1;
	pthread_mutex_lock(&lock);
	left = --contexts;
	pthread_mutex_unlock(&lock);
	if (!left)
		free(atoms);
	else if (!IS_MENDED)
		*(volatile int *)atoms = 1;
}

static void *others(void *arg)
{
	(void)arg;
	destroy();
	return NULL;
}

int main(void)
{
	atoms = malloc(8 * sizeof(*atoms));
	assert(atoms);
	together(destroy, others);
	return 0;
}
