// SPDX-License-Identifier: GPL-2.0-only
/*
 * A buffered log: a thread copies its line to the end of the buffer and then moves the end.
 * Two of them may copy to the same place.
 *
 * source: Apache httpd #25520 (mod_log_config)
 * expect: verdict=assert
 */
#include <string.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[32];
static int length;

static void log_line(const char *line)
{
	int size = strlen(line);

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	memcpy(buffer + length, line, size);
	length += size;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void mine(void)
{
	log_line("GET /a\n");
}

static void *others(void *arg)
{
	(void)arg;
	log_line("GET /b\n");
	return NULL;
}

int main(void)
{
	together(mine, others);
	assert(strstr(buffer, "/a") && strstr(buffer, "/b"));
	assert(length == 14);
	return 0;
}
