// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function of a library is taken under the lock and called without it. Meanwhile the library is
 * closed. It is one of the system's, and the function accesses no memory.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused_now = PTHREAD_COND_INITIALIZER;
static double (*root)(double);
static int users;

static void *use(void *unused)
{
	double (*function)(double);

	(void)unused;
	assert(!pthread_mutex_lock(&lock));
	function = root;
	users += !!function;
	assert(!pthread_mutex_unlock(&lock));
	if (!function)
		return NULL;
	WINDOW();
	assert(function(27) > 2.9);
	assert(!pthread_mutex_lock(&lock));
	if (!--users)
		assert(!pthread_cond_signal(&unused_now));
	assert(!pthread_mutex_unlock(&lock));
	return NULL;
}

int main(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);
	pthread_t user;

	assert(library);
	root = (double (*)(double))dlsym(library, "cbrt");
	assert(root);
	assert(!pthread_create(&user, NULL, use, NULL));
	INTO_WINDOW();
	assert(!pthread_mutex_lock(&lock));
	root = NULL;
	while (IS_MENDED && users)
		assert(!pthread_cond_wait(&unused_now, &lock));
	assert(!pthread_mutex_unlock(&lock));
	assert(!dlclose(library));
	assert(!pthread_join(user, NULL));
	return 0;
}
