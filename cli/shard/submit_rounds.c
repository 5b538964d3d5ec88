// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loop of shard submit: see what came of shards, cut what is left again, hand out more, by
 * submit_plan(). It keeps nothing in mind that is not in the folder, but for how often a shard was
 * handed out in vain.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "now.h"
#include "out.h"
#include "shard/submit.h"

/* The folder is read so often, in seconds. */
#define LOOK		1.0
/* Who was asked to end has so long to hand in what was done. */
#define PATIENCE	60
/* So often in vain, and there is something that trying again does not mend. */
#define LOST_MAX	50
#define FAILED_MAX	3
/* The engine does not answer for so many looks. */
#define SILENCE_MAX	300

static volatile sig_atomic_t interrupted;

static void interrupt(int sig)
{
	interrupted = sig;
}

static void note_child(int sig)
{
	(void)sig;
}

/* Ends early when a process of ours ends. */
static void pause_for(double seconds)
{
	struct timespec t = {
		.tv_sec = seconds, .tv_nsec = (seconds - (time_t)seconds) * 1e9,
	};

	nanosleep(&t, NULL);
}

void submit_gone(struct submit_shard *shard)
{
	if (shard->fate != SUBMIT_RUNS)
		return;
	shard->fate = SUBMIT_WAITS;
	shard->lost++;
}

/**
 * struct rounds - the loop
 * @s: the search
 * @engine: it
 * @began: when
 * @runs: that were made before
 * @silent: looks for which the engine has not answered
 * @told: level from which on shards were told to end; UINT_MAX: none
 * @failures: bytes of the file that were read
 * @p: progress
 */
struct rounds {
	struct submit *s;
	const struct submit_engine *engine;
	double began;
	uint64_t runs;
	unsigned int silent, told;
	long failures;
	struct out_progress p;
};

static size_t count(const struct submit *s, enum submit_fate fate, unsigned int below)
{
	size_t i, n = 0;

	for (i = 0; i < s->n; i++)
		n += s->shard[i].fate == fate && s->shard[i].h.level < below;
	return n;
}

/* All that run shards of @level or a higher one learn by this file that they are to end. */
static int stop_from(struct rounds *r, unsigned int level)
{
	char *path, *text;
	int ret;

	if (r->told <= level)
		return CLI_PROCEED;
	path = submit_path(r->s, "stop");
	text = cli_printf("%u\n", level);
	ret = submit_write_file(path, text);
	r->told = level;
	free(path);
	free(text);
	return ret;
}

/* Shards that could not be run at all: a program that is missing there, a kernel of its own. */
static int read_failures(struct rounds *r)
{
	char *path = submit_path(r->s, "failures"), *line = NULL, id[SHARD_ID], host[64];
	FILE *f = fopen(path, "re");
	int ret = CLI_PROCEED, code;
	size_t room = 0;

	if (f)
		fseek(f, r->failures, SEEK_SET);
	while (f && ret == CLI_PROCEED && getline(&line, &room, f) > 0 && strchr(line, '\n')) {
		struct submit_shard *shard;

		r->failures = ftell(f);
		if (sscanf(line, "%16s %d %63s", id, &code, host) != 3)
			continue;
		shard = submit_shard_of(r->s, id);
		if (shard && ++shard->failed >= FAILED_MAX && shard->fate != SUBMIT_DONE)
			ret = cli_fail(code == CLI_USAGE ? CLI_USAGE : CLI_ENVIRONMENT,
				       "shard: shard %s could not be run, the last time on %s; see %s/wave/%u/%u.log",
				       id, host, r->s->dir, shard->wave, shard->index);
	}
	if (f)
		fclose(f);
	free(line);
	free(path);
	return ret;
}

static int check_lost(const struct submit *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->shard[i].fate == SUBMIT_WAITS && s->shard[i].lost >= LOST_MAX)
			return cli_fail(CLI_ENVIRONMENT, "shard: shard %s was handed out %u times without a result; see %s/wave/%u/%u.log",
					s->shard[i].id, LOST_MAX, s->dir, s->shard[i].wave,
					s->shard[i].index);
	return CLI_PROCEED;
}

