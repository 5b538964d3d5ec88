// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes a sealed copy of itself from memory, in a thread, while siblings sleep. Hard: exec
 * from a thread, and an image nobody can write to.
 */
#include "abuse.h"

static void *stay(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void *leave(void *unused)
{
	char *const args[] = { "sealed", "again", NULL }, *const none[] = { NULL };
	int in = open("/proc/self/exe", O_RDONLY), memory;
	char buffer[4096];
	ssize_t n;

	memory = (int)syscall(SYS_memfd_create, "sealed", 2U /* MFD_ALLOW_SEALING */);
	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(memory, buffer, (size_t)n) != n)
			_exit(8);
	fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	syscall(SYS_execveat, memory, "", args, none, AT_EMPTY_PATH);
	_exit(9);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	pid_t pid;

	(void)argv;
	if (argc > 1) {
		both(count, NULL, NULL);
		say("counted %d in memory\n", counted);
		return 0;
	}
	pid = fork();
	if (!pid) {
		pthread_create(&thread, NULL, stay, NULL);
		pthread_create(&thread, NULL, leave, NULL);
		stay(NULL);
	}
	say("status %#x\n", status_of(pid));
	return 0;
}
