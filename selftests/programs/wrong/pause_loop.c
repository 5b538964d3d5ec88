// SPDX-License-Identifier: GPL-2.0-only
/*
 * A supervisor waits until its service has said with a signal that it is up. The
 * signal is not blocked between the look at the flag and pause(2): one that comes
 * in between is handled, and pause waits for the next.
 *
 * expect: verdict=deadlock preemptions=1
 * Without a preemption the supervisor is in pause when the signal is sent. It must
 * be left between the look and the call, where it is enabled. Then it waits for the
 * signal for ever, and the service for its first job.
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t up;

static void on_up(int sig)
{
	(void)sig;
	up = 1;
}

static void serve(int jobs)
{
	char job;

	assert(!kill(getppid(), SIGUSR1));
	assert(read(jobs, &job, 1) == 1);
	_exit(job);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_up };
	int jobs[2], status;
	pid_t service;

	assert(!pipe(jobs));
	assert(!sigaction(SIGUSR1, &action, NULL));
	service = fork();
	assert(service >= 0);
	if (!service)
		serve(jobs[0]);
	while (!up)
		pause();
	assert(write(jobs[1], "\0", 1) == 1);
	assert(waitpid(service, &status, 0) == service && !status);
	return 0;
}
