// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker is to die with its parent, but says that it is ready before it has asked for
 * that with prctl(2). A parent that ends in between leaves it behind, and whoever waits for
 * its end of the pipe waits for ever.
 *
 * expect: verdict=deadlock preemptions=1
 * The parent must end while the worker stands at its prctl(2).
 */
#include <assert.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int alive[2], ready[2];

static void work(void)
{
	assert(write(ready[1], "", 1) == 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void employ(void)
{
	pid_t worker = fork();
	char byte;

	assert(worker >= 0);
	if (!worker)
		work();
	assert(read(ready[0], &byte, 1) == 1);
	_exit(0);
}

int main(void)
{
	pid_t parent;
	char byte;

	assert(!pipe(alive) && !pipe(ready));
	parent = fork();
	assert(parent >= 0);
	if (!parent)
		employ();
	close(alive[1]);
	assert(waitpid(parent, NULL, 0) == parent);
	assert(!read(alive[0], &byte, 1));
	return 0;
}
