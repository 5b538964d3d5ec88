// SPDX-License-Identifier: GPL-2.0-only
/*
 * What debuggers have to follow, for gdb_kinds.sh: fork, exec, threads, signals. Ends with 1,
 * and writes nothing: what goes to a terminal is written sooner.
 *
 * Usage: debugged fork|exec|threads|signals
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t taken;
static int sum;

static void handler(int sig)
{
	(void)sig;
	taken++;
}

static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	sum++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static int threads(void)
{
	pthread_t t[2];
	int i;

	for (i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, add, NULL))
			return 2;
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return sum == 2 ? 1 : 2;
}

/* One after the other, by fork() and vfork(). */
static int children(void)
{
	volatile int i;		/* a child of vfork() has the same */
	int status;
	pid_t pid;

	for (i = 0; i < 4; i++) {
		pid = i % 2 ? vfork() : fork();
		if (!pid)
			_exit(i);
		if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != i)
			return 2;
	}
	return 1;
}

static int execute(char *self)
{
	char *const argv[] = { self, (char *)"threads", NULL };
	int status;
	pid_t pid = fork();

	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(2);
	}
	if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 1)
		return 2;
	execv("/proc/self/exe", argv);
	return 2;
}

static int signals(void)
{
	struct sigaction action = { .sa_handler = handler };
	int i;

	if (sigaction(SIGUSR1, &action, NULL))
		return 2;
	for (i = 0; i < 3; i++)
		kill(getpid(), SIGUSR1);
	return taken == 3 ? 1 : 2;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	return !strcmp(kind, "fork") ? children() : !strcmp(kind, "exec") ? execute(argv[0]) :
	       !strcmp(kind, "threads") ? threads() : !strcmp(kind, "signals") ? signals() : 3;
}
