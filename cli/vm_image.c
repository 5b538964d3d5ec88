// SPDX-License-Identifier: GPL-2.0-only
/*
 * The initramfs of the embedded VM: a cpio archive ("newc") in a memfd, so
 * that nothing is left on disk however we end.  Called by vm.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm.h"

static void put(struct chess_vm_image *image, const void *data, size_t len)
{
	const char *p = data;

	while (len && !image->err) {
		ssize_t n = write(image->fd, p, len);

		if (n < 0 && errno != EINTR)
			image->err = -errno;
		if (n > 0) {
			p += n;
			len -= n;
		}
	}
}

/* Names and contents each end on a multiple of four. */
static void put_padded(struct chess_vm_image *image, const void *data, size_t len)
{
	off_t at;

	put(image, data, len);
	at = lseek(image->fd, 0, SEEK_CUR);
	put(image, "\0\0\0", -at & 3);
}

int chess_vm_image_open(struct chess_vm_image *image)
{
	memset(image, 0, sizeof(*image));
	/* No MFD_CLOEXEC: QEMU opens it as /proc/self/fd/N. */
	image->fd = memfd_create("chess-initramfs", 0);
	if (image->fd < 0)
		image->err = -errno;
	return image->err;
}

void chess_vm_image_data(struct chess_vm_image *image, const char *name, unsigned int mode,
			 const void *data, size_t len)
{
	size_t name_len = strlen(name) + 1;
	char head[128];
	int n;

	/* ino mode uid gid nlink mtime size dev(2) rdev(2) namesize check */
	n = snprintf(head, sizeof(head), "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		     ++image->ino, mode, 0, 0, 1, 0, (unsigned int)len, 0, 0, 0, 0,
		     (unsigned int)name_len, 0);
	put(image, head, n);
	put_padded(image, name, name_len);
	put_padded(image, data, len);
}

void chess_vm_image_file(struct chess_vm_image *image, const char *name, unsigned int mode,
			 const char *path)
{
	void *data = NULL;
	struct stat st;
	int fd;

	if (image->err)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0) {
		image->err = -errno;
		if (fd >= 0)
			close(fd);
		return;
	}
	if (st.st_size) {
		data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data == MAP_FAILED)
			image->err = -errno;
	}
	close(fd);
	if (image->err)
		return;
	chess_vm_image_data(image, name, mode, data, st.st_size);
	if (data)
		munmap(data, st.st_size);
}

int chess_vm_image_finish(struct chess_vm_image *image)
{
	chess_vm_image_data(image, "TRAILER!!!", 0, NULL, 0);
	return image->err;
}
