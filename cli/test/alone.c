// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command without control: to have its cases listed, and to know how a case ends by
 * itself. Inside the VM as the user who started chessctl, as what is under control is.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "where.h"
#include "test.h"

/* More than that of what a program says nobody reads. */
#define MOST_SAID	(1 << 20)

static volatile sig_atomic_t interrupted;

void test_interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

bool test_interrupted(void)
{
	return interrupted;
}

char *alone_read(int fd)
{
	struct stat st;
	size_t size = fstat(fd, &st) ? 0 : st.st_size;
	char *text;
	ssize_t n;

	if (size > MOST_SAID)
		size = MOST_SAID;
	text = cli_alloc(size + 1, 1);
	n = pread(fd, text, size, 0);
	text[n > 0 ? n : 0] = 0;
	return text;
}

void alone_clear(struct alone *a)
{
	free(a->out);
	free(a->err);
	*a = (struct alone){ 0 };
}

static bool become_user(void)
{
	uint32_t uid = where_id("CHESS_VM_UID"), gid = where_id("CHESS_VM_GID");

	if (gid && gid != UINT32_MAX && (setgroups(0, NULL) || setgid(gid)))
		return false;
	return !uid || uid == UINT32_MAX || !setuid(uid);
}

/* In the child; never returns. */
static void start(char **argv, const struct strings *env, const char *cwd, int out, int err)
{
	int null = open("/dev/null", O_RDONLY);
	size_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	if (dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0 || (cwd && chdir(cwd)) || !become_user())
		_exit(127);
	for (i = 0; env && i < env->n; i++)
		putenv(env->v[i]);
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/*
 * Whatever it started ends with it. An interrupt that comes right before the wait is only seen
 * if it comes while it lasts, so signals are blocked but there.
 */
static void wait_for(pid_t pid, double seconds, struct alone *a)
{
	struct pollfd p = { .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	struct timespec left = { .tv_sec = seconds,
				 .tv_nsec = (seconds - (time_t)seconds) * 1e9 };
	sigset_t all, old;
	int n;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	do {
		a->interrupted = test_interrupted();
		n = a->interrupted ? 1 : ppoll(&p, 1, &left, &old);
	} while (n < 0 && errno == EINTR);
	sigprocmask(SIG_SETMASK, &old, NULL);
	a->timed_out = !n;
	kill(-pid, SIGKILL);
	while (waitpid(pid, &a->status, 0) < 0 && errno == EINTR)
		;
	close(p.fd);
}

int alone_run(char **argv, const struct strings *env, const char *cwd, double seconds,
	      struct alone *a)
{
	int out = memfd_create("stdout", MFD_CLOEXEC), err = memfd_create("stderr", MFD_CLOEXEC);
	int ret = out < 0 || err < 0 ? -errno : 0;
	pid_t pid;

	*a = (struct alone){ 0 };
	if (!ret) {
		fflush(NULL);
		pid = fork();
		if (!pid)
			start(argv, env, cwd, out, err);
		ret = pid < 0 ? -errno : 0;
	}
	if (!ret) {
		wait_for(pid, seconds, a);
		a->out = alone_read(out);
		a->err = alone_read(err);
	}
	if (out >= 0)
		close(out);
	if (err >= 0)
		close(err);
	return ret;
}
