// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes count in memory that they share, without a lock.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

struct counters {
	long plain;
	atomic_long atomic;
};

static void count(struct counters *c)
{
	long old;

	if (IS_MENDED) {
		atomic_fetch_add(&c->atomic, 1);
		return;
	}
	old = c->plain;
	WINDOW();
	c->plain = old + 1;
}

int main(void)
{
	struct counters *c;
	int status;
	pid_t child;

	c = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(c != MAP_FAILED);
	child = fork();
	assert(child >= 0);
	if (!child) {
		count(c);
		_exit(0);
	}
	count(c);
	assert(waitpid(child, &status, 0) == child && !status);
	return c->plain + atomic_load(&c->atomic) == 2 ? 0 : 1;
}
