// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast the search is without a kernel, and whether it stays so: points a second, on one
 * core, and memory, a line each after 10,000 runs, 100,000, and each 100,000 more, of a
 * search of a million. By "limit" as a word of its own speed is printed only, since it depends
 * on what else the machine does, and memory has to stay below the number that follows.
 * Exits with 1 where the search is not what the project promises.
 *
 *	sim_bench [STRATEGY [BOUND [REDUCE [ROUNDS]]]] [limit MB]
 *
 * REDUCE is dpor, or a list of hb, sleep, yield and classes (count them, as the CLI does), or none.
 * ROUNDS of each worker: 3; with a reduction it takes more for a million runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "sim.h"

#define STEP		100000
#define FIRST_STEP	10000
#define RUNS		1000000
#define POINTS_WANTED	1e6	/* a second */
#define RSS_WANTED	200L	/* MB */
#define WORKERS		3

static struct sim_mutex lock;
static struct sim_sem done;
static struct sim_var sum[WORKERS];
static long total;
static int rounds = 3;

static void reset(void)
{
	int i;

	lock = (struct sim_mutex){ 0 };
	done = (struct sim_sem){ 0 };
	for (i = 0; i < WORKERS; i++)
		sum[i].value = 0;
	total = 0;
}

static void worker(void *arg)
{
	int i;

	for (i = 0; i < rounds; i++) {
		sim_add(arg, 1);
		sim_lock(&lock);
		total++;
		sim_unlock(&lock);
	}
	sim_sem_post(&done);
}

static void bench_main(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < WORKERS; i++)
		sim_create(worker, &sum[i]);
	for (i = 0; i < WORKERS; i++)
		sim_sem_wait(&done);
	sim_assert(total == rounds * WORKERS);
}

static const struct sim_program program = { .name = "bench", .reset = reset, .main = bench_main };

/**
 * struct bench - a search that is measured
 * @x: the program
 * @points: so far
 * @at: points when the last line was printed, @runs runs
 * @since: when that was
 * @slowest: points a second of the slowest line
 */
struct bench {
	struct chess_executor x;
	uint64_t points, at, runs;
	double since, slowest;
};

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static long max_rss_mb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1024;
}

static bool progress(void *arg, const struct chess_explore_progress *p)
{
	struct bench *b = arg;
	double now, rate;

	if ((p->runs % STEP && p->runs != FIRST_STEP) || p->runs == b->runs)
		return true;
	now = seconds();
	rate = (b->points - b->at) / (now - b->since);
	printf("%8lu runs  bound %u  %6.2f M points/s  %4ld MB\n", (unsigned long)p->runs,
	       p->bound, rate / 1e6, max_rss_mb());
	if (!b->slowest || rate < b->slowest)
		b->slowest = rate;
	b->runs = p->runs;
	b->at = b->points;
	b->since = now;
	return true;
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct bench *b = ctx;
	int ret = b->x.run(b->x.ctx, plan, out);

	if (!ret)
		b->points += chess_record_points(out->record);
	return ret;
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct bench *b = ctx;

	b->x.drop(b->x.ctx, res);
}

/* Words of REDUCE. Return: false when there is another one. */
static bool read_reductions(const char *list, struct chess_explore_opts *o)
{
	size_t n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == 2 && !strncmp(list, "hb", n))
			o->reduce |= CHESS_REDUCE_HB;
		else if (n == 5 && !strncmp(list, "sleep", n))
			o->reduce |= CHESS_REDUCE_SLEEP;
		else if (n == 5 && !strncmp(list, "yield", n))
			o->reduce |= CHESS_REDUCE_YIELD;
		else if (n == 4 && !strncmp(list, "dpor", n))
			o->reduce |= CHESS_REDUCE_DPOR;
		else if (n == 7 && !strncmp(list, "classes", n))
			o->count_classes = true;
		else if (n != 4 || strncmp(list, "none", n))
			return false;
	}
	return true;
}

/* Return: whether the search was as it has to be. */
static bool search(struct chess_explore_opts *o, long limit)
{
	struct sim_opts how = { .enabled = SIM_KERNEL };
	struct sim *s = sim_new(&program, &how);
	struct bench b = { .x = sim_executor(s), .since = seconds() };
	struct chess_executor x = { .run = run, .ctx = &b, .drop = drop };
	struct chess_explore_result res;
	bool good;

	o->progress_arg = &b;
	if (chess_explore(&x, o, &res)) {
		fprintf(stderr, "sim_bench: %s\n", chess_error());
		return false;
	}
	printf("%s: %lu runs, %lu points, %.2f s, slowest %.2f M points/s, at most %ld MB\n",
	       o->strategy, (unsigned long)res.runs, (unsigned long)b.points, res.seconds,
	       b.slowest / 1e6, max_rss_mb());
	good = res.runs >= RUNS && max_rss_mb() < (limit ? limit : RSS_WANTED) &&
	       (limit || b.slowest >= POINTS_WANTED);
	if (!good)
		printf("wanted: %d runs, %.0f M points/s, less than %ld MB\n", RUNS,
		       limit ? 0 : POINTS_WANTED / 1e6, limit ? limit : RSS_WANTED);
	chess_explore_result_clear(&res);
	sim_free(s);
	return good;
}

int main(int argc, char **argv)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "icb", .bound = 3, .max_runs = RUNS,
		.keep_going = true, .progress = progress,
	};
	long limit = 0;

	if (argc > 2 && !strcmp(argv[argc - 2], "limit")) {
		limit = atol(argv[argc - 1]);
		argc -= 2;
	}
	if (argc > 1)
		o.strategy = argv[1];
	if (argc > 2)
		o.bound = atoi(argv[2]);
	if (argc > 4)
		rounds = atoi(argv[4]);
	if (argc > 5 || rounds < 1 || (argc > 3 && !read_reductions(argv[3], &o))) {
		fprintf(stderr, "usage: sim_bench [STRATEGY [BOUND [dpor|hb,sleep,yield,classes|none [ROUNDS]]]] [limit MB]\n");
		return 2;
	}
	return search(&o, limit) ? 0 : 1;
}
