// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an engine starts for each shard, on any machine that sees the folder (submit.h): it runs
 * the shard and hands in what came of it. Another process that has the same shard at the same
 * time, as the engine believed this one dead, waits for it, and finds the result.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "shard/submit.h"
#include "where.h"

static volatile sig_atomic_t signalled;
static volatile pid_t child;

static void pass_on(int sig)
{
	signalled = sig;
	if (child > 0)
		kill(child, SIGTERM);
}

/* A line of wave/N/list. */
struct task {
	char id[SHARD_ID], path[512];
	double seconds;
	unsigned int level;
};

static int read_task(const struct submit *s, const char *wave, const char *index, struct task *t)
{
	char *path = submit_path(s, "wave/%s/list", wave), *line = NULL;
	unsigned long at = strtoul(index, NULL, 10), i;
	FILE *f = fopen(path, "re");
	size_t room = 0;
	bool good = f;

	for (i = 0; good && i <= at; i++)
		good = getline(&line, &room, f) > 0;
	good = good && sscanf(line, "%16s %lf %u %511[^\n]", t->id, &t->seconds, &t->level,
			      t->path) == 4;
	if (f)
		fclose(f);
	free(line);
	free(path);
	if (good)
		return CLI_PROCEED;
	return cli_fail(CLI_USAGE, "shard: %s has no wave '%s' with a shard number '%s'", s->dir,
			wave, index);
}

/* Shards of that level are not to be run any more. */
static bool is_stopped(const struct submit *s, unsigned int level)
{
	char text[16] = "";
	int fd = openat(s->fd, "stop", O_RDONLY | O_CLOEXEC);
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, text, sizeof(text) - 1) > 0 && level >= strtoul(text, NULL, 10);
	close(fd);
	return is;
}

static bool is_done(const struct submit *s, const char *id)
{
	char *path = submit_path(s, "done/%s", id);
	bool is = !access(path, F_OK);

	free(path);
	return is;
}

/* Far from the numbers that a program gets for its own files. */
#define LOCK_FD		200

/*
 * The folder is ours alone while the file is open, also in what we start: whoever is left of us
 * when we are killed still writes there. Return: the file; -1 and errno, 0: it is not needed
 */
static int lock(const struct submit *s, const struct task *t, const char *work)
{
	char *path = cli_printf("%s/lock", work);
	int fd = -1, low, ret = 0;

	if (mkdir(work, 0777) && errno != EEXIST)
		ret = errno;
	low = ret ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (low >= 0)
		fd = fcntl(low, F_DUPFD, LOCK_FD);
	if (!ret && fd < 0)
		ret = errno;
	if (low >= 0)
		close(low);
	while (!ret && flock(fd, LOCK_EX))
		ret = errno == EINTR && !signalled ? 0 : errno;
	/* It may have been handed in meanwhile, and its folder is gone with that. */
	if (is_done(s, t->id) || signalled)
		ret = 0;
	else if (!ret)
		ret = -1;
	free(path);
	if (ret < 0)
		return fd;
	if (fd >= 0)
		close(fd);
	errno = ret;
	return -1;
}

/* What makes runs is named by $CHESS_SHARD where that is not chessctl, as in its tests. */
static char *self_for_runs(void)
{
	const char *other = getenv("CHESS_SHARD");

	return other && *other ? cli_printf("%s", other) : where_self();
}

