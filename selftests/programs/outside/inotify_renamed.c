// SPDX-License-Identifier: GPL-2.0-only
/*
 * An event has room for the name of a file as long as it is now. The file gets a longer name
 * before its name is copied.
 *
 * source: CVE-2017-7533 (Linux, inotify and rename)
 * expect: verdict=assert
 */
#include <string.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[64] = "short";

static void notify(void)
{
	size_t i, size;
	char *event;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	size = strlen(name) + 1;
	event = malloc(size);
	assert(event);
	for (i = 0; i < size && name[i]; i++)
		event[i] = name[i];
	/* What has become of the name has to fit. */
	assert(!name[size - 1]);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	free(event);
}

static void *rename_it(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	strcpy(name, "a name that is much longer than the other one");
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(notify, rename_it);
	return 0;
}
