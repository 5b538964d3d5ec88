// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread changes two numbers that belong together. Another one has them written to a file by
 * asynchronous I/O, maybe in between: the file gets one new and one old.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "window.h"

static struct state {
	long first;
	long last;
} state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	state.first = 1;
	WINDOW();
	state.last = 1;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

static void save(aio_context_t context, int fd)
{
	struct iocb request = {
		.aio_lio_opcode = IOCB_CMD_PWRITE, .aio_fildes = fd,
		.aio_buf = (uintptr_t)&state, .aio_nbytes = sizeof(state),
	};
	struct iocb *requests[] = { &request };
	struct io_event event;

	assert(syscall(SYS_io_submit, context, 1, requests) == 1);
	assert(syscall(SYS_io_getevents, context, 1, 1, &event, NULL) == 1);
}

int main(void)
{
	aio_context_t context = 0;
	struct state saved;
	pthread_t thread;
	int fd;

	fd = memfd_create("state", 0);
	assert(fd >= 0 && !syscall(SYS_io_setup, 1, &context));
	assert(!pthread_create(&thread, NULL, change, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	save(context, fd);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(pread(fd, &saved, sizeof(saved), 0) == sizeof(saved));
	assert(saved.first == saved.last);
	assert(!pthread_join(thread, NULL));
	return 0;
}
