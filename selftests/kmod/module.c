// SPDX-License-Identifier: GPL-2.0-only
/*
 * See module.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "module.h"

/* Of 10 ms. A task that spins makes a grace period take a second. */
#define MAX_TRIES 1000

int module_unload(void)
{
	return syscall(SYS_delete_module, "chess", O_NONBLOCK) ? -errno : 0;
}

int module_unload_soon(unsigned int *tries)
{
	struct timespec nap = { .tv_nsec = 10 * 1000 * 1000 };
	int ret;

	for (*tries = 0; *tries < MAX_TRIES; ++*tries) {
		ret = module_unload();
		if (ret != -EAGAIN && ret != -EBUSY && ret != -EWOULDBLOCK)
			return ret;
		nanosleep(&nap, NULL);
	}
	return ret;
}

static int load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

/* The module made for the kernel that runs: scripts/build-module-copy.sh puts it there. */
static int load_copy(void)
{
	char path[PATH_MAX], release[65];
	struct utsname running;
	glob_t found;
	size_t i;
	int ret = -ENOENT;

	uname(&running);
	if (glob("build/kernel/*/release", 0, NULL, &found))
		return ret;
	for (i = 0; i < found.gl_pathc && ret == -ENOENT; i++) {
		FILE *file = fopen(found.gl_pathv[i], "r");
		int length = (int)(strrchr(found.gl_pathv[i], '/') - found.gl_pathv[i]);

		if (!file)
			continue;
		if (fscanf(file, "%64s", release) == 1 && !strcmp(release, running.release)) {
			snprintf(path, sizeof(path), "%.*s-module/kmod/chess.ko", length,
				 found.gl_pathv[i]);
			ret = load(path);
		}
		fclose(file);
	}
	globfree(&found);
	return ret;
}

int module_load(void)
{
	const char *ko = getenv("CHESS_KO");
	int ret;

	if (ko)
		return load(ko);
	ret = load("kmod/chess.ko");
	/* Made for another kernel. */
	return ret == -ENOEXEC || ret == -EINVAL ? load_copy() : ret;
}
