// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record lock belongs to the process and the file: it is gone as soon as any descriptor of
 * the file is closed, such as that of a function that only wanted to look at it.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static char path[] = "/tmp/chess-ledger-XXXXXX";

static int size_of_file(void)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	assert(fd >= 0 && !fstat(fd, &st));
	close(fd);
	return st.st_size;
}

static void increment(void)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(path, O_RDWR), value;

	assert(fd >= 0);
	assert(!fcntl(fd, IS_MENDED ? F_OFD_SETLKW : F_SETLKW, &whole));
	assert(size_of_file() == sizeof(value));
	assert(pread(fd, &value, sizeof(value), 0) == sizeof(value));
	WINDOW();
	value++;
	assert(pwrite(fd, &value, sizeof(value), 0) == sizeof(value));
	close(fd);
}

int main(void)
{
	int fd = mkstemp(path), value = 0, status;
	pid_t child;

	assert(fd >= 0 && write(fd, &value, sizeof(value)) == sizeof(value));
	child = fork();
	assert(child >= 0);
	if (!child) {
		close(fd);
		increment();
		_exit(0);
	}
	increment();
	assert(waitpid(child, &status, 0) == child && !status);
	assert(pread(fd, &value, sizeof(value), 0) == sizeof(value));
	unlink(path);
	return value == 2 ? 0 : 1;
}
