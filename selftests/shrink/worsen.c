// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a failing schedule as a careless search would: one full of preemptions that
 * have nothing to do with the bug. At every third decision or so any task that can go
 * on does. Its trace is what shrink.sh has to make small again.
 *
 * Usage: worsen TRACE VERDICT PREEMPTIONS SEED PROGRAM [ARG...]: a run that ends with
 * this verdict and has at least so many preemptions. Exit: 0 written, 1 there is none.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shrink/deviate.h"
#include "internal.h"

#define WALKS	100

static uint64_t state;

static unsigned int pick(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % n;
}

static void die(const char *what)
{
	fprintf(stderr, "worsen: %s: %s\n", what, chess_error());
	exit(1);
}

/* The next choice after decision @behind, or NULL: the run is left as it is. */
static struct chess_schedule *worse(const struct chess_record *r, size_t *behind)
{
	struct chess_schedule *next = NULL;
	struct chess_walk w;

	if (chess_walk_begin(&w, r))
		die("record");
	while (!next && chess_walk_next(&w)) {
		unsigned int task = pick(chess_record_tasks(r));

		if (w.here.at < *behind || pick(3) || !chess_walk_may(&w, task))
			continue;
		next = chess_prefix_of(r, w.here.at, task);
		*behind = w.here.at + 1;
	}
	chess_walk_end(&w);
	return next;
}

/* One walk, a run for each choice. Return: does @res hold a run with this verdict? */
static bool walk(struct chess_runner *runner, const char *verdict, size_t preemptions,
		 struct chess_run_result *res)
{
	struct chess_schedule *prefix = NULL;
	size_t behind = 0;
	bool found = false;

	do {
		chess_run_result_clear(res);
		if (chess_runner_run(runner, prefix, prefix ? chess_schedule_length(prefix) : 0,
				     NULL, 0, res))
			die("run");
		chess_schedule_free(prefix);
		prefix = NULL;
		if (!res->record || res->verdict == CHESS_VERDICT_DIVERGED)
			return false;
		found = !strcmp(chess_verdict_name(res->verdict), verdict) &&
			chess_record_preemptions(res->record) >= preemptions;
		if (!found)
			prefix = worse(res->record, &behind);
	} while (prefix);
	return found;
}

int main(int argc, char **argv)
{
	struct chess_program p = {
		.argv = argv + 5, .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true,
	};
	struct chess_runner_opts o = { .sz = sizeof(o), .sync_points = true, .no_bpf = true };
	struct chess_run_result res = { 0 };
	struct chess_runner *runner;
	struct chess_trace t;
	int walks = 0, ret;

	if (argc < 6)
		return 2;
	runner = chess_runner_new(chess_ctl_open(), &p, &o);
	if (!runner)
		die(argv[5]);
	state = strtoull(argv[4], NULL, 10);
	while (!walk(runner, argv[2], strtoul(argv[3], NULL, 10), &res))
		if (++walks == WALKS) {
			fprintf(stderr, "worsen: none of %d walks ended so\n", WALKS);
			return 1;
		}
	t = (struct chess_trace){
		.argv = argv + 5, .cwd = getcwd(NULL, 0), .program = realpath(argv[5], NULL),
		.kernel = (char *)"", .verdict = res.verdict, .status = res.status,
		.record = res.record, .waits = res.waits, .n_waits = res.n_waits, .err = res.err,
		.points = (char *)"sync,syscalls", .quantum_us = chess_runner_quantum(runner),
		.virtual_time = true, .surroundings = chess_runner_surroundings(runner),
	};
	ret = chess_trace_write(&t, argv[1]);
	if (ret)
		die(argv[1]);
	printf("%zu\n", chess_record_preemptions(res.record));
	return 0;
}
