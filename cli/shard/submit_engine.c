// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who runs shards: this machine, Slurm, or GNU parallel; see submit.h. Each is asked by the
 * commands that its users type, and by what these print for scripts. Each starts
 *
 *	chessctl shard submit --dir DIR --task WAVE --index N
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "shard/submit.h"
#include "where.h"

/* A process, and what it writes to its standard output where @out is not NULL. */
static pid_t start(const char *const *argv, int *in, FILE **out, const char *log)
{
	int to[2] = { -1, -1 }, from[2] = { -1, -1 };
	pid_t pid;

	if ((in && pipe2(to, O_CLOEXEC)) || (out && pipe2(from, O_CLOEXEC)))
		return -1;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDWR);
		int said = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;

		dup2(in ? to[0] : null, STDIN_FILENO);
		dup2(out ? from[1] : said >= 0 ? said : null, STDOUT_FILENO);
		if (said >= 0)
			dup2(said, STDERR_FILENO);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (in)
		close(to[0]);
	if (out)
		close(from[1]);
	if (pid > 0 && in)
		*in = to[1];
	if (pid > 0 && out)
		*out = fdopen(from[0], "re");
	return pid;
}

static int ended(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The first line of what a command prints; malloc'ed, NULL: it failed, and has said why */
static char *first_line(const char *const *argv)
{
	FILE *out = NULL;
	char *line = NULL;
	size_t room = 0;
	ssize_t n = -1;
	pid_t pid = start(argv, NULL, &out, NULL);

	if (pid > 0 && out) {
		n = getline(&line, &room, out);
		while (fgetc(out) != EOF)
			;
		fclose(out);
	}
	if (pid > 0 && !ended(pid) && n > 0) {
		line[strcspn(line, "\n")] = 0;
		return line;
	}
	free(line);
	return NULL;
}

/* --- this machine ----------------------------------------------------------- */

static int local_begin(struct submit *s)
{
	(void)s;
	return CLI_PROCEED;
}

static int local_hand(struct submit *s, unsigned int wave, size_t n, double seconds)
{
	char *self = where_self();
	size_t i;

	(void)seconds;
	for (i = 0; i < s->n; i++) {
		struct submit_shard *shard = &s->shard[i];
		char number[16], index[16], *log;

		if (shard->fate != SUBMIT_RUNS || shard->wave != wave)
			continue;
		snprintf(number, sizeof(number), "%u", wave);
		snprintf(index, sizeof(index), "%u", shard->index);
		log = submit_path(s, "wave/%u/%u.log", wave, shard->index);
		shard->pid = start((const char *const[]){ self, "shard", "submit", "--dir", s->dir,
				   "--task", number, "--index", index, NULL }, NULL, NULL, log);
		free(log);
		if (shard->pid < 0)
			submit_gone(shard);
		else
			n--;
	}
	free(self);
	return n ? cli_fail(CLI_ENVIRONMENT, "shard: %zu processes could not be started: %s", n,
			    strerror(errno)) : CLI_PROCEED;
}

static int local_poll(struct submit *s)
{
	size_t i;
	int status;

	for (i = 0; i < s->n; i++)
		if (s->shard[i].pid > 0 && waitpid(s->shard[i].pid, &status, WNOHANG)) {
			s->shard[i].pid = 0;
			submit_gone(&s->shard[i]);
		}
	return CLI_PROCEED;
}

static void local_end(struct submit *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->shard[i].pid > 0)
			kill(s->shard[i].pid, SIGTERM);
}

/* --- Slurm ------------------------------------------------------------------- */

/*
 * All jobs of a search have one name, by which squeue and scancel know them. An array has at most
 * so many tasks, which any configuration allows.
 */
#define SLURM_ARRAY	1000

static struct slurm {
	char *name;
	char **job;	/* of each wave; NULL: not known */
	unsigned int waves;
} slurm;

/* What an earlier process has handed out, and Slurm may still have; poll() finds out. */
static void slurm_adopt(struct submit *s, unsigned int wave)
{
	char *path = submit_path(s, "wave/%u/job", wave), *line = NULL, id[SHARD_ID];
	FILE *f = fopen(path, "re");
	size_t room = 0;
	unsigned int i;

	if (f && getline(&line, &room, f) > 0)
		slurm.job[wave] = cli_printf("%s", line);
	if (f)
		fclose(f);
	free(path);
	path = submit_path(s, "wave/%u/list", wave);
	f = slurm.job[wave] ? fopen(path, "re") : NULL;
	for (i = 0; f && getline(&line, &room, f) > 0; i++) {
		struct submit_shard *shard = NULL;

		if (sscanf(line, "%16s", id) == 1)
			shard = submit_shard_of(s, id);
		if (!shard || shard->fate != SUBMIT_WAITS)
			continue;
		shard->fate = SUBMIT_RUNS;
		shard->wave = wave;
		shard->index = i;
	}
	if (f)
		fclose(f);
	free(path);
	free(line);
}

