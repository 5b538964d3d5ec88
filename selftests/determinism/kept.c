// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs that begin with a fork of a process whose start is over are those that begin with an
 * execve: a program is run in both ways with the same plans, and the records, accesses,
 * output and verdicts are compared.
 *
 *	kept [-n RUNS] [-b] [-f] [-t] [-s] -- PROGRAM [ARG...]
 *
 * -b: without accesses. -f: it fails where no run began with a fork.
 * -t: each is forked twice, one right after the other; -f: all of them. -s: under a filter of
 * system calls, which may refuse those by which a process forks: it fails where a run began so.
 * Prints one line: how many runs, how many of them were forked, how many differ. Exit code 1: some
 * differ; 3: no run.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "chessctl/chessctl.h"

static struct chess_runner *open_runner(struct chess_program *p, bool bare, const char *fork)
{
	static const char *const code[] = { "PROGRAM", NULL };
	struct chess_runner_opts ro = {
		.sz = sizeof(ro), .sync_points = true, .code = bare ? NULL : code,
		.max_accesses = bare ? 0 : 100000, .max_points = 20000, .run_timeout_ms = 20000,
		.late_watchdogs = true, .quantum_us = 50000,
	};
	struct chess_ctl *ctl = chess_ctl_open();
	struct chess_runner *r;

	setenv("CHESS_FORK", fork, 1);
	r = ctl ? chess_runner_new(ctl, p, &ro) : NULL;
	if (!r)
		fprintf(stderr, "kept: %s\n", chess_error());
	return r;
}

/* All policies in turn, and then prefixes of runs that chance made. */
static struct chess_plan plan_of(unsigned int i, struct chess_schedule *prefix)
{
	static const enum chess_policy_kind kinds[] = {
		CHESS_POLICY_KIND_DEFAULT, CHESS_POLICY_KIND_RANDOM, CHESS_POLICY_KIND_POS,
		CHESS_POLICY_KIND_PCT, CHESS_POLICY_KIND_ROUND_ROBIN,
	};
	static uint32_t changes[2];
	struct chess_plan plan = { .policy = kinds[i % 5], .seed = i };

	if (plan.policy == CHESS_POLICY_KIND_PCT) {
		changes[0] = 1 + i % 7;
		changes[1] = changes[0] + 1 + i % 11;
		plan.changes = changes;
		plan.n_changes = 2;
	}
	if (prefix && i % 5 != 1) {
		plan.prefix = prefix;
		plan.length = chess_schedule_length(prefix) * (i % 13) / 13;
	}
	return plan;
}

/* Loops without points are cut by the machine's time: how often they turned is chance. */
static bool has_chance(const struct chess_record *r)
{
	const struct chess_event *e;
	size_t i;

	for (i = 0; (e = chess_record_event(r, i)); i++)
		if (e->type == CHESS_EVENT_QUANTUM)
			return true;
	return false;
}

/* What others do after a deadlock or livelock goes on until somebody looks. */
static bool has_same_accesses(const struct chess_run_result *a, const struct chess_run_result *b)
{
	return has_chance(a->record) || a->verdict == CHESS_VERDICT_DEADLOCK ||
	       a->verdict == CHESS_VERDICT_LIVELOCK ||
	       (a->n_accesses == b->n_accesses && a->lost_accesses == b->lost_accesses &&
		(!a->n_accesses || !memcmp(a->accesses, b->accesses,
					   a->n_accesses * sizeof(*a->accesses))));
}

static void print_event(const char *how, const struct chess_event *e)
{
	if (e)
		printf("# %s: event %u %s op %u nr %u object %llx arg %llx\n", how, e->seq,
		       chess_event_type_name(e->type), e->op, e->nr,
		       (unsigned long long)e->object, (unsigned long long)e->arg);
}

static bool is_same(const struct chess_run_result *a, const struct chess_run_result *b,
		    unsigned int run)
{
	size_t at = chess_record_compare(a->record, b->record);
	const struct chess_event *e = at == SIZE_MAX ? NULL : chess_record_event(a->record, at);
	const struct chess_event *f = at == SIZE_MAX ? NULL : chess_record_event(b->record, at);
	bool same = at == SIZE_MAX && a->verdict == b->verdict && a->status == b->status &&
		    has_same_accesses(a, b) && a->out_len == b->out_len &&
		    !memcmp(a->out, b->out, a->out_len) &&
		    a->err_len == b->err_len && !memcmp(a->err, b->err, a->err_len);

	if (same)
		return true;
	printf("# run %u: %s and %s, status %#x and %#x, %zu and %zu events, %zu and %zu accesses\n",
	       run, chess_verdict_name(a->verdict), chess_verdict_name(b->verdict), a->status,
	       b->status, chess_record_length(a->record), chess_record_length(b->record),
	       a->n_accesses, b->n_accesses);
	print_event("execve", e);
	print_event("fork", f);
	return false;
}

/* One that allows all calls; nobody can see that from outside. */
static bool filter_calls(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog prog = { .len = 1, .filter = &allow };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

int main(int argc, char **argv)
{
	struct chess_program p = { .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true };
	unsigned int i, n = 20, differ = 0, forked;
	struct chess_schedule *prefix = NULL;
	bool bare = false, must = false, twice = false, filtered = false;
	struct chess_runner *with, *without;
	const char *why;
	int c;

	while ((c = getopt(argc, argv, "+n:bfts")) != -1) {
		if (c == 'n')
			n = atoi(optarg);
		else if (c == 'b')
			bare = true;
		else if (c == 'f')
			must = true;
		else if (c == 't')
			twice = true;
		else if (c == 's')
			filtered = true;
		else
			return 2;
	}
	p.argv = argv + optind;
	if (filtered && !filter_calls())
		return 3;
	without = open_runner(&p, bare, "no");
	with = open_runner(&p, bare, "soon");
	if (!with || !without)
		return 3;
	for (i = 0; i < n; i++) {
		struct chess_plan plan = plan_of(i, prefix);
		struct chess_run_result a, b;

		if (chess_runner_run_plan(without, &plan, NULL, 0, &a) ||
		    chess_runner_run_plan(with, &plan, NULL, 0, &b)) {
			fprintf(stderr, "kept: run %u: %s\n", i, chess_error());
			return 3;
		}
		differ += !is_same(&a, &b, i);
		chess_run_result_clear(&b);
		if (twice && chess_runner_run_plan(with, &plan, NULL, 0, &b)) {
			fprintf(stderr, "kept: run %u once more: %s\n", i, chess_error());
			return 3;
		}
		differ += twice && !is_same(&a, &b, i);
		if (plan.policy == CHESS_POLICY_KIND_RANDOM) {
			chess_schedule_free(prefix);
			prefix = chess_record_schedule(a.record);
		}
		chess_run_result_clear(&a);
		if (twice)
			chess_run_result_clear(&b);
	}
	forked = chess_runner_forked(with, &why);
	printf("# %u runs, %u of them forked, %u differ%s%s\n", n, forked, differ,
	       why ? ": " : "", why ? why : "");
	chess_schedule_free(prefix);
	chess_runner_free(with);
	chess_runner_free(without);
	/* All but the first, and the one that is compared before others are forked. */
	return differ || (must && forked < (twice ? 2 * n : 1)) || (filtered && forked);
}
