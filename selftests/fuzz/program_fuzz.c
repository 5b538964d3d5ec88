// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of what programs can notice of control: programs out of seeds, whose output is
 * the same under every schedule, run alone and in every way chess can run them; each
 * difference in output or exit status is a failure of ours. Root, in the VM.
 *
 *	SEED=N		the first seed, or "random"; 1
 *	TIME=S		for so long; 30
 *	COUNT=N		so many programs at most
 *	RUNS=N		schedules of each; 4
 *	DROP=A,B	of one program: leave steps out
 *	AS=root|nobody	as this user only; both
 *	BATCH=N		N programs in one process, one after the other: as root and as nobody by
 *			turns, each batch once as "chessctl run" does it and RUNS times by
 *			explore, whose strategies take turns
 *	PROGRAMS=A,B-C	one such batch of these
 *	WAY=NAME	batches: "run" or this strategy only
 *
 * A difference is made small by leaving steps out while it stays. KTAP on stdout.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program_fuzz.h"

#define NOBODY		65534
/* Programs that differ alone: the fuzzer's own mistakes, which must stay rare. */
#define MAX_UNSTABLE(programs)	(1 + (programs) / 100)

static char seed_text[32], drop_text[256];
static char *const subject_argv[] = { subject, seed_text, drop_text, NULL };
static struct user users[] = { { "root", UINT32_MAX, NULL }, { "nobody", NOBODY, NULL } };
static unsigned long runs_wanted;
struct chess_ctl *ctl;

/* A schedule of the program: number 0 is the default's, the others are drawn. */
static struct chess_plan plan_number(uint64_t seed, unsigned long i, uint32_t *changes)
{
	static const enum chess_policy_kind kinds[] = {
		CHESS_POLICY_KIND_RANDOM, CHESS_POLICY_KIND_PCT, CHESS_POLICY_KIND_ROUND_ROBIN,
		CHESS_POLICY_KIND_POS,
	};
	struct chess_plan plan = { .seed = seed * 1000 + i };

	if (!i)
		return (struct chess_plan){ .policy = CHESS_POLICY_KIND_DEFAULT };
	plan.policy = kinds[(i - 1) % 4];
	if (plan.policy == CHESS_POLICY_KIND_ROUND_ROBIN)
		plan.seed = 0;
	if (plan.policy == CHESS_POLICY_KIND_PCT) {
		changes[0] = 1 + draw(&seed) % 50;
		changes[1] = 1 + draw(&seed) % 200;
		plan.changes = changes;
		plan.n_changes = 2;
	}
	return plan;
}

static struct chess_runner *runner_of(struct user *u)
{
	struct chess_program p = { .argv = subject_argv, .uid = u->uid, .gid = u->uid,
				   .capture = true };
	/* Where 1000 s may pass between two calls a program can print other times left. */
	struct chess_runner_opts o = { .sz = sizeof(o), .sync_points = true, .no_bpf = true,
				       .run_timeout_ms = RUN_MS, .no_early = true };

	if (!u->runner)
		u->runner = chess_runner_new(ctl, &p, &o);
	return u->runner;
}

static bool is_as_alone(const struct outcome *alone, const struct chess_run_result *r)
{
	return r->verdict != CHESS_VERDICT_DEADLOCK && r->verdict != CHESS_VERDICT_TIMEOUT &&
	       r->status == alone->status && r->out && !strcmp(r->out, alone->text);
}

