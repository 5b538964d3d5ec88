// SPDX-License-Identifier: GPL-2.0-only
/*
 * A supervisor waits until its service has said with a signal that it is up. The
 * signal is blocked while it looks, and let in by sigsuspend(2) only.
 *
 * expect: verdict=ok runs=1,4,11
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
	sigset_t mine, old;
	pid_t service;

	assert(!pipe(jobs));
	assert(!sigaction(SIGUSR1, &action, NULL));
	sigemptyset(&mine);
	sigaddset(&mine, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mine, &old);
	service = fork();
	assert(service >= 0);
	if (!service)
		serve(jobs[0]);
	while (!up)
		sigsuspend(&old);
	assert(write(jobs[1], "\0", 1) == 1);
	assert(waitpid(service, &status, 0) == service && !status);
	return 0;
}
