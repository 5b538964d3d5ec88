// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread clears the umask for the one file that everybody may write. Another one makes its
 * private file meanwhile.
 *
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "scratch.h"
#include "window.h"

static void *make_public(void *arg)
{
	mode_t old = 0;
	int fd;

	(void)arg;
	if (!IS_MENDED)
		old = umask(0);
	WINDOW();
	fd = open("public", O_WRONLY | O_CREAT, 0666);
	assert(fd >= 0);
	if (IS_MENDED)
		assert(!fchmod(fd, 0666));
	else
		umask(old);
	close(fd);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	struct stat st;
	int fd;

	umask(022);
	enter_scratch();
	assert(!pthread_create(&thread, NULL, make_public, NULL));
	INTO_WINDOW();
	fd = open("private", O_WRONLY | O_CREAT, 0666);
	assert(fd >= 0 && !fstat(fd, &st));
	close(fd);
	assert(!pthread_join(thread, NULL));
	unlink("private");
	unlink("public");
	leave_scratch();
	return st.st_mode & 022 ? 1 : 0;
}
