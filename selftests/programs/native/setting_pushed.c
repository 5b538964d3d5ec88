// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process reads a setting twice, and relies on it being the same. Its parent writes a new one
 * into its memory meanwhile, by process_vm_writev(2).
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared_lock.h"
#include "window.h"

static volatile long setting;

static int use_setting(void)
{
	long first, second;

	lock_shared();
	first = setting;
	WINDOW();
	second = setting;
	unlock_shared();
	return first != second;
}

int main(void)
{
	long new = 1;
	struct iovec from = { &new, sizeof(new) }, to = { (void *)&setting, sizeof(setting) };
	int status;
	pid_t child;

	make_shared_lock();
	child = fork();
	if (!child)
		_exit(use_setting());
	INTO_WINDOW();
	lock_shared();
	process_vm_writev(child, &from, 1, &to, 1, 0);
	unlock_shared();
	assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
	return WEXITSTATUS(status);
}
