// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program that is not under control while a group exists, so that the
 * module's probes are attached: what everybody else on the machine pays. With -t
 * there is no group, but somebody who traces system calls of another task: what
 * calls cost that go by the kernel's tracepoints. Called by bench.sh inside the VM,
 * as root: hold [-t] PROGRAM [ARG...]
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chessctl/chessctl.h"

#define TRACING "/sys/kernel/tracing"

static bool trace_calls(const char *event, pid_t pid)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	char path[128], id[32] = "";
	int fd;

	snprintf(path, sizeof(path), TRACING "/events/raw_syscalls/%s/id", event);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, id, sizeof(id) - 1) <= 0)
		return false;
	close(fd);
	attr.config = atoi(id);
	return syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC) >= 0;
}

/* Returns the task that is traced, which sleeps, or -1. */
static pid_t trace_somebody(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	mount("tracefs", TRACING, "tracefs", 0, NULL);
	if (pid < 0 || (trace_calls("sys_enter", pid) && trace_calls("sys_exit", pid)))
		return pid;
	kill(pid, SIGKILL);
	return -1;
}

static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execv(argv[0], argv);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

int main(int argc, char **argv)
{
	bool traces = argc > 1 && !strcmp(argv[1], "-t");
	struct chess_ctl *ctl;
	uint32_t group;
	pid_t sleeper;
	int ret;

	if (argc < 2 + traces) {
		fprintf(stderr, "hold: no program given\n");
		return 2;
	}
	if (traces) {
		sleeper = trace_somebody();
		if (sleeper < 0) {
			fprintf(stderr, "hold: cannot trace system calls (%s)\n", strerror(errno));
			return 2;
		}
		ret = run(argv + 2);
		kill(sleeper, SIGKILL);
		return ret;
	}
	ctl = chess_ctl_open();
	if (!ctl || chess_group_new(ctl, 0, 0, &group)) {
		fprintf(stderr, "hold: %s\n", chess_error());
		return 2;
	}
	ret = run(argv + 1);
	chess_ctl_close(ctl);
	return ret;
}
