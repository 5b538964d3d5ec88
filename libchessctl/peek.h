/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of another task. Not by process_vm_readv(): kernels without CROSS_MEMORY_ATTACH have
 * none.
 */
#ifndef CHESSCTL_PEEK_H
#define CHESSCTL_PEEK_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

/* Return: how much there is at @address, up to @size and to what is not mapped; or -1. */
static inline ssize_t chess_read_memory(pid_t tid, uint64_t address, void *to, size_t size)
{
	char name[32];
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/mem", tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = pread(fd, to, size, address);
	close(fd);
	return n;
}

#endif /* CHESSCTL_PEEK_H */
