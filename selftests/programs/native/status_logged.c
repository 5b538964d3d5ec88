// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread renames a disk, by way of a name that no disk has; another one logs the name meanwhile,
 * by a function that hands its arguments on.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "window.h"

static char name[16] = "disk-a";
static char line[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *rename_disk(void *unused)
{
	(void)unused;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	name[5] = '?';
	WINDOW();
	name[5] = 'b';
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

__attribute__((noinline)) static void log_line(const char *level, const char *format, ...)
{
	int n = snprintf(line, sizeof(line), "%s: ", level);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line + n, sizeof(line) - n, format, arguments);
	va_end(arguments);
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, rename_disk, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	log_line("warning", "%d errors on %s", 0, name);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(strcmp(line, "warning: 0 errors on disk-?"));
	assert(!pthread_join(thread, NULL));
	return 0;
}
