// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl shard submit: split, run and merge, with a batch engine that runs the shards; submit.h
 * says how.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "explore.h"
#include "shard/internal.h"
#include "shard/submit.h"
#include "where.h"

/* Unless it is given. A VM is booted for each shard, which is to be worth it. */
#define SHARE		15
#define SHARE_MAX	1800
#define WORKERS		4

static struct {
	struct submit_options o;
	const char *dir, *resume, *task, *index;
	bool json;
} opt = {
	.o = { .share = SHARE, .share_max = SHARE_MAX },
};

const struct opt submit_options[SUBMIT_OPTIONS] = {
	{ "engine", OPT_STRING, &opt.o.engine, "E",
	  "submit: what runs shards: local (default), slurm or parallel", 0, 0, 0 },
	{ "dir", OPT_STRING, &opt.dir, "DIR",
	  "submit: folder of the search, which all machines see", 0, 0, 0 },
	{ "resume", OPT_STRING, &opt.resume, "DIR",
	  "submit: continue the search in that folder", 0, 0, 0 },
	{ "sshlogin", OPT_STRING, &opt.o.login, "LIST",
	  "submit: machines for parallel, as its option has them", 0, 0, OPT_AROUND },
	{ "share", OPT_SECONDS, &opt.o.share, "SEC",
	  "submit: call a shard back after this time, if workers wait (15)", 0.1, 1e6, OPT_AROUND },
	{ "share-max", OPT_SECONDS, &opt.o.share_max, "SEC",
	  "submit: and after this time in any case (1800)", 0.1, 1e6, OPT_AROUND },
	{ "task", OPT_STRING, &opt.task, "WAVE",
	  "submit: run one shard of a wave, as engines do", 0, 0, OPT_AROUND },
	{ "index", OPT_STRING, &opt.index, "N",
	  "submit: number of that shard ($SLURM_ARRAY_TASK_ID)", 0, 0, OPT_AROUND },
};

const char *submit_option_given(void)
{
	size_t i;

	if (opt.o.share != SHARE)
		return "share";
	if (opt.o.share_max != SHARE_MAX)
		return "share-max";
	for (i = 0; i < SUBMIT_OPTIONS; i++)
		if (submit_options[i].kind == OPT_STRING &&
		    *(const char *const *)submit_options[i].dest)
			return submit_options[i].name;
	return NULL;
}

/* Explore's options that are about one process, or that are said otherwise here. */
static const char *const not_here[] = {
	"out", "jobs", "time", "vm", "kernel", NULL,
};

/* The words of explore that shard split gets; the others are kept here. */
static const char *const kept_here[] = { "json", "progress", "host", NULL };

static bool is_in(const char *word, const char *const *list)
{
	size_t n = strcspn(word + 2, "=");

	for (; !strncmp(word, "--", 2) && *list; list++)
		if (strlen(*list) == n && !strncmp(*list, word + 2, n))
			return true;
	return false;
}

static int check(const struct shard_asked *a)
{
	char *const *word;

	if (a->n_files)
		return cli_fail(CLI_USAGE, "shard submit: '%s' is not expected; name the program after '--'",
				a->files[0]);
	if (a->from.n || a->image)
		return cli_fail(CLI_USAGE, "shard submit: --from and --image are for 'shard split'");
	if (opt.task || opt.index) {
		if (!opt.dir || !opt.task)
			return cli_fail(CLI_USAGE, "shard submit: --task and --index name a shard of a search; name its folder with --dir as well");
		return CLI_PROCEED;
	}
	if (opt.resume && (opt.dir || a->program || opt.o.engine || a->shards))
		return cli_fail(CLI_USAGE, "shard submit: --resume continues a search as it was begun; leave out --dir, --engine, --shards and the program");
	if (opt.resume)
		return CLI_PROCEED;
	if (!opt.dir)
		return cli_fail(CLI_USAGE, "shard submit: name a folder for the search with --dir");
	if (!a->program)
		return cli_fail(CLI_USAGE, "shard submit: name a program after '--'; see chessctl shard --help");
	for (word = a->given; *word; word++)
		if (is_in(*word, not_here))
			return cli_fail(CLI_USAGE, "shard submit: '%s' is for one shard, or for a search on one machine; leave it out",
					*word);
	if (!opt.o.engine)
		opt.o.engine = "local";
	if (!submit_engine_find(opt.o.engine))
		return cli_fail(CLI_USAGE, "shard submit: there is no engine '%s'; choose one of: local, slurm, parallel",
				opt.o.engine);
	if (opt.o.login && strcmp(opt.o.engine, "parallel"))
		return cli_fail(CLI_USAGE, "shard submit: --sshlogin is for --engine parallel");
	if (opt.o.share_max < opt.o.share)
		opt.o.share_max = opt.o.share;
	return explore_check();
}

