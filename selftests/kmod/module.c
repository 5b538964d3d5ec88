// SPDX-License-Identifier: GPL-2.0-only
/*
 * See module.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
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

int module_load(void)
{
	const char *ko = getenv("CHESS_KO");
	int ret;

	if (ko)
		return load(ko);
	ret = load("kmod/chess.ko");
	/* Made for another kernel: this one is the debug kernel. */
	if (ret == -ENOEXEC)
		ret = load("build/kernel/debug-module/kmod/chess.ko");
	return ret;
}
