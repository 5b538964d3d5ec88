// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads its memory map in small pieces after many locks: if a run has one mapping more than
 * another, it reads more often, and their records differ.
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#define PAIRS	200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	char piece[16];
	int fd, i;

	for (i = 0; i < PAIRS; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 1;
	while (read(fd, piece, sizeof(piece)) > 0)
		;
	close(fd);
	return 0;
}
