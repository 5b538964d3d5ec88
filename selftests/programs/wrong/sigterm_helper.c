// SPDX-License-Identifier: GPL-2.0-only
/*
 * A helper process is ended by SIGTERM, as it should be, and its parent takes it. Then a worker
 * uses a table that another has taken away in between: that is the crash, and the worker is
 * whose death counts, not the helper that was ended on purpose before.
 *
 * expect: verdict=crash preemptions=1
 * The other one must clear the table between the worker's look at it and its use.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value = 1, *table = &value;

static int *look(void)
{
	int *seen;

	pthread_mutex_lock(&lock);
	seen = table;
	pthread_mutex_unlock(&lock);
	return seen;
}

static void *work(void *arg)
{
	if (look())
		/* Another look, for what may be gone by now. */
		*look() = 2;
	return arg;
}

static void end_helper(void)
{
	pid_t helper = fork();
	int status;

	assert(helper >= 0);
	if (!helper)
		for (;;)
			pause();
	assert(!kill(helper, SIGTERM));
	assert(waitpid(helper, &status, 0) == helper);
	assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void *clear(void *arg)
{
	pthread_mutex_lock(&lock);
	table = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t worker, other;

	end_helper();
	assert(!pthread_create(&worker, NULL, work, NULL));
	assert(!pthread_create(&other, NULL, clear, NULL));
	pthread_join(worker, NULL);
	pthread_join(other, NULL);
	return 0;
}