/* The wave's list is there before the engine hears of it. */
static int hand_out(struct rounds *r, struct submit_shard **shards, size_t n, double seconds)
{
	struct submit *s = r->s;
	char *dir = submit_path(s, "wave/%u", s->waves), *path = cli_printf("%s/list", dir);
	char *text = NULL;
	size_t i, size = 0;
	FILE *f = open_memstream(&text, &size);
	int ret;

	for (i = 0; f && i < n; i++) {
		unsigned int level = shards[i]->h.level;

		fprintf(f, "%s %.3f %u %s\n", shards[i]->id, seconds, level, shards[i]->path);
		shards[i]->fate = SUBMIT_RUNS;
		shards[i]->wave = s->waves;
		shards[i]->index = i;
		shards[i]->since = chess_now();
		shards[i]->called = false;
	}
	if (!f || fclose(f))
		cli_no_memory();
	ret = mkdir(dir, 0777) && errno != EEXIST ?
	      cli_fail(CLI_ENVIRONMENT, "shard: the folder %s cannot be made: %s", dir,
		       strerror(errno)) : submit_write_file(path, text);
	if (ret == CLI_PROCEED && r->engine->hand(s, s->waves, n, seconds) != CLI_PROCEED) {
		/* What it took all the same finds the shard done, or locked. */
		for (i = 0; i < n; i++)
			if (shards[i]->fate == SUBMIT_RUNS)
				shards[i]->fate = SUBMIT_WAITS;
		r->silent++;
	}
	s->waves++;
	free(text);
	free(path);
	free(dir);
	return ret;
}

/* Its worker finds the file, and hands back what is left of the shard. false: nobody has begun */
static bool call_back(const struct submit *s, const struct submit_shard *shard)
{
	char *path = submit_path(s, "work/%s/back", shard->id);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd >= 0)
		close(fd);
	free(path);
	return fd >= 0;
}

/* What submit_plan() is to know: which of the shards these are goes to @waiting and @running. */
static void describe(const struct submit *s, struct submit_state *state,
		     struct submit_shard **waiting, struct submit_shard **running)
{
	struct submit_waiting *w = cli_alloc(s->n + 1, sizeof(*w));
	double *age = cli_alloc(s->n + 1, sizeof(*age)), now = chess_now();
	size_t i;

	*state = (struct submit_state){
		.workers = s->o.workers, .age = age, .waiting = w, .stop = s->stop,
		.bound = s->n ? s->shard[0].h.bound : 0, .share = s->o.share,
	};
	for (i = 0; i < s->n; i++) {
		struct submit_shard *shard = &s->shard[i];

		if (shard->fate == SUBMIT_RUNS) {
			age[state->running] = shard->called ? -1 : now - shard->since;
			running[state->running++] = shard;
		} else if (shard->fate == SUBMIT_WAITS) {
			w[state->n] = (struct submit_waiting){
				.level = shard->h.level, .weight = shard->h.weight,
				.prefixes = shard->h.prefixes,
			};
			waiting[state->n++] = shard;
		}
	}
}

/* One step of the plan. Return: CLI_PROCEED; *@again: there may be another one at once */
static int step(struct rounds *r, bool *again)
{
	struct submit *s = r->s;
	struct submit_shard **waiting = cli_alloc(s->n + 1, sizeof(*waiting));
	struct submit_shard **running = cli_alloc(s->n + 1, sizeof(*running));
	struct submit_shard **part = cli_alloc(s->n + 1, sizeof(*part));
	struct submit_state state;
	struct submit_plan plan;
	int ret = CLI_PROCEED;
	size_t i, n;

	describe(s, &state, waiting, running);
	submit_plan(&state, &plan);
	*again = plan.n_again;
	for (i = 0; i < plan.n_again; i++)
		part[i] = waiting[plan.again[i]];
	if (plan.n_again)
		ret = submit_cut(s, part, plan.n_again, plan.pieces);
	for (i = 0; i < plan.n_call; i++)
		running[plan.call[i]]->called = call_back(s, running[plan.call[i]]);
	for (i = 0; i < plan.n_run && ret == CLI_PROCEED; i += n) {
		for (n = 0; n < r->engine->most && i + n < plan.n_run; n++)
			part[n] = waiting[plan.run[i + n]];
		ret = hand_out(r, part, n, s->o.share_max);
	}
	submit_plan_clear(&plan);
	free((void *)state.waiting);
	free((void *)state.age);
	free(part);
	free(running);
	free(waiting);
	return ret;
}

