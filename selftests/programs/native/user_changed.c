// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server becomes another user for one request. The C library sees to it that all threads
 * become that user, and a file that another thread makes meanwhile is not the server's.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window.h"

#define NOBODY 65534

static void become(uid_t user)
{
	if (IS_MENDED)
		setfsuid(user);
	else
		assert(!seteuid(user));
}

static void *serve(void *arg)
{
	(void)arg;
	become(NOBODY);
	WINDOW();
	become(0);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	struct stat st;
	int fd;

	assert(!pthread_create(&thread, NULL, serve, NULL));
	INTO_WINDOW();
	fd = memfd_create("log", 0);
	assert(fd >= 0 && !fstat(fd, &st));
	assert(!pthread_join(thread, NULL));
	return st.st_uid ? 1 : 0;
}
