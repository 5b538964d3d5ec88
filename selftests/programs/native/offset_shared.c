// SPDX-License-Identifier: GPL-2.0-only
/*
 * A parent and its child read different records of a file that was opened before the fork.
 * The position belongs to what both have open, not to each.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static int reads_record(int fd, int i)
{
	int record = -1;

	if (IS_MENDED) {
		assert(pread(fd, &record, sizeof(record), i * sizeof(record)) == sizeof(record));
		return record == i;
	}
	lseek(fd, i * sizeof(record), SEEK_SET);
	WINDOW();
	return read(fd, &record, sizeof(record)) == sizeof(record) && record == i;
}

int main(void)
{
	char path[] = "/tmp/chess-records-XXXXXX";
	int records[] = { 0, 1, 2 }, fd = mkstemp(path), status, is_good;
	pid_t child;

	assert(fd >= 0 && !unlink(path));
	assert(write(fd, records, sizeof(records)) == sizeof(records));
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(!reads_record(fd, 1));
	is_good = reads_record(fd, 0);
	assert(waitpid(child, &status, 0) == child);
	return is_good && !status ? 0 : 1;
}
