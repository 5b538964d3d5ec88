// SPDX-License-Identifier: GPL-2.0-only
/*
 * A supervisor waits in sigsuspend(2) for its service's signal, which it blocks
 * otherwise. It blocks it too late: a thread that it made before has it open, and
 * which thread takes a signal that is sent to the process is anybody's guess.
 *
 * expect: verdict=deadlock preemptions=0
 * There are none below zero: with the supervisor asleep and the thread in its read,
 * the signal may go to the thread.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t up;
static int jobs[2];

static void on_up(int sig)
{
	(void)sig;
	up = 1;
}

static void *work(void *arg)
{
	char job;

	assert(read(jobs[0], &job, 1) == 1);
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_up, .sa_flags = SA_RESTART };
	sigset_t mine, old;
	pthread_t thread;
	pid_t service;
	int status;

	assert(!pipe(jobs));
	assert(!sigaction(SIGUSR1, &action, NULL));
	service = fork();
	assert(service >= 0);
	if (!service) {
		assert(!kill(getppid(), SIGUSR1));
		_exit(0);
	}
	assert(!pthread_create(&thread, NULL, work, NULL));
	sigemptyset(&mine);
	sigaddset(&mine, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &mine, &old);
	while (!up)
		sigsuspend(&old);
	assert(write(jobs[1], "", 1) == 1);
	assert(!pthread_join(thread, NULL));
	assert(waitpid(service, &status, 0) == service && !status);
	return 0;
}
