// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process updates a byte of the file "below", which it has mapped, and its child writes the same
 * byte by pwrite(): on an overlay the mapping belongs to another inode than the descriptor.
 */
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int fd = open("below", O_RDWR), status;
	volatile char *byte;
	pid_t pid;

	assert(fd >= 0);
	byte = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(byte != MAP_FAILED);
	pid = fork();
	assert(pid >= 0);
	if (!pid)
		_exit(pwrite(fd, "b", 1, 0) != 1);
	*byte |= 0x80;
	assert(waitpid(pid, &status, 0) == pid && !status);
	assert(*byte == (char)('b' | 0x80) || *byte == 'b');
	return 0;
}