/* 0: as alone. 1: not. -errno */
static int run_under(struct user *u, uint64_t seed, unsigned long i, const struct outcome *alone,
		     bool tell)
{
	struct chess_runner *r = runner_of(u);
	struct chess_run_result res = { 0 };
	uint32_t changes[2];
	struct chess_plan plan = plan_number(seed, i, changes);
	double from = now();
	int ret;

	if (!r)
		return -errno;
	ret = chess_runner_run_plan(r, &plan, NULL, 0, &res);
	counts.seconds_under += now() - from;
	counts.runs++;
	if (ret) {
		printf("# run %lu: %s\n", i, chess_error());
		return ret;
	}
	ret = !is_as_alone(alone, &res);
	if (ret && tell) {
		printf("# as %s, schedule %lu: %s, status %x, alone %x%s%s\n", u->name, i,
		       chess_verdict_name(res.verdict), res.status, alone->status,
		       res.err && *res.err ? ", stderr: " : "", res.err ? res.err : "");
		print_difference(alone->text, res.out);
	}
	chess_run_result_clear(&res);
	return ret;
}

/* Does this difference come? Alone it must be what it was, too. */
static bool differs(struct user *u, uint64_t seed, unsigned long i, bool tell)
{
	static struct outcome alone;
	int n;

	if (run_alone(u, seed, drop_text, &alone))
		return false;
	for (n = 0; n < TRIES; n++)
		if (run_under(u, seed, i, &alone, tell) == 1)
			return true;
	return false;
}

/* Leave out each step in turn for as long as the difference stays. */
static void make_small(struct user *u, uint64_t seed, unsigned long i)
{
	struct program p;
	bool drop[MAX_STEPS] = { false };
	unsigned int k;

	program_make(&p, seed, drop_text);
	for (k = 0; k < p.n; k++)
		drop[k] = p.step[k].dropped;
	for (k = 0; k < p.n; k++) {
		if (drop[k])
			continue;
		drop[k] = true;
		drop_to_text(&p, drop, drop_text, sizeof(drop_text));
		drop[k] = differs(u, seed, i, false);
	}
	drop_to_text(&p, drop, drop_text, sizeof(drop_text));
	differs(u, seed, i, true);
	program_make(&p, seed, drop_text);
	program_print(&p);
	printf("# again: SEED=%lu COUNT=1 RUNS=%lu DROP=%s program_fuzz\n", (unsigned long)seed,
	       i + 1, drop_text);
	fflush(stdout);
}

/* 0, or -errno where nothing more can be said. */
static int try_user(struct user *u, uint64_t seed)
{
	static struct outcome alone, again;
	const char *given = getenv("DROP");
	unsigned long i;
	int ret;

	snprintf(seed_text, sizeof(seed_text), "%lu", (unsigned long)seed);
	snprintf(drop_text, sizeof(drop_text), "%s", given ? given : "");
	ret = run_alone(u, seed, drop_text, &alone);
	if (ret) {
		printf("# seed %lu as %s takes too long alone\n", (unsigned long)seed, u->name);
		counts.unstable++;
		return 0;
	}
	for (i = 0; i < runs_wanted; i++) {
		ret = run_under(u, seed, i, &alone, false);
		if (ret < 0)
			return ret;
		if (!ret)
			continue;
		/* A fuzzer that is wrong about a program is not a bug of the module's. */
		if (run_alone(u, seed, drop_text, &again) || again.status != alone.status ||
		    strcmp(again.text, alone.text)) {
			printf("# seed %lu as %s differs alone\n", (unsigned long)seed, u->name);
			print_difference(alone.text, again.text);
			counts.unstable++;
			return 0;
		}
		counts.failures++;
		printf("# seed %lu as %s is not as it is alone\n", (unsigned long)seed, u->name);
		if (!differs(u, seed, i, true)) {
			printf("# and once only\n");
			return 0;
		}
		make_small(u, seed, i);
		return 0;
	}
	return 0;
}

static unsigned long first_seed(void)
{
	const char *text = getenv("SEED");

	if (text && !strcmp(text, "random"))
		return (unsigned long)time(NULL) * 1000003 % 1000000000;
	return number("SEED", 1);
}

static void print_results(unsigned int n, const char *name, bool good)
{
	printf("%s %u %s\n", good ? "ok" : "not ok", n, name);
}

/* The users that are wanted, each with its turn at batches. */
static struct user *user_number(unsigned long i)
{
	const char *only = getenv("AS");
	unsigned int k;

