// SPDX-License-Identifier: GPL-2.0-only
/*
 * What several jobs gain, without a kernel: a search with two worker processes against the
 * same one in this process, by how long a run takes. A run of the model takes some
 * microseconds; what is missing to a real one is spun away. The searches take turns. The
 * gain is the median of the ratios within a turn, and the largest beside it; the other figures
 * are the least of all turns, so that others on the machine matter less. What
 * remains to this process for each run is what no number of workers makes faster.
 *
 *	jobs_bench [JOBS [TURNS]]
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "now.h"
#include "sim.h"

static struct sim_var var;

static void reset(void)
{
	var.value = 0;
}

static void add(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < 10; i++)
		sim_add(&var, 1);
}

static void bench_main(void *arg)
{
	sim_create(add, arg);
	sim_create(add, arg);
	add(arg);
}

static const struct sim_program program = { .name = "bench", .reset = reset, .main = bench_main };

/* Of the processor, by this process. */
static double own_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* A worker's, or this process's. */
struct maker {
	struct sim *sim;
	struct chess_executor x;
	double spin;		/* seconds that are added to each run */
};

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct maker *m = ctx;
	double end = chess_now() + m->spin;
	int ret = m->x.run(m->x.ctx, plan, out);

	while (m->spin > 0 && chess_now() < end)
		;
	return ret;
}

static int open_maker(void *arg, unsigned int worker, struct chess_executor *x)
{
	static const struct sim_opts how = { .enabled = SIM_KERNEL };
	struct maker *m = arg;

	(void)worker;
	m->sim = sim_new(&program, &how);
	m->x = sim_executor(m->sim);
	*x = (struct chess_executor){ .run = run, .ctx = m };
	return 0;
}

static void close_maker(void *arg, unsigned int worker)
{
	(void)worker;
	sim_free(((struct maker *)arg)->sim);
}

/* The least that was measured, in seconds: by the clock, and of the processor by this process. */
struct least {
	double took, own;
};

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* So many runs; @jobs 0: without a worker. Return: how long they took. */
static double measure(struct least *l, unsigned int jobs, double spin, uint64_t runs)
{
	struct maker m = { .spin = spin };
	struct chess_pool_opts po = {
		.sz = sizeof(po), .jobs = jobs, .open = open_maker, .close = close_maker, .arg = &m,
	};
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 3, .max_runs = runs, .count_classes = true,
	};
	struct chess_pool *pool = jobs ? chess_pool_new(&po) : NULL;
	struct chess_explore_result res;
	struct chess_executor x;
	double start = chess_now(), own = own_seconds();
	int ret;

	assert(pool || !jobs);
	if (pool)
		x = chess_pool_executor(pool);
	else
		open_maker(&m, 0, &x);
	ret = chess_explore(&x, &o, &res);
	start = chess_now() - start;
	own = own_seconds() - own;
	l->took = start < l->took ? start : l->took;
	l->own = own < l->own ? own : l->own;
	assert(!ret && res.runs == runs);
	chess_explore_result_clear(&res);
	chess_pool_free(pool);
	if (!jobs)
		close_maker(&m, 0);
	return start;
}

int main(int argc, char **argv)
{
	static const struct {
		double spin;
		uint64_t runs;
	} kinds[] = { { 0, 20000 }, { 100e-6, 3000 }, { 1e-3, 500 }, { 10e-3, 60 } };
	unsigned int jobs = argc > 1 ? atoi(argv[1]) : 2, turns = argc > 2 ? atoi(argv[2]) : 5;
	double gain[99];
	unsigned int k, turn;

	turns = turns < 1 ? 1 : turns > 99 ? 99 : turns;
	printf("a run     %u workers   gain, most   of which this process, a run\n", jobs);
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		struct least alone = { 1e9, 1e9 }, many = alone;
		double runs = kinds[k].runs;

		for (turn = 0; turn < turns; turn++) {
			gain[turn] = measure(&alone, 0, kinds[k].spin, kinds[k].runs);
			gain[turn] /= measure(&many, jobs, kinds[k].spin, kinds[k].runs);
		}
		qsort(gain, turns, sizeof(*gain), by_size);
		printf("%5.0f us   %5.0f us   %5.2f %5.2f   %5.1f us\n", alone.took / runs * 1e6,
		       many.took / runs * 1e6, gain[turns / 2], gain[turns - 1],
		       many.own / runs * 1e6);
	}
	return 0;
}
