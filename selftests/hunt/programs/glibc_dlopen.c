// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads load and unload one library
 * link: -lpthread
 */
#include <dlfcn.h>
#include <pthread.h>

static void *task(void *arg)
{
	void *l = dlopen("libz.so.1", RTLD_NOW);

	return l && dlsym(l, "crc32") && !dlclose(l) ? NULL : "failed";
}

int main(void)
{
	pthread_t t;
	void *failed;

	pthread_create(&t, NULL, task, NULL);
	if (task(NULL))
		return 1;
	pthread_join(t, &failed);
	return !!failed;
}
