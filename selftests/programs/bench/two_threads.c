// SPDX-License-Identifier: GPL-2.0-only
/*
 * The small program of "runs per second": two threads that take one mutex eight
 * times each. With COUNT it measures the bare rate instead: it runs itself that
 * often with fork and exec, one after the other; one operation is one run. With
 * COUNT and "fork" each run is a fork that executes nothing: what is left of a
 * run where nothing starts.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
	for (int i = 0; i < 8; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static int work_twice(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return count == 16 ? 0 : 1;
}

static void run_once(char *program, int executes)
{
	char *argv[] = { program, NULL };
	pid_t pid = fork();
	int status;

	bench_check(pid >= 0, "fork");
	if (!pid) {
		if (!executes)
			_exit(work_twice());
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	bench_check(waitpid(pid, &status, 0) == pid && !status, "run");
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		long n = bench_count(2, argv);

		bench_start();
		for (long i = 0; i < n; i++)
			run_once(argv[0], argc == 2);
		bench_end("two_threads", n);
		return 0;
	}
	return work_twice();
}