	for (k = 0; only && k < 2; k++)
		if (!strcmp(only, users[k].name))
			return &users[k];
	return &users[i % 2];
}

/* @size programs from *@seed on, in one process. */
static int try_many(uint64_t seed, unsigned long size, unsigned long turn)
{
	char list[64];

	snprintf(list, sizeof(list), "%lu-%lu", (unsigned long)seed,
		 (unsigned long)seed + size - 1);
	/* Each user has each strategy in turn. */
	return try_batch(user_number(turn), list, "", turn / 2, runs_wanted, getenv("WAY"));
}

static int fuzz_batches(uint64_t seed, unsigned long size, unsigned long count, double end)
{
	unsigned long turn, n;
	double told = now();
	int ret = 0;

	for (turn = 0; !ret && count && now() < end && counts.failures < MAX_FAILURES; turn++) {
		n = size < count ? size : count;
		ret = try_many(seed, n, turn);
		seed += n;
		count -= n;
		if (now() - told < 60)
			continue;
		told = now();
		printf("# %lu programs, up to seed %lu\n", counts.programs,
		       (unsigned long)seed - 1);
	}
	return ret;
}

/* Each alone in its runs, as each user. */
static int fuzz_single(uint64_t seed, unsigned long count, double end)
{
	const char *only = getenv("AS");
	unsigned int i;
	int ret = 0;

	for (; !ret && counts.programs < count && now() < end && counts.failures < MAX_FAILURES;
	     seed++, counts.programs++)
		for (i = 0; i < 2 && !ret; i++)
			if (!only || !strcmp(only, users[i].name))
				ret = try_user(&users[i], seed);
	return ret;
}

static int fuzz(uint64_t seed, double start)
{
	unsigned long count = number("COUNT", ULONG_MAX), batch = number("BATCH", 0);
	const char *list = getenv("PROGRAMS"), *drop = getenv("DROP");
	double end = start + number("TIME", 30);

	if (list)
		return try_batch(user_number(0), list, drop ? drop : "", 0, runs_wanted,
				 getenv("WAY"));
	if (batch)
		return fuzz_batches(seed, batch < MAX_BATCH ? batch : MAX_BATCH, count, end);
	return fuzz_single(seed, count, end);
}

int main(void)
{
	unsigned long seed = first_seed();
	double start = now();
	unsigned int i;
	bool good;
	int ret;

	setvbuf(stdout, NULL, _IOLBF, 0);
	runs_wanted = number("RUNS", 4);
	if (!program_prepare())
		return 1;
	printf("KTAP version 1\n1..2\n# seeds from %lu\n", seed);
	ctl = chess_ctl_open();
	if (!ctl) {
		printf("Bail out! %s\n", chess_error());
		return 1;
	}
	ret = fuzz(seed, start);
	if (ret)
		printf("# after %lu programs: %s\n", counts.programs, chess_error());
	for (i = 0; i < 2; i++)
		chess_runner_free(users[i].runner);
	chess_ctl_close(ctl);
	printf("# %lu programs, %lu runs under control, %.1f programs and %.1f runs a second\n",
	       counts.programs, counts.runs, counts.programs / (now() - start),
	       counts.runs / (now() - start));
	printf("# %lu of the runs by explore; prefixes that were not followed: %lu\n",
	       counts.explored, counts.diverged);
	printf("# a run takes %.1f ms under control, %.1f ms alone\n",
	       counts.runs ? 1000 * counts.seconds_under / counts.runs : 0,
	       counts.alone ? 1000 * counts.seconds_alone / counts.alone : 0);
	print_results(1, "programs are under control as they are alone",
		      !ret && !counts.failures);
	good = counts.programs && counts.unstable <= MAX_UNSTABLE(counts.programs);
	print_results(2, "programs are the same each time alone", good);
	return ret || counts.failures || !good;
}
