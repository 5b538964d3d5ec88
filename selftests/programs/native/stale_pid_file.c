// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two daemons find the pid file of one that has died. Each removes it and makes its own; the
 * second may remove that of the first, and both run.
 *
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "scratch.h"
#include "window.h"

static atomic_int *running;

static int make(const char *owner)
{
	int fd = open("pid", O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0)
		return -1;
	assert(write(fd, owner, 4) == 4);
	close(fd);
	return 0;
}

static int is_stale(void)
{
	int fd = open("pid", O_RDONLY), is_dead;
	char owner[4] = "";

	if (fd < 0)
		return 0;
	is_dead = read(fd, owner, 4) == 4 && !memcmp(owner, "dead", 4);
	close(fd);
	return is_dead;
}

/* With flock(2) nothing is ever removed, and a lock ends with who has it. */
static int may_run(int is_slow)
{
	if (IS_MENDED) {
		int fd = open("pid", O_RDWR);

		assert(fd >= 0);
		return !flock(fd, LOCK_EX | LOCK_NB);
	}
	if (!make("live"))
		return 1;
	if (!is_stale())
		return 0;
	if (is_slow)
		WINDOW();
	unlink("pid");
	return !make("live");
}

int main(void)
{
	int has_failed;
	pid_t child;

	running = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(running != MAP_FAILED);
	enter_scratch();
	assert(!make("dead"));
	child = fork();
	assert(child >= 0);
	if (!child) {
		atomic_fetch_add(running, may_run(1));
		/* It runs until the other one has had its try. */
		pause();
		_exit(0);
	}
	INTO_WINDOW();
	atomic_fetch_add(running, may_run(0));
	WINDOW();
	kill(child, SIGKILL);
	assert(waitpid(child, NULL, 0) == child);
	has_failed = atomic_load(running) > 1;
	unlink("pid");
	leave_scratch();
	return has_failed;
}
