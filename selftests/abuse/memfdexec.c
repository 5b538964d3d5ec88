// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes a program that is in no file system. Hard: an image without a path.
 */
#include "abuse.h"

int main(void)
{
	char *const args[] = { "echo", "from memory", NULL }, *const none[] = { NULL };
	int in = open("/bin/echo", O_RDONLY), memory = memfd_create("program", 0), odd = 0;
	char buffer[4096];
	ssize_t n;
	pid_t pid;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		odd += write(memory, buffer, (size_t)n) != n;
	pid = fork();
	if (!pid) {
		syscall(SYS_execveat, memory, "", args, none, AT_EMPTY_PATH);
		_exit(9);
	}
	say("status %#x, odd %d\n", status_of(pid), odd);
	return 0;
}
