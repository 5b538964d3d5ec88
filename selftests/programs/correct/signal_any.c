// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any thread may take the signal: its handler posts a semaphore, and calls that it
 * interrupts are restarted.
 *
 * expect: verdict=ok runs=4,43,271
 * A call that the handler came before or interrupted is a new point, for the handler had one. The
 * thread's end is one point more than its exit: it blocks all signals, and who sends one that
 * has a handler can tell whether the thread takes it.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t up;
static int jobs[2];

static void on_up(int sig)
{
	(void)sig;
	sem_post(&up);
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
	pthread_t thread;
	pid_t service;
	int status;

	assert(!pipe(jobs));
	assert(!sem_init(&up, 0, 0));
	assert(!sigaction(SIGUSR1, &action, NULL));
	service = fork();
	assert(service >= 0);
	if (!service) {
		assert(!kill(getppid(), SIGUSR1));
		_exit(0);
	}
	assert(!pthread_create(&thread, NULL, work, NULL));
	assert(!sem_wait(&up));
	assert(write(jobs[1], "", 1) == 1);
	assert(!pthread_join(thread, NULL));
	assert(waitpid(service, &status, 0) == service && !status);
	return 0;
}
