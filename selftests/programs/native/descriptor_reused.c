// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection is closed by one thread while another is about to write to it. The next file
 * that is opened gets its number, and what was meant for the peer.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int connection;

static void *say(void *arg)
{
	int fd;

	(void)arg;
	pthread_mutex_lock(&lock);
	fd = connection;
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
	WINDOW();
	if (fd >= 0)
		(void)!write(fd, "bye", 3);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	struct stat st;
	int ends[2], database;

	assert(!pipe(ends));
	connection = ends[1];
	assert(!pthread_create(&thread, NULL, say, NULL));
	INTO_WINDOW();
	pthread_mutex_lock(&lock);
	close(connection);
	connection = -1;
	pthread_mutex_unlock(&lock);
	database = memfd_create("database", 0);
	assert(database >= 0);
	assert(!pthread_join(thread, NULL));
	assert(!fstat(database, &st));
	return st.st_size ? 1 : 0;
}
