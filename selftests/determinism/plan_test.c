// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves invariant I3 for policies: one plan gives one record, bit for bit, however
 * often it is run, and its decisions as a plain prefix give it again. Each policy is
 * tried with what its strategy would give it; several seeds show that it does use
 * chance. Run inside the VM, as root, with the module loaded.
 *
 *   plan_test RUNS PROGRAM [ARG...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chessctl/chessctl.h"

#define SEEDS	20

static unsigned int tests, failed;

static void result(bool ok, const char *what, const char *policy)
{
	failed += !ok;
	printf("%s %u %s %s\n", ok ? "ok" : "not ok", ++tests, policy, what);
	fflush(stdout);
}

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, chess_error());
	exit(1);
}

static struct chess_record *run(struct chess_runner *r, const struct chess_plan *plan)
{
	struct chess_record *record;
	struct chess_run_result res;

	if (chess_runner_run_plan(r, plan, NULL, 0, &res))
		die("run");
	record = res.record;
	res.record = NULL;
	chess_run_result_clear(&res);
	return record;
}

/* @times more runs, all like the first? */
static bool is_same(struct chess_runner *r, const struct chess_plan *plan,
		    const struct chess_record *first, unsigned long times)
{
	unsigned long i, differing = 0;

	for (i = 0; i < times; i++) {
		struct chess_record *again = run(r, plan);
		size_t at = chess_record_compare(first, again);

		if (at != SIZE_MAX && !differing++)
			printf("# run %lu differs at event %zu of %zu\n", i + 2, at + 1,
			       chess_record_length(first));
		chess_record_free(again);
	}
	return !differing;
}

static bool is_replayed(struct chess_runner *r, const struct chess_record *first)
{
	struct chess_plan plan = { .prefix = chess_record_schedule(first) };
	bool same;

	plan.length = chess_schedule_length(plan.prefix);
	same = is_same(r, &plan, first, 2);
	chess_schedule_free(plan.prefix);
	return same;
}

static unsigned int count_records(struct chess_runner *r, struct chess_plan plan)
{
	struct chess_record *seen[SEEDS];
	unsigned int n = 0, i, k;

	for (i = 0; i < SEEDS; i++) {
		plan.seed = 1000 + i;
		seen[n] = run(r, &plan);
		for (k = 0; k < n && chess_record_compare(seen[k], seen[n]) != SIZE_MAX; k++)
			;
		if (k < n)
			chess_record_free(seen[n]);
		else
			n++;
	}
	for (k = 0; k < n; k++)
		chess_record_free(seen[k]);
	return n;
}

/* The object most points of @r are on, and how many of each task's. */
static void weigh(const struct chess_record *r, struct chess_plan *plan, uint32_t *weights)
{
	size_t i, k, most = 0, n = chess_record_length(r);

	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i), *other;
		size_t same = 0;

		if (e->type != CHESS_EVENT_POINT || !e->object_kind)
			continue;
		for (k = 0; k < n; k++) {
			other = chess_record_event(r, k);
			same += other->type == CHESS_EVENT_POINT && other->object == e->object &&
				other->object_kind == e->object_kind;
		}
		if (same <= most)
			continue;
		most = same;
		plan->object = e->object;
		plan->object_kind = e->object_kind;
	}
	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_POINT && e->object == plan->object &&
		    e->object_kind == plan->object_kind)
			weights[e->task]++;
	}
	plan->weights = weights;
	plan->n_weights = chess_record_tasks(r);
}

/*
 * Steps of policy order: what the first two tasks that use one object call for it, the other
 * way round. With none there is nothing at the place, which is as good a plan.
 */
static void first_two_calls(const struct chess_record *r, uint32_t *order)
{
	const struct chess_event *e, *other;
	size_t i, k;

	order[0] = CHESS_ORDER_REVERSED;
	order[1] = order[3] = 1;
	order[4] = CHESS_ORDER_SIDE;
	for (i = 0; (e = chess_record_event(r, i)); i++)
		for (k = 0; k < i && (other = chess_record_event(r, k)); k++) {
			if (e->type != CHESS_EVENT_POINT || other->type != CHESS_EVENT_POINT ||
			    !e->caller || !other->caller || e->task == other->task ||
			    !(e->flags & other->flags & CHESS_OPF_PROBE) ||
			    e->object != other->object || e->object_kind != other->object_kind)
				continue;
			order[1] = CHESS_HOLD_CALL(e->caller);
			order[3] = CHESS_HOLD_CALL(other->caller);
			return;
		}
}

static void try_policy(struct chess_runner *r, struct chess_plan plan, const char *name,
		       unsigned long times)
{
	struct chess_record *first = run(r, &plan);
	unsigned int records;

	printf("# %s: %zu points, %zu preemptions\n", name, chess_record_points(first),
	       chess_record_preemptions(first));
	result(is_same(r, &plan, first, times - 1), "gives one record", name);
	result(is_replayed(r, first), "is replayed as a prefix", name);
	if (plan.policy >= CHESS_POLICY_KIND_RANDOM && plan.policy != CHESS_POLICY_KIND_HOLD) {
		records = count_records(r, plan);
		printf("# %s: %u records of %u seeds\n", name, records, SEEDS);
		result(records > 1, "gives other records with other seeds", name);
	}
	chess_record_free(first);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "default", "round-robin", "random", "pct", "pos",
					     "surw", "hold", "order", "pairs" };
	struct chess_program program = { .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true };
	struct chess_runner_opts opts = { .sz = sizeof(opts), .sync_points = true };
	static uint32_t changes[2], held[2] = { 1, CHESS_TASK_NONE }, weights[CHESS_MAX_TASKS];
	static uint32_t order[5], pair[3];
	struct chess_record *usual;
	struct chess_runner *r;
	struct chess_ctl *ctl;
	unsigned int kind;

	if (argc < 3)
		return 2;
	program.argv = argv + 2;
	ctl = chess_ctl_open();
	r = ctl ? chess_runner_new(ctl, &program, &opts) : NULL;
	if (!r)
		die("start");
	printf("KTAP version 1\n1..%d\n", 3 * 2 + 6 * 3);
	usual = run(r, &(struct chess_plan) { 0 });
	/* Not too early, else they and not the seed say who is first. */
	changes[0] = 6;
	changes[1] = 9;
	for (kind = 0; kind <= CHESS_POLICY_KIND_MAX; kind++) {
		struct chess_plan plan = { .policy = kind, .seed = 4711 };

		if (kind == CHESS_POLICY_KIND_PCT) {
			plan.changes = changes;
			plan.n_changes = 2;
		} else if (kind == CHESS_POLICY_KIND_HOLD) {
			plan.changes = held;
			plan.n_changes = 2;
		} else if (kind == CHESS_POLICY_KIND_ORDER) {
			first_two_calls(usual, order);
			plan.changes = order;
			plan.n_changes = 5;
		} else if (kind == CHESS_POLICY_KIND_PAIRS) {
			first_two_calls(usual, order);
			pair[0] = order[1];
			pair[1] = order[3];
			plan.changes = pair;
			plan.n_changes = 3;
		} else if (kind == CHESS_POLICY_KIND_SURW) {
			weigh(usual, &plan, weights);
		}
		try_policy(r, plan, names[kind], strtoul(argv[1], NULL, 10));
	}
	chess_record_free(usual);
	chess_runner_free(r);
	chess_ctl_close(ctl);
	printf("# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:0 error:0\n", tests - failed,
	       failed);
	return failed != 0;
}
