// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread executes a program while its siblings sleep. Hard: it becomes the first one, the
 * others die of it.
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
	execl("/bin/echo", "echo", "from a thread", (char *)NULL);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (!pid) {
		pthread_create(&thread, NULL, stay, NULL);
		pthread_create(&thread, NULL, stay, NULL);
		pthread_create(&thread, NULL, leave, NULL);
		stay(NULL);
	}
	say("status %#x\n", status_of(pid));
	return 0;
}