/* The folder is part of commands that a shell reads. */
static int check_dir(const struct submit *s)
{
	if (!strpbrk(s->dir, "'\" \t\n\\$`"))
		return CLI_PROCEED;
	return cli_fail(CLI_USAGE, "shard: the path %s has a blank or a quote, which engines cannot pass on; name another folder",
			s->dir);
}

/* What was done, and what is left, as one result. */
static int merge(const struct submit *s)
{
	char **argv = cli_alloc(s->n_results + s->n + 8, sizeof(*argv)), **files = argv;
	size_t n = 0, i;
	int code;

	argv[n++] = (char *)"shard";
	argv[n++] = (char *)"merge";
	if (opt.json)
		argv[n++] = (char *)"--json";
	files = argv + n;
	for (i = 0; i < s->n_results; i++)
		argv[n++] = cli_printf("%s", s->result[i]);
	for (i = 0; i < s->n; i++)
		if (s->shard[i].fate == SUBMIT_WAITS || s->shard[i].fate == SUBMIT_RUNS)
			argv[n++] = submit_path(s, "%s", s->shard[i].path);
	argv[n] = NULL;
	code = submit_chessctl(argv, -1, false);
	while (*files)
		free(*files++);
	free(argv);
	return code;
}

static int search(struct submit *s)
{
	char *number;
	/* Eight prefixes each wait then, so one for each worker; they are cut once more. */
	int ret = submit_cut_first(s, (s->o.workers + 7) / 8);

	for (;;) {
		number = submit_path(s, "wave/%u", s->waves);
		if (access(number, F_OK))
			break;
		free(number);
		s->waves++;
	}
	free(number);
	if (ret == CLI_PROCEED)
		ret = submit_scan(s);
	if (ret == CLI_PROCEED)
		ret = submit_cut_rest(s);
	if (ret == CLI_PROCEED)
		ret = submit_rounds(s, submit_engine_find(s->o.engine));
	if (ret != CLI_PROCEED)
		return ret;
	ret = merge(s);
	if (ret == CLI_INCOMPLETE)
		cli_note("to continue: chessctl shard submit --resume %s", s->dir);
	return ret;
}

/* Arguments of shard split: explore's options and the program. */
static char **split_words(const struct shard_asked *a)
{
	size_t n = 0, k = 0, i;
	char **words;

	while (a->given[k])
		k++;
	while (a->program[n])
		n++;
	words = cli_alloc(k + n + 2, sizeof(*words));
	for (k = 0, i = 0; a->given[i]; i++) {
		if (!is_in(a->given[i], kept_here))
			words[k++] = a->given[i];
		else if (!strcmp(a->given[i], "--progress") && a->given[i + 1])
			i++;
	}
	words[k++] = (char *)"--";
	memcpy(words + k, a->program, (n + 1) * sizeof(*words));
	return words;
}

static int begin(struct submit *s, const struct shard_asked *a)
{
	s->o = opt.o;
	s->o.workers = a->shards ? a->shards : WORKERS;
	s->o.keep_going = explore_asked()->keep_going;
	s->o.host = explore_asked()->where.host;
	s->o.split = split_words(a);
	s->o.cwd = getcwd(NULL, 0);
	if (!s->o.cwd)
		return cli_fail(CLI_ENVIRONMENT, "shard submit: the current folder is gone");
	return submit_write_search(s);
}

static int take_up(struct submit *s)
{
	int ret = submit_read_search(s);

	if (ret == CLI_PROCEED && chdir(s->o.cwd))
		return cli_fail(CLI_ENVIRONMENT, "shard submit: the folder %s, where the search was begun, cannot be entered",
				s->o.cwd);
	if (ret == CLI_PROCEED && !submit_engine_find(s->o.engine))
		return cli_fail(CLI_USAGE, "shard submit: this chessctl has no engine '%s'",
				s->o.engine);
	return ret;
}

/* Engines that number shards by a variable; the others name it. */
static const char *index_of(void)
{
	const char *number = opt.index;

	if (!number)
		number = getenv("SLURM_ARRAY_TASK_ID");
	if (!number)
		number = getenv("JOB_COMPLETION_INDEX");
	return number ? number : "";
}

int shard_submit(const struct shard_asked *a)
{
	struct submit s;
	int ret = check(a);

	if (ret != CLI_PROCEED)
		return ret;
	/* A line that engine parallel gets for each of its places. */
	if (opt.task && !strcmp(opt.task, "none"))
		return CLI_OK;
	if (opt.task)
		return submit_task(opt.dir, opt.task, index_of());
	opt.json = explore_asked()->json;
	ret = submit_open(&s, opt.resume ? opt.resume : opt.dir, !opt.resume);
	if (ret == CLI_PROCEED)
		ret = check_dir(&s);
	if (ret == CLI_PROCEED)
		ret = submit_lock(&s);
	if (ret == CLI_PROCEED)
		ret = opt.resume ? take_up(&s) : begin(&s, a);
	if (ret == CLI_PROCEED)
		ret = search(&s);
	submit_close(&s);
	return ret;
}
