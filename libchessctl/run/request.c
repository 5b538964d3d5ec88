// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The command of a search over a service, see request.h. That it sleeps means that it
 * has asked for what it will ask for until it is answered: what the service finds when it
 * begins does not depend on which of the two was quicker.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "mix.h"
#include "wait/proc.h"
#include "run/request.h"

#define SAID_MAX	(64 * 1024)
/* A command with more generations than this is looked at no deeper. */
#define MAX_DEPTH	16

static void become_command(const char *command, int said_fd, pid_t parent)
{
	int null_fd = open("/dev/null", O_RDONLY);
	sigset_t none;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Ctrl-C is for chessctl; it ends the command then. */
	setpgid(0, 0);
	if (null_fd < 0 || dup2(null_fd, 0) < 0 || dup2(said_fd, 1) < 0 || dup2(said_fd, 2) < 0 ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(127);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

int chess_request_start(struct chess_request *q, const char *command)
{
	pid_t parent = getpid();

	*q = (struct chess_request){ .end_fd = -1 };
	q->said_fd = memfd_create("said", MFD_CLOEXEC);
	if (q->said_fd < 0)
		return chess_set_error(errno, "no memory file for the output of '%s': %m", command);
	fflush(NULL);
	q->pid = fork();
	if (!q->pid)
		become_command(command, q->said_fd, parent);
	if (q->pid > 0) {
		setpgid(q->pid, q->pid);
		q->end_fd = syscall(SYS_pidfd_open, q->pid, 0);
	}
	if (q->pid > 0 && q->end_fd >= 0)
		return 0;
	chess_set_error(errno, "'%s' could not be started: %m", command);
	chess_request_end(q);
	return -errno;
}

bool chess_request_over(struct chess_request *q)
{
	if (!q->over)
		q->over = waitpid(q->pid, &q->status, WNOHANG) == q->pid;
	return q->over;
}

/* Of one task: is it asleep, and how often did it go to sleep so far? */
static bool is_asleep(pid_t tid, uint64_t *print)
{
	const char *state, *times;
	char text[4096];

	/* One that is gone meanwhile has run. */
	if (chess_proc_read(tid, "status", text, sizeof(text)) <= 0)
		return false;
	state = strstr(text, "\nState:\t");
	times = strstr(text, "\nvoluntary_ctxt_switches:\t");
	if (!state || !times)
		return false;
	times = strchr(times, ':') + 1;
	*print = chess_mix(*print, strtoull(times, NULL, 10) ^ (uint64_t)tid << 32);
	/* A zombie waits for its parent, which is looked at too. */
	return state[8] == 'S' || state[8] == 'Z';
}

static bool is_tree_asleep(pid_t pid, int depth, uint64_t *print);

static bool are_children_asleep(pid_t tid, int depth, uint64_t *print)
{
	char text[4096], name[32], *at = text, *end;
	pid_t child;

	snprintf(name, sizeof(name), "task/%d/children", tid);
	if (depth == MAX_DEPTH || chess_proc_read(tid, name, text, sizeof(text)) <= 0)
		return true;
	for (child = strtol(at, &end, 10); end != at; child = strtol(at, &end, 10)) {
		if (!is_tree_asleep(child, depth + 1, print))
			return false;
		at = end;
	}
	return true;
}

static bool is_tree_asleep(pid_t pid, int depth, uint64_t *print)
{
	char path[64];
	struct dirent *e;
	bool asleep = true;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	if (!tasks)
		return false;
	while (asleep && (e = readdir(tasks)))
		if (*e->d_name != '.')
			asleep = is_asleep(atoi(e->d_name), print) &&
				 are_children_asleep(atoi(e->d_name), depth, print);
	closedir(tasks);
	return asleep;
}

bool chess_request_asleep(const struct chess_request *q, uint64_t *print)
{
	*print = 0;
	return is_tree_asleep(q->pid, 0, print);
}

char *chess_request_said(const struct chess_request *q, size_t *len)
{
	off_t size = lseek(q->said_fd, 0, SEEK_END), from = size > SAID_MAX ? size - SAID_MAX : 0;
	char *text = malloc(size - from + 1);
	ssize_t n = text ? pread(q->said_fd, text, size - from, from) : 0;

	*len = n > 0 ? n : 0;
	if (text)
		text[*len] = '\0';
	return text;
}

void chess_request_end(struct chess_request *q)
{
	if (q->pid > 0 && !chess_request_over(q)) {
		kill(-q->pid, SIGKILL);
		while (waitpid(q->pid, &q->status, 0) < 0 && errno == EINTR)
			;
	}
	if (q->end_fd >= 0)
		close(q->end_fd);
	if (q->said_fd >= 0)
		close(q->said_fd);
	*q = (struct chess_request){ .end_fd = -1, .said_fd = -1 };
}