static int slurm_begin(struct submit *s)
{
	unsigned int i;

	if (system("(command -v sbatch && command -v squeue && command -v scancel) >/dev/null 2>&1"))
		return cli_fail(CLI_ENVIRONMENT, "shard: there is no sbatch, squeue or scancel here; install slurm-client, or choose another --engine");
	slurm.name = cli_printf("chess-%s", s->n ? s->shard[0].h.search : "none");
	slurm.waves = s->waves;
	slurm.job = cli_alloc(s->waves + 1, sizeof(*slurm.job));
	for (i = 0; i < s->waves; i++)
		slurm.job[i] = NULL;
	/* The last wave that a shard was in is the one that counts. */
	while (i)
		slurm_adopt(s, --i);
	return CLI_PROCEED;
}

static int slurm_hand(struct submit *s, unsigned int wave, size_t n, double seconds)
{
	char *self = where_self(), *dir = submit_path(s, "wave/%u", wave);
	char *array = cli_printf("--array=0-%zu", n - 1);
	char *name = cli_printf("--job-name=%s", slurm.name);
	char *log = cli_printf("--output=%s/%%a.log", dir);
	char *time = cli_printf("--time=%.0f", (seconds + SUBMIT_GRACE + 59) / 60);
	/* Neither path can have a quote in it that ends ours. */
	char *wrap = cli_printf("--wrap=exec '%s' shard submit --dir '%s' --task %u", self, s->dir,
				wave);
	char *cwd = cli_printf("--chdir=%s", s->dir), *line, *path = cli_printf("%s/job", dir);
	int ret = CLI_ENVIRONMENT;

	line = first_line((const char *const[]){ "sbatch", "--parsable", "--requeue", "--ntasks=1",
			  "--open-mode=append", "--signal=TERM@60", cwd, name, array, log, time,
			  wrap, NULL });
	if (line) {
		/* JOB, or JOB;CLUSTER */
		line[strcspn(line, ";")] = 0;
		slurm.job = cli_realloc(slurm.job, wave + 1, sizeof(*slurm.job));
		while (slurm.waves <= wave)
			slurm.job[slurm.waves++] = NULL;
		slurm.job[wave] = line;
		ret = submit_write_file(path, line);
	}
	free(self);
	free(dir);
	free(array);
	free(name);
	free(log);
	free(time);
	free(wrap);
	free(cwd);
	free(path);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int slurm_poll(struct submit *s)
{
	char *name = cli_printf("--name=%s", slurm.name), **alive = NULL, *line = NULL, *key;
	size_t n = 0, room = 0, i;
	FILE *out = NULL;
	pid_t pid = start((const char *const[]){ "squeue", "-h", "-r", name, "-o", "%F_%K", NULL },
			  NULL, &out, NULL);
	int code;

	free(name);
	while (pid > 0 && out && getline(&line, &room, out) > 0) {
		line[strcspn(line, " \n")] = 0;
		alive = cli_realloc(alive, n + 1, sizeof(*alive));
		alive[n++] = cli_printf("%s", line);
	}
	if (out)
		fclose(out);
	code = pid > 0 ? ended(pid) : -1;
	qsort(alive, n, sizeof(*alive), by_name);
	for (i = 0; !code && i < s->n; i++) {
		struct submit_shard *shard = &s->shard[i];

		if (shard->fate != SUBMIT_RUNS)
			continue;
		key = cli_printf("%s_%u", slurm.job[shard->wave], shard->index);
		if (!n || !bsearch(&key, alive, n, sizeof(*alive), by_name))
			submit_gone(shard);
		free(key);
	}
	for (i = 0; i < n; i++)
		free(alive[i]);
	free(alive);
	free(line);
	return code ? CLI_ENVIRONMENT : CLI_PROCEED;
}

/* Those that run see by the file "stop" that they are not wanted. */
static void slurm_end(struct submit *s)
{
	char *name = cli_printf("--name=%s", slurm.name);

	(void)s;
	free(first_line((const char *const[]){ "scancel", "--state=PENDING", name, NULL }));
	free(name);
}

/* --- GNU parallel ------------------------------------------------------------ */

/*
 * One process for the whole search, which starts a shard for each line that it gets. It reads as
 * many lines as it has places before it starts the first, so it gets lines without a shard first.
 */
static struct parallel {
	pid_t pid;
	int in;
	FILE *log;	/* a line for each that has ended */
} parallel = { .in = -1 };

static int parallel_begin(struct submit *s)
{
	char *self = where_self(), *jobs = cli_printf("%u", s->o.workers), *line;
	char *log = submit_path(s, "wave/parallel.%d.log", (int)getpid());
	char *said = submit_path(s, "wave/parallel.out");
	const char *argv[32];
	unsigned int i, n = 0;
	int fd;

	if (system("command -v parallel >/dev/null 2>&1"))
		return cli_fail(CLI_ENVIRONMENT, "shard: there is no GNU parallel here; install the package parallel, or choose another --engine");
	signal(SIGPIPE, SIG_IGN);
	argv[n++] = "parallel";
	argv[n++] = "--will-cite";
	argv[n++] = "--jobs";
	argv[n++] = jobs;
	argv[n++] = "--joblog";
	argv[n++] = log;
	argv[n++] = "--colsep";
	argv[n++] = " ";
	if (s->o.login) {
		argv[n++] = "--sshlogin";
		argv[n++] = s->o.login;
		argv[n++] = "--workdir";
		argv[n++] = s->o.cwd;
	}
	argv[n++] = self;
	argv[n++] = "shard";
	argv[n++] = "submit";
	argv[n++] = "--dir";
	argv[n++] = s->dir;
	argv[n++] = "--task";
	argv[n++] = "{1}";
	argv[n++] = "--index";
	argv[n++] = "{2}";
	argv[n] = NULL;
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd >= 0)
		close(fd);
	parallel.log = fopen(log, "re");
	parallel.pid = start(argv, &parallel.in, NULL, said);
	line = cli_printf("none 0\n");
	for (i = 0; i < s->o.workers && parallel.pid > 0; i++)
		if (write(parallel.in, line, strlen(line)) < 0)
			break;
	free(line);
	free(self);
	free(jobs);
	free(log);
	free(said);
	return parallel.pid > 0 && parallel.log ? CLI_PROCEED :
	       cli_fail(CLI_ENVIRONMENT, "shard: GNU parallel cannot be started: %s",
			strerror(errno));
}

