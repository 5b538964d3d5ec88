// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program waits for a file to appear: it looks whether it is there, and then begins to
 * watch the directory. A file that comes in between is neither seen nor told of.
 *
 * expect: verdict=deadlock
 * options: --private-tmp
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/inotify.h>

#include "scratch.h"
#include "window.h"

static void *make(void *arg)
{
	int fd;

	(void)arg;
	INTO_WINDOW();
	fd = open("ready", O_WRONLY | O_CREAT, 0600);
	assert(fd >= 0);
	close(fd);
	return NULL;
}

int main(void)
{
	int watch = inotify_init(), is_there;
	char event[sizeof(struct inotify_event) + 256];
	pthread_t thread;

	enter_scratch();
	assert(watch >= 0);
	assert(!pthread_create(&thread, NULL, make, NULL));
	if (IS_MENDED)
		assert(inotify_add_watch(watch, scratch, IN_CREATE) >= 0);
	is_there = !access("ready", F_OK);
	WINDOW();
	if (!IS_MENDED)
		assert(inotify_add_watch(watch, scratch, IN_CREATE) >= 0);
	if (!is_there)
		assert(read(watch, event, sizeof(event)) > 0);
	assert(!pthread_join(thread, NULL));
	assert(!unlink("ready"));
	leave_scratch();
	return 0;
}
