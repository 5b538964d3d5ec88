// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process starts a child and hands its exit code on.
 *
 * expect: verdict=ok runs=1,2,3
 * By hand: as join_only, with waitpid for join and the child's exit_group for
 * the thread's exit.
 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status;
	pid_t child = fork();

	assert(child >= 0);
	if (!child)
		_exit(3);
	assert(waitpid(child, &status, 0) == child);
	assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	return 0;
}
