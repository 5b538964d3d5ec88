// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same in a System V segment. Mended: by atomic instructions.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef MENDED
#define COUNT	atomic_int
#else
#define COUNT	int
#endif

int main(void)
{
	int id = shmget(IPC_PRIVATE, sizeof(COUNT), IPC_CREAT | 0600);
	COUNT *count = shmat(id, NULL, 0);
	pid_t child;

	assert(count != (void *)-1);
	shmctl(id, IPC_RMID, NULL);
	child = fork();
	assert(child >= 0);
	(*count)++;
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	assert(*count == 2);
	return 0;
}
