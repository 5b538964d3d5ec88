// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a plug-in, has two threads call its work(), and holds end(), which prints what came
 * of it, against what both should have done. Two increments make 2, whatever else it does.
 *
 * Usage: open PLUGIN; with -DALONE the plug-in is linked in, and there is none to name.
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#ifdef ALONE
void *work(void *arg);
int end(void);
#else
static void *(*work)(void *arg);
static int (*end)(void);

static int open_plugin(const char *path)
{
	void *plugin = path ? dlopen(path, RTLD_NOW) : NULL;

	if (!plugin) {
		fprintf(stderr, "open: %s\n", path ? dlerror() : "no plug-in is named");
		return -1;
	}
	work = dlsym(plugin, "work");
	end = dlsym(plugin, "end");
	return work && end ? 0 : -1;
}
#endif

int main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argc;
	(void)argv;
#ifndef ALONE
	if (open_plugin(argv[1]))
		return 3;
#endif
	pthread_create(&a, NULL, work, "a");
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(end() == 2);
	return 0;
}
