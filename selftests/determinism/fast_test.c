// SPDX-License-Identifier: GPL-2.0-only
/*
 * Points that tasks note by themselves give the record that traps give, bit for bit: each plan is
 * run both ways. The plans are the default, walks from schedule to schedule (prefixes with
 * preemptions), and policies with chance. Run inside the VM, as root, with the module loaded and
 * its parameter fast_hits at 1, so that short programs come that far, too.
 *
 *   fast_test RUNS PROGRAM...
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chessctl/chessctl.h"
#include "difference.h"
#include "perturb.h"

static unsigned int tests, failed;

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, chess_error());
	exit(1);
}

static struct chess_runner *make_runner(struct chess_ctl *ctl, const struct chess_program *program,
					bool only_traps)
{
	struct chess_runner_opts opts = {
		.sz = sizeof(opts), .sync_points = true, .run_timeout_ms = 20000,
		.yield_trylock = true, .only_traps = only_traps,
	};
	struct chess_runner *r = chess_runner_new(ctl, program, &opts);

	if (!r)
		die("runner");
	return r;
}

/* The record of one run, however it ended; @verdict: how. */
static struct chess_record *run(struct chess_runner *r, const struct chess_plan *plan,
				enum chess_verdict *verdict)
{
	struct chess_record *record;
	struct chess_run_result res;

	if (chess_runner_run_plan(r, plan, NULL, 0, &res))
		die("run");
	record = res.record;
	*verdict = res.verdict;
	res.record = NULL;
	chess_run_result_clear(&res);
	return record;
}

/* The first half of the plans is a walk, the second one is by chance. */
static void make_plan(struct chess_plan *plan, unsigned long i, unsigned long runs,
		      struct perturb *p, const struct chess_record *last)
{
	static const unsigned int policies[] = {
		CHESS_POLICY_KIND_RANDOM, CHESS_POLICY_KIND_PCT, CHESS_POLICY_KIND_POS,
	};
	static uint32_t changes[] = { 5, 9 };

	chess_schedule_free(plan->prefix);
	*plan = (struct chess_plan) { 0 };
	if (i <= runs / 2) {
		plan->prefix = last ? perturb_any(p, last) : NULL;
		if (plan->prefix)
			plan->length = chess_schedule_length(plan->prefix);
		return;
	}
	plan->policy = policies[i % 3];
	plan->seed = i;
	if (plan->policy == CHESS_POLICY_KIND_PCT) {
		plan->changes = changes;
		plan->n_changes = 2;
	}
}

static void compare(struct chess_ctl *ctl, unsigned long runs, char *path)
{
	char *envp[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL }, *argv[] = { path, NULL };
	struct chess_program program = {
		.argv = argv, .envp = envp, .cwd = "/", .uid = UINT32_MAX, .gid = UINT32_MAX,
		.capture = true,
	};
	struct chess_runner *fast = make_runner(ctl, &program, false);
	struct chess_runner *traps = make_runner(ctl, &program, true);
	struct chess_record *last = NULL, *a, *b;
	unsigned long i, differ = 0, points = 0;
	struct chess_plan plan = { 0 };
	enum chess_verdict va, vb;
	struct perturb p;
	size_t at;

	perturb_seed(&p, 1);
	for (i = 0; i < runs; i++) {
		make_plan(&plan, i, runs, &p, last);
		a = run(traps, &plan, &va);
		b = run(fast, &plan, &vb);
		at = a && b ? chess_record_compare(a, b) : (size_t)(a == b) - 1;
		if ((at != SIZE_MAX || va != vb) && !differ++) {
			printf("# plan %lu: traps %zu events, %s; fast %zu events, %s\n", i,
			       chess_record_length(a), chess_verdict_name(va),
			       chess_record_length(b), chess_verdict_name(vb));
			if (at != SIZE_MAX)
				difference_show(a, b, at);
		}
		points += b ? chess_record_points(b) : 0;
		chess_record_free(last);
		last = a;
		chess_record_free(b);
	}
	chess_record_free(last);
	chess_schedule_free(plan.prefix);
	failed += !!differ;
	printf("%s %u %s_has_the_same_%lu_records # %lu points, %lu differ\n",
	       differ ? "not ok" : "ok", ++tests, strrchr(path, '/') + 1, runs, points, differ);
	fflush(stdout);
	chess_runner_free(fast);
	chess_runner_free(traps);
}

int main(int argc, char **argv)
{
	struct chess_ctl *ctl;
	unsigned long runs;
	int i;

	if (argc < 3)
		return 2;
	runs = strtoul(argv[1], NULL, 10);
	ctl = chess_ctl_open();
	printf("KTAP version 1\n");
	if (!ctl) {
		printf("1..0 # SKIP %s\n", chess_error());
		return 4;
	}
	printf("1..%d\n", argc - 2);
	for (i = 2; i < argc; i++) {
		char *path = realpath(argv[i], NULL);

		if (!path) {
			printf("Bail out! %s: %s\n", argv[i], strerror(errno));
			return 1;
		}
		compare(ctl, runs, path);
		free(path);
	}
	printf("# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:0 error:0\n", tests - failed, failed);
	chess_ctl_close(ctl);
	return failed ? 1 : 0;
}
