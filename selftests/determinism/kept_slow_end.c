// SPDX-License-Identifier: GPL-2.0-only
/*
 * If its second process begins first it waits for ever, and is killed. It takes long to end then,
 * as nobody else has its large file of memory: when the next run begins it still has the number
 * of the first process as that of its group of processes.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES	(48L << 20)

int main(void)
{
	int begun[2], go[2];
	pid_t pid;
	char c;

	if (pipe2(begun, O_NONBLOCK) || pipe(go))
		return 1;
	pid = fork();
	if (pid < 0)
		return 1;
	if (!pid) {
		if (write(begun[1], "", 1) != 1 ||
		    fallocate(memfd_create("large", 0), 0, 0, BYTES))
			_exit(2);
		_exit(read(go[0], &c, 1) != 1);
	}
	if (read(begun[0], &c, 1) != 1)
		_exit(write(go[1], "", 1) != 1);
	_exit(0);
}
