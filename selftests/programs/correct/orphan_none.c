// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker is to die with its parent, and asks for that with prctl(2) before it says that
 * it is ready: its end of the pipe is closed when the parent is gone.
 *
 * expect: verdict=ok runs=1,9,40
 */
#include <assert.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int alive[2], ready[2];

static void work(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	assert(write(ready[1], "", 1) == 1);
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
