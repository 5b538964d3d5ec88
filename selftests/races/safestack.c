// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the real SafeStack fail as its model does (safestack.h), and writes the trace, as
 * chessctl explore --points all,races does; for safestack.sh. "search" finds the failure by
 * strategy surw, with all accesses to what tasks share as points from its first run on,
 * "least" follows the order with the fewest preemptions.
 *
 * Usage: safestack search|least TRACE PROGRAM. Exit: 0 an assertion failed, 1 none
 * did or there was no run, 4 another loader than that of the seed.
 */
#include <chessctl/races.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "order.h"
#include "program.h"
#include "programs/programs.h"
#include "programs/races/wrong/safestack.h"

#define ACCESSES_MAX	100000
#define SITES_MAX	64

/* The sites that are points, ascending: those at which shared memory was accessed. */
static uint32_t site[SITES_MAX];
static size_t n_sites;

static void die(const char *what)
{
	fprintf(stderr, "safestack: %s: %s\n", what, chess_error());
	exit(1);
}

static bool add_site(uint32_t id)
{
	size_t i = 0;

	while (i < n_sites && site[i] < id)
		i++;
	if (i < n_sites && site[i] == id)
		return false;
	if (n_sites == SITES_MAX)
		die("too many points");
	memmove(&site[i + 1], &site[i], (n_sites - i) * sizeof(*site));
	site[i] = id;
	n_sites++;
	return true;
}

static bool is_shared(const struct chess_run_result *r, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < r->n_accesses; i++)
		if (r->accesses[i].address == a->address && r->accesses[i].task != a->task)
			return true;
	return false;
}

/* What T0 does is before all others and after them. Return: are there new ones? */
static bool add_sites(const struct chess_run_result *r)
{
	bool more = false;
	size_t i;

	for (i = 0; i < r->n_accesses; i++)
		if (r->accesses[i].task && is_shared(r, &r->accesses[i]))
			more |= add_site(r->accesses[i].site);
	return more;
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	return chess_runner_run_plan(ctx, plan, NULL, 0, out);
}

/* Until all that is accessed in the run is a point. Return: accesses in their order. */
static int follow(struct chess_runner *runner, struct chess_run_result *res, unsigned int *runs)
{
	const struct chess_executor x = { .run = run, .ctx = runner };
	struct chess_schedule *order = chess_schedule_decode(SAFESTACK_ORDER);
	unsigned int n;
	int made;

	if (!order)
		die(SAFESTACK_ORDER);
	*runs = 0;
	do {
		chess_run_result_clear(res);
		if (chess_runner_set_points(runner, site, n_sites))
			die("points");
		made = order_run(&x, order, res, &n);
		if (made < 0)
			die("run");
		*runs += n;
	} while (add_sites(res));
	chess_schedule_free(order);
	return made;
}

static int run_and_look(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	int ret = run(ctx, plan, out);

	if (!ret)
		add_sites(out);
	return ret;
}

static void explore(struct chess_runner *runner, uint64_t seed, uint64_t runs,
		    struct chess_explore_result *out)
{
	const struct chess_executor x = { .run = run_and_look, .ctx = runner };
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "surw", .seed = seed, .max_runs = runs,
	};

	if (chess_runner_set_points(runner, site, n_sites))
		die("points");
	if (chess_explore(&x, &o, out))
		die("search");
}

/* What the loader does draws random numbers, too. */
static bool is_known_loader(const struct chess_record *r)
{
	const struct chess_event *e;
	size_t i, n = 0;

	for (i = 0; (e = chess_record_event(r, i)) && e->op != CHESS_OP_CREATE; i++)
		n += e->type == CHESS_EVENT_POINT;
	if (n == SAFESTACK_LOADER)
		return true;
	printf("%zu points before main(), not %d\n", n, SAFESTACK_LOADER);
	return false;
}

/* In some runs with another seed all is accessed that there is; then comes the search. */
static bool search(struct chess_runner *runner, struct chess_run_result *res)
{
	struct chess_explore_result all;
	size_t known;

	do {
		known = n_sites;
		explore(runner, SAFESTACK_SEED + 1, 50, &all);
		chess_explore_result_clear(&all);
	} while (n_sites > known);
	if (run(runner, &(struct chess_plan){ 0 }, res))
		die("run");
	if (!is_known_loader(res->record))
		return false;
	chess_run_result_clear(res);
	explore(runner, SAFESTACK_SEED, 2 * SAFESTACK_RUN, &all);
	*res = all.bad;
	printf("%llu runs, ", (unsigned long long)all.runs);
	return true;
}

static void write_trace(const char *to, struct chess_runner *runner, char **argv, char **code,
			const struct chess_run_result *res)
{
	struct chess_trace_probe file = { .path = realpath(argv[0], NULL) };
	struct chess_trace_point point[SITES_MAX] = { 0 };
	struct chess_trace t = {
		.argv = argv, .cwd = getcwd(NULL, 0), .program = file.path, .kernel = (char *)"",
		.verdict = res->verdict, .status = res->status, .record = res->record,
		.maps = res->maps, .err = res->err, .points = (char *)"sync,syscalls,races",
		.quantum_us = chess_runner_quantum(runner), .virtual_time = true,
		.surroundings = chess_runner_surroundings(runner), .code = code,
		.code_files = &file, .n_code_files = 1,
		.access_points = point, .n_access_points = n_sites,
	};
	const char *path;
	size_t i;

	file.hash = t.program_hash = program_hash(file.path);
	for (i = 0; i < n_sites; i++)
		if (!chess_site_where(chess_runner_sites(runner), site[i], &path, &point[i].offset))
			die("site");
	if (chess_trace_write(&t, to))
		die(to);
}

int main(int argc, char **argv)
{
	char *code[2] = { (char *)"PROGRAM" };
	struct chess_program p = {
		.argv = argv + 3, .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true,
	};
	struct chess_runner_opts o = {
		.sz = sizeof(o), .sync_points = true, .no_bpf = true,
		.maps = true, .code = (const char *const *)code, .max_accesses = ACCESSES_MAX,
	};
	struct chess_run_result res = { 0 };
	struct chess_runner *runner;
	unsigned int runs;
	int made;

	if (argc != 4)
		return 2;
	runner = chess_runner_new(chess_ctl_open(), &p, &o);
	if (!runner)
		die(argv[3]);
	if (!strcmp(argv[1], "search")) {
		if (!search(runner, &res))
			return 4;
	} else {
		made = follow(runner, &res, &runs);
		printf("%d accesses, %u runs, ", made, runs);
	}
	if (!res.record)
		return 1;
	printf("%zu preemptions, points at %zu instructions\n",
	       chess_record_preemptions(res.record), n_sites);
	write_trace(argv[2], runner, argv + 3, code, &res);
	return res.verdict != CHESS_VERDICT_ASSERT;
}
