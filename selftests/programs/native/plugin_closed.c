// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plug-in, native/plugin/total.c, is closed while a thread is about to call it: who calls
 * asks whether it is loaded, but does not keep it so.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

#include "plugin/total.h"
#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static total_read_fn *read_total;

static void *call(void *arg)
{
	total_read_fn *mine;

	(void)arg;
	pthread_mutex_lock(&lock);
	mine = read_total;
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
	WINDOW();
	if (mine)
		assert(mine() == 0);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *plugin;

	plugin = dlopen(TOTAL_PLUGIN, RTLD_NOW);
	assert(plugin);
	read_total = (total_read_fn *)dlsym(plugin, "total_read");
	assert(read_total);
	assert(!pthread_create(&thread, NULL, call, NULL));
	INTO_WINDOW();
	pthread_mutex_lock(&lock);
	read_total = NULL;
	pthread_mutex_unlock(&lock);
	assert(!dlclose(plugin));
	assert(!pthread_join(thread, NULL));
	return 0;
}
