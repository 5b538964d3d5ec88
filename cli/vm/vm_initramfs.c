// SPDX-License-Identifier: GPL-2.0-only
/*
 * The initramfs of the embedded VM: PID 1, the modules it loads and the
 * configuration that makes the command see the caller's surroundings.  It is
 * a cpio archive ("newc") in a memfd, so that nothing is left on disk however
 * we end.  Called by vm.c; read by vm/init.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
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

static void add_pair(FILE *f, const char *key, const char *value)
{
	fwrite(key, 1, strlen(key) + 1, f);
	fwrite(value, 1, strlen(value) + 1, f);
}

static void add_number(FILE *f, const char *name, unsigned long value)
{
	char text[64];

	snprintf(text, sizeof(text), "%s=%lu", name, value);
	add_pair(f, "env", text);
}

static bool same_name(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return !strncmp(a, b, n) && b[n] == '=';
}

static void add_environment(FILE *f, char *const *extra)
{
	char *const *e, *const *x;
	gid_t groups[1024];
	char text[16384];
	int i, n, len;

	for (e = environ; *e; e++) {
		for (x = extra; x && *x && !same_name(*x, *e); x++)
			;
		if ((!x || !*x) && strncmp(*e, "CHESS_VM_", 9))
			add_pair(f, "env", *e);
	}
	for (x = extra; x && *x; x++)
		add_pair(f, "env", *x);
	add_number(f, "CHESS_VM_UID", getuid());
	add_number(f, "CHESS_VM_GID", getgid());
	n = getgroups(1024, groups);
	len = snprintf(text, sizeof(text), "CHESS_VM_GROUPS=");
	for (i = 0; i < n; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%u", i ? "," : "", groups[i]);
	add_pair(f, "env", text);
}

static void add_limits(FILE *f)
{
	static const int which[] = { RLIMIT_CORE, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_FSIZE };
	struct rlimit limit;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
		if (getrlimit(which[i], &limit))
			continue;
		snprintf(text, sizeof(text), "%d %llu %llu", which[i],
			 (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
		add_pair(f, "rlimit", text);
	}
}

static int make_config(const struct chess_vm_opts *o, bool tty,
		       const struct chess_vm_kernel *kernel, char *const argv[], char **data,
		       size_t *len)
{
	char path[4200], host[256], text[64];
	struct winsize window = { .ws_row = 24, .ws_col = 80 };
	mode_t mask;
	FILE *f;
	int i;

	f = open_memstream(data, len);
	if (!f)
		return -ENOMEM;
	if (!getcwd(path, sizeof(path))) {
		fclose(f);
		return chess_vm_complain(errno,
					 "the working directory cannot be named: %s", strerror(errno));
	}
	add_pair(f, "cwd", path);
	if (!gethostname(host, sizeof(host)))
		add_pair(f, "hostname", host);
	mask = umask(0);
	umask(mask);
	snprintf(text, sizeof(text), "%o", mask);
	add_pair(f, "umask", text);
	if (*kernel->modules)
		add_pair(f, "modules", kernel->modules);
	if (o->outbox && realpath(o->outbox, path))
		add_pair(f, "outbox", path);
	if (tty) {
		ioctl(STDIN_FILENO, TIOCGWINSZ, &window);
		snprintf(text, sizeof(text), "%hu %hu", window.ws_row, window.ws_col);
		add_pair(f, "tty", text);
	}
	for (i = 0; o->near && o->near[i]; i++)
		add_pair(f, "near", o->near[i]);
	add_limits(f);
	add_environment(f, o->env_extra);
	for (i = 0; argv[i]; i++)
		add_pair(f, "arg", argv[i]);
	return fclose(f) ? -ENOMEM : 0;
}

/* Its name says to the guest whether it is compressed; the number gives the order. */
static void add_module(struct image *image, const char *path, const char *dir, size_t number)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/%02zu-%s", dir, number, basename(path));
	image_file(image, name, S_IFREG | 0400, path);
}

int chess_vm_initramfs_make(const struct chess_vm_opts *o, bool tty,
			    const struct chess_vm_kernel *kernel, char *const argv[])
{
	struct image image;
	char path[4600];
	char *config = NULL;
	size_t config_len, i;
	int ret;

	if (chess_vm_find("vm/init", path, sizeof(path)))
		return chess_vm_complain(ENOENT,
					 "the VM's init program (%s) is missing; run 'make'", path);
	ret = make_config(o, tty, kernel, argv, &config, &config_len);
	if (ret)
		return ret;
	ret = image_open(&image);
	if (ret)
		goto out;
	image_data(&image, "config", S_IFREG | 0400, config, config_len);
	image_file(&image, "init", S_IFREG | 0755, path);
	image_data(&image, "boot", S_IFDIR | 0755, NULL, 0);
	for (i = 0; i < kernel->nboot; i++)
		add_module(&image, kernel->boot[i], "boot", i);
	image_data(&image, "chess", S_IFDIR | 0755, NULL, 0);
	if (o->module)
		add_module(&image, o->module, "chess", 0);
	ret = image_finish(&image);
out:
	free(config);
	if (ret && image.fd >= 0)
		close(image.fd);
	if (ret)
		return chess_vm_complain(-ret, "building the VM's initramfs for %s failed: %s",
					 kernel->image, strerror(-ret));
	return image.fd;
}