int submit_chessctl(char *const *argv, int to, bool makes_runs)
{
	char *self = makes_runs ? self_for_runs() : where_self(), **all;
	int status = 0;
	size_t n = 0;
	pid_t pid;

	while (argv[n])
		n++;
	all = cli_alloc(n + 2, sizeof(*all));
	all[0] = self;
	memcpy(all + 1, argv, (n + 1) * sizeof(*all));
	fflush(NULL);
	pid = self ? fork() : -1;
	if (!pid) {
		if (to < 0 || dup2(to, STDOUT_FILENO) >= 0)
			execv(self, all);
		_exit(CLI_ENVIRONMENT);
	}
	if (to >= 0)
		close(to);
	free(all);
	free(self);
	if (pid < 0)
		return cli_fail(CLI_ENVIRONMENT, "shard: no process can be started: %s",
				strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return CLI_ENVIRONMENT;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_ENVIRONMENT;
}

/* shard run, until it ends or is called back. Return: its exit code */
static int run(const struct submit *s, const struct task *t, const char *work)
{
	char *self = self_for_runs(), *file = submit_path(s, "%s", t->path), *argv[16];
	char *seconds = cli_printf("%.3f", t->seconds), *back = cli_printf("%s/back", work);
	const sigset_t none = { 0 };
	int n = 0, status = 0;
	bool stopped = false;

	argv[n++] = self;
	argv[n++] = (char *)"shard";
	argv[n++] = (char *)"run";
	argv[n++] = (char *)"--time";
	argv[n++] = seconds;
	argv[n++] = (char *)"--out";
	argv[n++] = (char *)work;
	if (s->o.host)
		argv[n++] = (char *)"--host";
	argv[n++] = file;
	argv[n] = NULL;
	/* For an earlier process. */
	unlink(back);
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execv(self, argv);
		_exit(CLI_ENVIRONMENT);
	}
	if (signalled && child > 0)
		kill(child, SIGTERM);
	while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
		if (!stopped && (is_stopped(s, t->level) || !access(back, F_OK)))
			stopped = !kill(child, SIGTERM);
		usleep(200000);
	}
	free(self);
	free(file);
	free(seconds);
	free(back);
	if (child < 0)
		return CLI_ENVIRONMENT;
	/* Killed, which says nothing about the shard. */
	return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_INCOMPLETE;
}

/* Is there a result, and something in it? Else the shard is as it was. */
static bool has_result(const char *work)
{
	char *pattern = cli_printf("%s/*.result", work);
	struct shard_header h;
	bool has = false;
	glob_t g;

	if (!glob(pattern, 0, NULL, &g) && g.gl_pathc == 1)
		has = shard_read_header(g.gl_pathv[0], &h) == CLI_PROCEED &&
		      (h.runs || !h.left);
	globfree(&g);
	free(pattern);
	return has;
}

static void note_failure(const struct submit *s, const char *id, int code)
{
	int fd = openat(s->fd, "failures", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	char host[64] = "";

	gethostname(host, sizeof(host) - 1);
	if (fd < 0)
		return;
	dprintf(fd, "%s %d %s\n", id, code, host);
	close(fd);
}

static int run_locked(const struct submit *s, const struct task *t, const char *work)
{
	int code = run(s, t, work), done;

	if (code != CLI_OK && code != CLI_BUG && code != CLI_INCOMPLETE && !signalled) {
		note_failure(s, t->id, code);
		return code;
	}
	if (!has_result(work))
		return signalled ? CLI_INCOMPLETE : code;
	done = submit_commit(s, t->id, work);
	if (done < 0)
		return cli_fail(CLI_ENVIRONMENT, "shard: %s cannot be handed in: %s", work,
				strerror(-done));
	return CLI_OK;
}

int submit_task(const char *dir, const char *wave, const char *index)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = pass_on };
	struct submit s;
	struct task t;
	char *work;
	int code, fd;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &sa, NULL);
	code = submit_open(&s, dir, false);
	if (code == CLI_PROCEED)
		code = submit_read_search(&s);
	if (code == CLI_PROCEED)
		code = read_task(&s, wave, index, &t);
	if (code == CLI_PROCEED && !is_done(&s, t.id) && !is_stopped(&s, t.level)) {
		work = submit_path(&s, "work/%s", t.id);
		fd = lock(&s, &t, work);
		/* Where the program is the same as there. */
		if (fd >= 0 && chdir(s.o.cwd))
			code = cli_fail(CLI_ENVIRONMENT, "shard: the folder %s, where the search was begun, cannot be entered: %s",
					s.o.cwd, strerror(errno));
		else if (fd >= 0)
			code = run_locked(&s, &t, work);
		else if (errno)
			code = cli_fail(CLI_ENVIRONMENT, "shard: %s cannot be locked: %s", work,
					strerror(errno));
		if (fd >= 0)
			close(fd);
		free(work);
	}
	submit_close(&s);
	return code == CLI_PROCEED ? CLI_OK : code;
}
