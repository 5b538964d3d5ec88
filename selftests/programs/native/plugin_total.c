// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with threads opens a plug-in, native/plugin/total.c, that was not written for
 * them.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

#include "plugin/total.h"
#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static total_add_fn *add_to_total;

static void *add(void *by)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	add_to_total((long)by);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	total_read_fn *read_total;
	pthread_t thread;
	void *plugin;

	plugin = dlopen(TOTAL_PLUGIN, RTLD_NOW);
	assert(plugin);
	add_to_total = (total_add_fn *)dlsym(plugin, "total_add");
	read_total = (total_read_fn *)dlsym(plugin, "total_read");
	assert(add_to_total && read_total);
	add_to_total(1);
	assert(!pthread_create(&thread, NULL, add, (void *)10L));
	add((void *)100L);
	assert(!pthread_join(thread, NULL));
	assert(read_total() == 111);
	return 0;
}
