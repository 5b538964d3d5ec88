// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay --gdb. A task joins a group at its execve, and gdb is the one who
 * forks and executes the program. So gdb is given an exec-wrapper, ourselves:
 *
 *    chessctl replay --gdb          gdb            chessctl internal-exec
 *      group, traps, listen
 *      fork, exec gdb  ---------->  starti
 *                                   fork, sh ---->  connect
 *      peer's pid: task-add, schedule-set, run-start
 *      argv[0]  ------------------------------->    execve(program): under control
 *
 * "run" in gdb begins the schedule again: the wrapper connects once more.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "gdb.h"
#include "report.h"
#include "where.h"

static socklen_t address(struct sockaddr_un *sa, const char *name)
{
	memset(sa, 0, sizeof(*sa));
	sa->sun_family = AF_UNIX;
	/* abstract: nothing is left behind in the file system */
	snprintf(sa->sun_path + 1, sizeof(sa->sun_path) - 1, "%s", name);
	return offsetof(struct sockaddr_un, sun_path) + 1 + strlen(sa->sun_path + 1);
}

static int add_traps(struct chess_ctl *ctl, uint32_t group, const char *path)
{
	char **files = chess_symbols_files(path), **f;
	int ret = 0;

	for (f = files; f && *f; f++) {
		struct chess_probe *probes = NULL;
		int n = chess_symbols_probes(*f, &probes, NULL), fd = -1;

		if (n > 0) {
			fd = open(*f, O_RDONLY | O_CLOEXEC);
			ret = fd < 0 ? -errno : chess_probe_add(ctl, group, fd, probes, n);
		}
		if (fd >= 0)
			close(fd);
		free(probes);
		if (ret)
			break;
	}
	for (f = files; f && *f; f++)
		free(*f);
	free(files);
	return ret;
}

/* The wrapper has connected: put its task under control and let it execute. */
static int take_task(struct chess_ctl *ctl, uint32_t group, int fd,
		     const struct chess_schedule *prefix, const char *argv0)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	int ret;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return -errno;
	/* The name of the socket is no secret; only our own user may connect. */
	if (peer.uid != geteuid())
		return -EPERM;
	ret = chess_run_stop(ctl, group, 0);
	if (ret && ret != -EBUSY && ret != -EINVAL && ret != -ENOENT)
		return ret;
	ret = chess_schedule_set(ctl, group, prefix, chess_schedule_length(prefix));
	if (!ret)
		ret = chess_task_add(ctl, group, peer.pid);
	if (!ret)
		ret = chess_run_start(ctl, group, 0, NULL, 0);
	if (!ret && write(fd, argv0, strlen(argv0) + 1) < 0)
		ret = -errno;
	return ret;
}

static void exec_gdb(char **argv, const char *path, const char *cwd, const char *name)
{
	size_t n = 0, i;
	char **args;

	while (argv[n])
		n++;
	args = cli_alloc(n + 24, sizeof(*args));
	i = 0;
	args[i++] = (char *)"gdb";
	args[i++] = (char *)"-q";
	args[i++] = (char *)"-ex";
	args[i++] = (char *)"set startup-with-shell on";
	args[i++] = (char *)"-ex";
	args[i++] = (char *)"set disable-randomization on";
	args[i++] = (char *)"-ex";
	args[i++] = cli_printf("set exec-wrapper %s internal-exec %s", where_self(), name);
	args[i++] = (char *)"-ex";
	args[i++] = (char *)"set breakpoint pending on";
	args[i++] = (char *)"-ex";
	args[i++] = (char *)"starti";
	args[i++] = (char *)"--args";
	args[i++] = (char *)path;
	for (n = 1; argv[0] && argv[n]; n++)
		args[i++] = argv[n];
	if (cwd && chdir(cwd)) {
		cli_note("the folder '%s' of the trace cannot be entered: %s", cwd,
			 strerror(errno));
		_exit(CLI_ENVIRONMENT);
	}
	setenv("SHELL", "/bin/sh", 1);
	execvp("gdb", args);
	cli_note("gdb cannot be started: %s; apt-get install gdb", strerror(errno));
	_exit(CLI_ENVIRONMENT);
}