static int parallel_hand(struct submit *s, unsigned int wave, size_t n, double seconds)
{
	size_t i;

	(void)s;
	(void)seconds;
	for (i = 0; i < n; i++)
		if (dprintf(parallel.in, "%u %zu\n", wave, i) < 0)
			return CLI_ENVIRONMENT;
	return CLI_PROCEED;
}

static void parallel_gone(struct submit *s, unsigned int wave, unsigned int index)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->shard[i].fate == SUBMIT_RUNS && s->shard[i].wave == wave &&
		    s->shard[i].index == index)
			submit_gone(&s->shard[i]);
}

static int parallel_poll(struct submit *s)
{
	char *line = NULL, *at;
	unsigned int wave, index;
	size_t room = 0, i;
	long from = ftell(parallel.log);

	while (getline(&line, &room, parallel.log) > 0) {
		/* Half a line is read again. */
		if (!strchr(line, '\n'))
			break;
		from = ftell(parallel.log);
		at = strstr(line, "--task ");
		if (at && sscanf(at, "--task %u --index %u", &wave, &index) == 2)
			parallel_gone(s, wave, index);
	}
	free(line);
	clearerr(parallel.log);
	fseek(parallel.log, from, SEEK_SET);
	if (parallel.pid <= 0 || waitpid(parallel.pid, NULL, WNOHANG) != parallel.pid)
		return CLI_PROCEED;
	/* It was killed. Those that it started may go on; their successors wait for them. */
	close(parallel.in);
	fclose(parallel.log);
	for (i = 0; i < s->n; i++)
		if (s->shard[i].fate == SUBMIT_RUNS)
			submit_gone(&s->shard[i]);
	return parallel_begin(s);
}

static void parallel_end(struct submit *s)
{
	(void)s;
	close(parallel.in);
	parallel.in = -1;
}

static const struct submit_engine engines[] = {
	{ "local", SIZE_MAX, local_begin, local_hand, local_poll, local_end },
	{ "slurm", SLURM_ARRAY, slurm_begin, slurm_hand, slurm_poll, slurm_end },
	{ "parallel", SIZE_MAX, parallel_begin, parallel_hand, parallel_poll, parallel_end },
};

const struct submit_engine *submit_engine_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engines[i].name, name))
			return &engines[i];
	return NULL;
}
