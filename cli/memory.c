// SPDX-License-Identifier: GPL-2.0-only
/*
 * See memory.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "memory.h"

size_t memory_read(pid_t pid, uint64_t at, void *to, size_t size)
{
	char path[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = pread(fd, to, size, at);
	close(fd);
	return n > 0 ? n : 0;
}
