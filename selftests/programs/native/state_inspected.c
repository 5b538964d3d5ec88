// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process changes two numbers that belong together. Its inspector reads both with one
 * process_vm_readv(2), which may come in between: it gets one new and one old.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <signal.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared_lock.h"
#include "window.h"

static struct state {
	long first;
	long last;
} state;

static void change(void)
{
	lock_shared();
	state.first = 1;
	WINDOW();
	state.last = 1;
	unlock_shared();
	for (;;)
		pause();
}

int main(void)
{
	struct state is;
	struct iovec to = { &is, sizeof(is) }, from = { &state, sizeof(state) };
	pid_t child;

	make_shared_lock();
	child = fork();
	if (!child)
		change();
	INTO_WINDOW();
	lock_shared();
	assert(process_vm_readv(child, &to, 1, &from, 1, 0) == sizeof(is));
	unlock_shared();
	assert(!kill(child, SIGKILL));
	assert(waitpid(child, NULL, 0) == child);
	assert(is.first == is.last);
	return 0;
}
