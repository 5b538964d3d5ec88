// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl shard split and shard run, of a simulated program: so many shards of a search can be
 * run, killed and run again that a real program would take hours for. Files, merge and what hands
 * out shards are chessctl's; it starts this one where $CHESS_SHARD names it.
 *
 *	shard_sim shard split --shards N --out DIR [OPTION...] -- PROGRAM
 *	shard_sim shard run --time SEC --out DIR [OPTION...] FILE
 *	shard_sim alone				the whole search: "RUNS runs, CLASSES classes"
 *
 * SHARD_SIM="TASKS OPS BOUND MICROSECONDS", which each run takes; SHARD_SIM_BUG=N: a run fails in
 * which task N writes between the last write of the first task and its read: by one preemption.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "now.h"
#include "out.h"
#include "shard/internal.h"
#include "sim.h"

#define TASKS_MAX	8
/* As shard split has it. */
#define EACH		8

static struct sim_var last;
static int tasks = 4, ops = 3;
static unsigned int bound = 3, microseconds;
static const char *bug;

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	stopped = sig;
}

static void reset(void)
{
	last.value = 0;
}

static void work(void *arg)
{
	int i;

	for (i = 0; i < ops; i++)
		sim_exchange(&last, (long)arg);
}

static void program_main(void *arg)
{
	long i;

	(void)arg;
	for (i = 1; i < tasks; i++)
		sim_create(work, (void *)i);
	work((void *)0L);
	if (bug)
		sim_assert(sim_load(&last) != atol(bug));
}

static const struct sim_program program = {
	.name = "shard_sim", .reset = reset, .main = program_main, .plain_end = true,
};

static struct chess_executor sim;

static int run_slowly(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	if (stopped)
		return -EINTR;
	if (microseconds)
		usleep(microseconds);
	return sim.run(ctx, plan, out);
}

static uint64_t *classes;
static size_t n_classes;

static void keep_classes(void *arg, const uint64_t *number, size_t n)
{
	(void)arg;
	classes = cli_alloc(n + 1, sizeof(*classes));
	memcpy(classes, number, n * sizeof(*classes));
	n_classes = n;
}

static struct chess_explore_result search(const struct chess_frontier *from,
					  struct chess_frontier *rest, double seconds,
					  uint64_t enough)
{
	struct chess_executor x = sim;
	struct chess_explore_result res;
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "icb", .bound = bound, .from = from, .rest = rest,
		.max_seconds = seconds, .enough = enough, .count_classes = true,
		.each_class = keep_classes,
	};

	x.run = run_slowly;
	if (chess_explore(&x, &o, &res)) {
		fprintf(stderr, "shard_sim: %s\n", chess_error());
		exit(CLI_ENVIRONMENT);
	}
	return res;
}

static struct json_object *result_of(const struct chess_explore_result *res)
{
	struct json_object *o = json_object_new_object(), *asked = json_object_new_object();

	out_json_string(asked, "strategy", "icb");
	out_json_int(asked, "bound", bound);
	out_json_string(asked, "points", "sync");
	out_json_uint(o, "runs", res->runs);
	out_json_double(o, "seconds", res->seconds);
	out_json_uint(o, "bugs", res->bugs);
	if (res->bugs)
		out_json_int(o, "preemptions", chess_record_preemptions(res->bad.record));
	json_object_object_add(o, "asked", asked);
	return o;
}

static void write_file(const char *dir, const char *name, const char *suffix, struct shard_file *f)
{
	char *path = cli_printf("%s/%s%s", dir, name, suffix);

	if (shard_write(path, f) != CLI_PROCEED)
		exit(CLI_ENVIRONMENT);
	free(path);
}

static void take_classes(struct shard_file *result)
{
	result->body = (unsigned char *)classes;
	result->n = n_classes * sizeof(*classes);
}

static int split(size_t n, const char *dir)
{
	struct chess_frontier *rest = chess_frontier_new(), **piece = cli_alloc(n, sizeof(*piece));
	struct chess_explore_result res = search(NULL, rest, 0, EACH * n);
	struct json_object *about = json_object_new_object();
	struct shard_file result, f;
	char name[32];
	size_t i, k = 0;

	out_json_string(about, "program", getenv("SHARD_SIM"));
	result_new(&result, about, bound, ids_new(NULL), result_of(&res));
	take_classes(&result);
	mkdir(dir, 0777);
	for (i = 0; i < n; i++)
		piece[i] = chess_frontier_new();
	if (chess_frontier_split(rest, piece, n))
		return CLI_ENVIRONMENT;
	for (i = 0; i < n; i++) {
		if (!chess_frontier_count(piece[i]))
			continue;
		if (work_new(&f, about, ids_new(NULL), bound, piece[i]) != CLI_PROCEED)
			return CLI_ENVIRONMENT;
		snprintf(name, sizeof(name), "%03zu", k++);
		write_file(dir, name, SHARD_SUFFIX, &f);
		result_add_left(&result, &f);
	}
	write_file(dir, "split", RESULT_SUFFIX, &result);
	return CLI_OK;
}

static int run(const char *file, const char *dir, double seconds)
{
	struct chess_frontier *from, *rest = chess_frontier_new();
	struct chess_explore_result res;
	struct shard_file f, result, left;
	struct json_object *about;

	if (shard_read(file, &f) != CLI_PROCEED)
		return CLI_USAGE;
	from = work_prefixes(&f, file);
	if (!from)
		return CLI_USAGE;
	res = search(from, rest, seconds, 0);
	about = json_object_object_get(f.meta, "search");
	result_new(&result, about, bound, ids_new(f.id), result_of(&res));
	take_classes(&result);
	if (chess_frontier_count(rest)) {
		if (work_new(&left, about, ids_new(f.id), bound, rest) != CLI_PROCEED)
			return CLI_ENVIRONMENT;
		write_file(dir, "a.rest", SHARD_SUFFIX, &left);
		result_add_left(&result, &left);
	}
	write_file(dir, "a", RESULT_SUFFIX, &result);
	return res.bugs ? CLI_BUG : res.complete ? CLI_OK : CLI_INCOMPLETE;
}

static int alone(void)
{
	struct chess_explore_result res = search(NULL, NULL, 0, 0);

	printf("%lu runs, %zu classes\n", (unsigned long)res.runs, n_classes);
	return res.bugs ? CLI_BUG : CLI_OK;
}

int main(int argc, char **argv)
{
	const struct sim_opts how = { .enabled = SIM_KERNEL };
	struct sigaction sa = { .sa_handler = stop };
	const char *dir = ".", *asked = getenv("SHARD_SIM");
	double seconds = 0;
	size_t shards = 1;
	int i;

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	bug = getenv("SHARD_SIM_BUG");
	if (!asked || sscanf(asked, "%d %d %u %u", &tasks, &ops, &bound, &microseconds) != 4 ||
	    argc < 2)
		return CLI_USAGE;
	sim = sim_executor(sim_new(&program, &how));
	for (i = 1; i + 1 < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--out"))
			dir = argv[i + 1];
		else if (!strcmp(argv[i], "--shards"))
			shards = strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--time"))
			seconds = atof(argv[i + 1]);
	}
	if (!strcmp(argv[1], "alone"))
		return alone();
	if (argc > 3 && !strcmp(argv[2], "split"))
		return split(shards, dir);
	return argc > 3 && !strcmp(argv[2], "run") ? run(argv[argc - 1], dir, seconds) : CLI_USAGE;
}