static void report(struct rounds *r, bool over)
{
	const struct submit *s = r->s;
	size_t waiting = count(s, SUBMIT_WAITS, UINT32_MAX);
	size_t running = count(s, SUBMIT_RUNS, UINT32_MAX);
	double took = chess_now() - r->began;
	unsigned int level = UINT32_MAX;
	double all = s->left_weight < 1 ? s->runs / (1 - s->left_weight) : 0;
	char *rest;
	size_t i;

	for (i = 0; i < s->n; i++)
		if ((s->shard[i].fate == SUBMIT_WAITS || s->shard[i].fate == SUBMIT_RUNS) &&
		    s->shard[i].h.level < level)
			level = s->shard[i].h.level;
	/* Until the first shards are back nothing is known of the speed. */
	if (s->runs == r->runs)
		all = 0;
	rest = cli_printf("bound %u, %zu shards run, %zu wait, %zu results",
			  level == UINT32_MAX ? 0 : level, running, waiting, s->n_results);
	(over ? out_progress_done : out_progress)(&r->p, &(struct out_work){
		.phase = "shards", .runs = s->runs, .seconds = took, .estimate = all,
		.found = s->bug, .bound = level == UINT32_MAX ? -1 : (int64_t)level, .rest = rest,
	});
	free(rest);
}

static int look(struct rounds *r)
{
	int ret;

	if (r->engine->poll(r->s) == CLI_PROCEED)
		r->silent = 0;
	else
		r->silent++;
	ret = submit_scan(r->s);
	if (ret == CLI_PROCEED)
		ret = read_failures(r);
	if (ret == CLI_PROCEED)
		ret = check_lost(r->s);
	if (ret == CLI_PROCEED && r->silent >= SILENCE_MAX)
		ret = cli_fail(CLI_ENVIRONMENT, "shard: engine %s does not answer; continue with shard submit --resume %s",
			       r->engine->name, r->s->dir);
	return ret;
}

/* Nothing is handed out any more; shards from level @from on are to be handed in. */
static int wind_up(struct rounds *r, unsigned int from)
{
	double end = chess_now() + PATIENCE;
	int ret = stop_from(r, from);

	r->engine->end(r->s);
	while (ret == CLI_PROCEED && count(r->s, SUBMIT_RUNS, UINT32_MAX) && chess_now() < end) {
		pause_for(LOOK / 4);
		ret = look(r);
	}
	return ret;
}

int submit_rounds(struct submit *s, const struct submit_engine *engine)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = interrupt }, child = { .sa_handler = note_child };
	struct rounds r = {
		.s = s, .engine = engine, .began = chess_now(), .runs = s->runs,
		.told = UINT32_MAX,
	};
	bool again = true;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &sa, NULL);
	sigaction(SIGCHLD, &child, NULL);
	unlinkat(s->fd, "stop", 0);
	unlinkat(s->fd, "failures", 0);
	ret = engine->begin(s);
	while (ret == CLI_PROCEED && !interrupted) {
		ret = look(&r);
		if (ret == CLI_PROCEED && s->stop != UINT32_MAX)
			ret = stop_from(&r, s->stop);
		if (ret == CLI_PROCEED && !count(s, SUBMIT_WAITS, s->stop) &&
		    !count(s, SUBMIT_RUNS, s->stop))
			break;
		for (again = true; ret == CLI_PROCEED && again; ) {
			ret = step(&r, &again);
			if (again && ret == CLI_PROCEED)
				ret = submit_scan(s);
		}
		report(&r, false);
		if (ret == CLI_PROCEED && !interrupted)
			pause_for(LOOK);
	}
	/* Also after an error: what was done is not to be lost. */
	if (wind_up(&r, ret == CLI_PROCEED && !interrupted ? s->stop : 0) != CLI_PROCEED &&
	    ret == CLI_PROCEED)
		ret = CLI_ENVIRONMENT;
	report(&r, true);
	return ret;
}
