// SPDX-License-Identifier: GPL-2.0-only
/*
 * The initramfs of the embedded VM: PID 1 and the modules it loads.  It is a cpio
 * archive ("newc") in a memfd, so that nothing is left on disk however we end.
 * Called by vm.c; read by vm/init.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/kernel.h"
#include "vm/vm.h"

struct image {
	int fd;
	int err;		/* the first one; later calls do nothing */
	unsigned int ino;
};

/* ---- the archive ---- */

static void put(struct image *image, const void *data, size_t len)
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
static void put_padded(struct image *image, const void *data, size_t len)
{
	off_t at;

	put(image, data, len);
	at = lseek(image->fd, 0, SEEK_CUR);
	put(image, "\0\0\0", -at & 3);
}

static int image_open(struct image *image)
{
	memset(image, 0, sizeof(*image));
	/* No MFD_CLOEXEC: QEMU opens it as /proc/self/fd/N. */
	image->fd = memfd_create("chess-initramfs", 0);
	if (image->fd < 0)
		image->err = -errno;
	return image->err;
}

static void image_data(struct image *image, const char *name, unsigned int mode,
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

static void image_file(struct image *image, const char *name, unsigned int mode,
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
	image_data(image, name, mode, data, st.st_size);
	if (data)
		munmap(data, st.st_size);
}

static int image_finish(struct image *image)
{
	image_data(image, "TRAILER!!!", 0, NULL, 0);
	return image->err;
}

/* ---- what the guest gets ---- */

/* Its name says to the guest whether it is compressed; the number gives the order. */
static void add_module(struct image *image, const char *path, const char *dir, size_t number)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/%02zu-%s", dir, number, basename(path));
	image_file(image, name, S_IFREG | 0400, path);
}

int chess_vm_initramfs_make(const struct chess_vm_opts *o, const struct chess_vm_kernel *kernel)
{
	struct image image;
	char path[4600];
	size_t i;
	int ret;

	if (chess_vm_find("vm/init", path, sizeof(path)))
		return chess_vm_complain(ENOENT,
					 "the VM's init program (%s) is missing; run 'make'", path);
	ret = image_open(&image);
	if (ret)
		goto out;
	image_file(&image, "init", S_IFREG | 0755, path);
	image_data(&image, "boot", S_IFDIR | 0755, NULL, 0);
	for (i = 0; i < kernel->nboot; i++)
		add_module(&image, kernel->boot[i], "boot", i);
	image_data(&image, "chess", S_IFDIR | 0755, NULL, 0);
	if (o->module)
		add_module(&image, o->module, "chess", 0);
	ret = image_finish(&image);
out:
	if (ret && image.fd >= 0)
		close(image.fd);
	if (ret)
		return chess_vm_complain(-ret, "building the VM's initramfs for %s failed: %s",
					 kernel->image, strerror(-ret));
	return image.fd;
}
