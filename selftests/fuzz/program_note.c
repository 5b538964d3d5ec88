// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the steps of fuzzed programs note, and small things they share. See program.h.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

char own_path[PATH_MAX];

void note(struct ctx *c, long value)
{
	int n = snprintf(c->log + c->length, LOG_BYTES - c->length, " %ld", value);

	if (n > 0 && c->length + n < LOG_BYTES)
		c->length += n;
}

void note_text(struct ctx *c, const char *text)
{
	int n = snprintf(c->log + c->length, LOG_BYTES - c->length, "%s", text);

	if (n > 0 && c->length + n < LOG_BYTES)
		c->length += n;
}

int status_number(int status)
{
	if (WIFSIGNALED(status))
		return 1000 + WTERMSIG(status);
	if (WIFSTOPPED(status))
		return 2000 + WSTOPSIG(status);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 3000;
}

long result_of(long ret)
{
	return ret < 0 ? -errno : ret;
}

pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

void run_child(struct ctx *c, int (*fn)(struct ctx *c))
{
	int status = 0;
	pid_t pid;

	pthread_mutex_lock(&loading);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn(c));
	}
	pthread_mutex_unlock(&loading);
	if (pid < 0 || TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) != pid)
		note(c, -errno);
	note(c, status_number(status));
}
