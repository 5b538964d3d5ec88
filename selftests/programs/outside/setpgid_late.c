// SPDX-License-Identifier: GPL-2.0-only
/*
 * A shell forks a job, which makes itself a process group. The shell signals the group, which
 * may not be there yet. Mended: both of them make it.
 *
 * source: The GNU C Library manual, Launching Jobs; Stevens, APUE, section 9.4
 * expect: verdict=exit
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

int main(void)
{
	int is_missing;
	pid_t job;

	job = fork();
	assert(job >= 0);
	if (!job) {
		setpgid(0, 0);
		pause();
		_exit(0);
	}
	if (IS_MENDED)
		setpgid(job, job);
	is_missing = kill(-job, SIGTERM);
	kill(job, SIGTERM);
	assert(waitpid(job, NULL, 0) == job);
	return !!is_missing;
}
