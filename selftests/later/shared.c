// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plug-in that executes its text at another place: where its file is mapped a second time,
 * without the right to execute at first, which mprotect() gives. With -DRIGHT the mapping is
 * private and gets traps; else it is shared, where they would reach the file: then a
 * certificate has to say so.
 */
#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef RIGHT
#define KIND	MAP_PRIVATE
#else
#define KIND	MAP_SHARED
#endif

void *work(void *arg);
int end(void);
static int mtx_lock(int *lock);

/* Needs nothing but its argument, wherever it is executed. */
__attribute__((noipa)) static int mtx_lock(int *lock)
{
	return *lock;
}

void *work(void *arg)
{
	return arg;
}

static char *find_text(void)
{
	Dl_info info;
	size_t offset;
	char *text;
	int fd;

	assert(dladdr((void *)(uintptr_t)mtx_lock, &info));
	offset = (char *)(uintptr_t)mtx_lock - (char *)info.dli_fbase;
	fd = open(info.dli_fname, O_RDONLY);
	assert(fd >= 0);
	text = mmap(NULL, offset + 4096, PROT_READ, KIND, fd, 0);
	assert(text != MAP_FAILED);
	close(fd);
	assert(!mprotect(text, offset + 4096, PROT_READ | PROT_EXEC));
	return text + offset;
}

int end(void)
{
	int (*call)(int *) = (int (*)(int *))(uintptr_t)find_text(), lock = 2;

	return call(&lock);
}
