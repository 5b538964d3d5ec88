// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process tells its inspector that its state can be read, and maps the memory in which
 * that is only then. They do not share memory: process_vm_readv(2) finds none there.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define SIZE	4096
#define STATE	((void *)0x10000000)

static int up[2], stop[2];

static void map_state(void)
{
	if (mmap(STATE, SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != STATE)
		_exit(1);
}

static void run(void)
{
	char byte;

	close(stop[1]);
	if (IS_MENDED)
		map_state();
	if (write(up[1], "u", 1) != 1)
		_exit(1);
	WINDOW();
	if (!IS_MENDED)
		map_state();
	_exit(read(stop[0], &byte, 1) != 0);
}

int main(void)
{
	char copy[SIZE], byte;
	struct iovec to = { copy, SIZE }, from = { STATE, SIZE };
	pid_t child;

	assert(!pipe(up) && !pipe(stop));
	child = fork();
	assert(child >= 0);
	if (!child)
		run();
	assert(read(up[0], &byte, 1) == 1);
	assert(process_vm_readv(child, &to, 1, &from, 1, 0) == SIZE);
	close(stop[1]);
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