/* How the run inside gdb compares with the trace. */
static int judge(struct chess_ctl *ctl, uint32_t group, const struct chess_trace *t)
{
	struct chess_record *seen = chess_record_get(ctl, group);
	struct chess_trace other = *t;
	struct report a, b;
	size_t at;
	int code = CLI_OK;

	if (!seen || !chess_record_length(seen)) {
		chess_record_free(seen);
		return CLI_OK;
	}
	at = chess_record_compare(t->record, seen);
	if (at == SIZE_MAX) {
		printf("the run under gdb followed the trace to its end\n");
		code = chess_verdict_is_bug(t->verdict) ? CLI_BUG : CLI_OK;
	} else if (at >= chess_record_length(seen)) {
		printf("the run under gdb followed the trace as far as it went, event %zu of %zu\n",
		       at, chess_record_length(t->record));
	} else {
		printf("diverged: the run under gdb left the trace\n");
		other.record = seen;
		report_open(&a, t);
		report_open(&b, &other);
		report_difference(&a, &b, at, stdout);
		report_close(&a);
		report_close(&b);
		code = CLI_INCOMPLETE;
	}
	chess_record_free(seen);
	return code;
}

int gdb_replay(struct chess_ctl *ctl, const struct chess_trace *t, char **argv, const char *path,
	       const char *cwd, const struct session_opts *o, bool sync_points)
{
	struct chess_schedule *prefix = chess_record_schedule(t->record);
	struct sockaddr_un sa;
	uint32_t group = 0;
	int listener = -1, status = 0, ret, code = CLI_ENVIRONMENT;
	char name[64];
	pid_t gdb = -1;

	snprintf(name, sizeof(name), "chessctl-gdb-%d", getpid());
	ret = prefix ? chess_group_new(ctl, o->quantum_ms * 1000, 0, &group) : -ENOMEM;
	if (!ret && sync_points)
		ret = add_traps(ctl, group, path);
	if (ret) {
		cli_note("no group can be made for gdb: %s", chess_error());
		goto out;
	}
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&sa, address(&sa, name)) ||
	    listen(listener, 4)) {
		cli_note("no socket can be made for gdb: %s", strerror(errno));
		goto out;
	}
	/* Ctrl-C is gdb's, which stops the program with it. */
	signal(SIGINT, SIG_IGN);
	gdb = fork();
	if (!gdb) {
		signal(SIGINT, SIG_DFL);
		exec_gdb(argv, path, cwd, name);
	}
	while (gdb > 0 && !waitpid(gdb, &status, WNOHANG)) {
		struct pollfd p = { .fd = listener, .events = POLLIN };
		int fd;

		if (poll(&p, 1, 200) <= 0)
			continue;
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		ret = take_task(ctl, group, fd, prefix, argv[0]);
		if (ret)
			cli_note("the program of gdb cannot be put under control: %s",
				 ret == -EPERM ? "it belongs to somebody else" : chess_error());
		close(fd);
	}
	if (gdb > 0 && WIFEXITED(status) && WEXITSTATUS(status) == CLI_ENVIRONMENT)
		goto out;
	code = judge(ctl, group, t);
out:
	if (listener >= 0)
		close(listener);
	if (group)
		chess_group_del(ctl, group);
	chess_schedule_free(prefix);
	return code;
}

/* internal-exec NAME PROGRAM [ARG...]: the exec-wrapper above, run by gdb */
int cmd_internal_exec(int argc, char **argv)
{
	struct sockaddr_un sa;
	const char *path;
	char argv0[4096];
	socklen_t size;
	ssize_t n;
	int fd;

	if (argc < 3)
		return cli_fail(CLI_USAGE, "internal-exec is for 'chessctl replay --gdb' only");
	size = address(&sa, argv[1]);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&sa, size))
		return cli_fail(CLI_ENVIRONMENT, "the chessctl that started gdb is gone: %s",
				strerror(errno));
	n = read(fd, argv0, sizeof(argv0) - 1);
	if (n <= 0)
		return cli_fail(CLI_ENVIRONMENT, "the program was not put under control");
	argv0[n] = 0;
	/* gdb adds these; the recorded run most likely had neither */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	path = argv[2];
	argv[2] = argv0;
	execv(path, argv + 2);
	return cli_fail(CLI_ENVIRONMENT, "'%s' cannot be executed: %s", path, strerror(errno));
}
