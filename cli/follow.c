// SPDX-License-Identifier: GPL-2.0-only
/*
 * See follow.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define OPTIONS	(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | \
		 PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | \
		 PTRACE_O_TRACEEXIT)

bool follow_is_program(const char *self, pid_t pid)
{
	char path[64], exe[PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	n = readlink(path, exe, sizeof(exe) - 1);
	if (n <= 0)
		return false;
	exe[n] = '\0';
	return strcmp(exe, self) != 0;
}

static void handle_stop(const struct follow *f, pid_t child, pid_t pid, int status)
{
	int sig = WSTOPSIG(status), event = status >> 16, pass = 0;
	unsigned long made;

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) {
		/* Stopped by a signal: it stays so until SIGCONT. */
		ptrace(PTRACE_LISTEN, pid, 0, 0);
		return;
	}
	/* The parent of a traced process hears of its end when its tracer has: too late. */
	if (event == PTRACE_EVENT_EXIT && pid != child) {
		ptrace(PTRACE_DETACH, pid, 0, 0);
		return;
	}
	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE) {
		if (f->made && !ptrace(PTRACE_GETEVENTMSG, pid, 0, &made))
			f->made(f->arg, pid, made);
	} else if (!event && sig == (SIGTRAP | 0x80)) {
		f->call(f->arg, pid);
	} else if (!event) {
		pass = sig;
	}
	ptrace(pid == child ? PTRACE_CONT : PTRACE_SYSCALL, pid, 0, pass);
}

static int wait_for_all(const struct follow *f, pid_t child)
{
	int status;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &status, __WALL);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return -errno;
		if (WIFSTOPPED(status))
			handle_stop(f, child, pid, status);
		else if (pid == child)
			return status;
	}
}

int follow_child(const struct follow *f)
{
	int go[2], ret;
	pid_t child;
	char c;

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	child = fork();
	if (!child) {
		close(go[1]);
		if (read(go[0], &c, 1) == 1)
			f->child(f->arg);
		_exit(1);
	}
	ret = -errno;
	close(go[0]);
	if (child > 0 && !ptrace(PTRACE_SEIZE, child, 0, OPTIONS) && write(go[1], "", 1) == 1) {
		close(go[1]);
		return wait_for_all(f, child);
	}
	if (child > 0)
		ret = -errno;
	close(go[1]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return ret;
}
