// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds the programs under programs/ against the model: what each one's comment
 * expects (runs per bound, or verdict and smallest number of preemptions) must be
 * what plain enumeration finds. programs.sh then holds chessctl against the same
 * comments. The library's search is run on the models as well, which needs no
 * kernel. The model is small and self-contained, so it is compiled in here.
 */
#include "harness.h"
#include "chessctl/chessctl.h"

#include "model/model.c"
#include "model/futex.c"
#include "model/kernel.c"
#include "model/time.c"
#include "model/bpf.c"
#include "model/calls.c"
#include "model/correct.c"
#include "model/wrong_sync.c"
#include "model/wrong_kernel.c"
#include "model/wrong_livelock.c"
#include "model/wrong.c"

#include <dirent.h>

#define LIMIT	1000000u /* runs; far above what a program may need */
#define BOUNDS	3

/* Where the kernel's lib.mk runs us, the programs are still in the checkout. */
static void programs_path(char *path, size_t size, const char *rest)
{
	const char *tree = getenv("CHESS_TREE");

	snprintf(path, size, "%s%sprograms/%s", tree ? tree : "", tree ? "/selftests/" : "", rest);
}

/* how many lines of @dir/@name.c start with @start; the last of them, without it */
static unsigned int line_of(const char *dir, const char *name, const char *start, char *out,
			    size_t size)
{
	char path[512], rest[128], line[256];
	unsigned int found = 0;
	FILE *f;

	snprintf(rest, sizeof(rest), "%s/%s.c", dir, name);
	programs_path(path, sizeof(path), rest);
	f = fopen(path, "r");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, start, strlen(start)))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(out, size, "%s", line + strlen(start));
		found++;
	}
	fclose(f);
	return found;
}

/* the line of @dir/@name.c that starts with " * expect: ", without that start */
static void expectation(const char *dir, const char *name, char *out, size_t size)
{
	ASSERT_EQ(1u, line_of(dir, name, " * expect: ", out, size));
}

static unsigned int count_models(const struct model_program *p)
{
	unsigned int n = 0;

	while (p[n].name)
		n++;
	return n;
}

static unsigned int count_sources(const char *dir)
{
	char path[512];
	unsigned int n = 0;
	struct dirent *e;
	DIR *d;

	programs_path(path, sizeof(path), dir);
	d = opendir(path);
	ASSERT_TRUE(d);
	while ((e = readdir(d))) {
		size_t length = strlen(e->d_name);

		n += length > 2 && !strcmp(e->d_name + length - 2, ".c");
	}
	closedir(d);
	return n;
}

TEST(every_program_has_a_model)
{
	EXPECT_EQ(count_sources("correct"), count_models(model_correct));
	EXPECT_EQ(count_sources("wrong"), count_models(model_wrong));
	EXPECT_GE(count_models(model_correct), 12u);
	EXPECT_GE(count_models(model_wrong), 16u);
}

TEST(correct_programs_have_the_expected_number_of_runs)
{
	const struct model_program *p;

	for (p = model_correct; p->name; p++) {
		char want[256], seen[256];
		unsigned long long runs[BOUNDS];

		expectation("correct", p->name, want, sizeof(want));
		for (unsigned int b = 0; b < BOUNDS; b++) {
			struct model_result r = model_enumerate(p, b, LIMIT);

			TH_LOG("%s bound %u: %llu runs, at most %u points", p->name, b,
			       (unsigned long long)r.runs, r.max_points);
			EXPECT_FALSE(r.endless);
			EXPECT_LT(r.runs, LIMIT);
			EXPECT_EQ(r.runs, r.ended[MODEL_OK]);
			runs[b] = r.runs;
		}
		snprintf(seen, sizeof(seen), "verdict=ok runs=%llu,%llu,%llu",
			 runs[0], runs[1], runs[2]);
		EXPECT_STREQ(seen, want);
	}
}

/* With --wake any; programs have a line about it where that makes a difference. */
TEST(programs_with_waiters_have_the_expected_number_of_runs_in_any_order)
{
	const struct model_program *p;
	unsigned int lines = 0;

	for (p = model_correct; p->name; p++) {
		char want[256] = "", seen[256] = "";
		unsigned long long first[BOUNDS], any[BOUNDS];

		for (unsigned int b = 0; b < BOUNDS; b++) {
			struct model_result r;

			first[b] = model_enumerate(p, b, LIMIT).runs;
			model_wake_any = true;
			r = model_enumerate(p, b, LIMIT);
			model_wake_any = false;
			any[b] = r.runs;
			EXPECT_EQ(r.runs, r.ended[MODEL_OK]);
		}
		if (memcmp(first, any, sizeof(any)))
			snprintf(seen, sizeof(seen), "runs=%llu,%llu,%llu", any[0], any[1],
				 any[2]);
		lines += line_of("correct", p->name, " * any: ", want, sizeof(want));
		EXPECT_STREQ(seen, want);
	}
	EXPECT_LT(0u, lines);
}

/* first failure, then runs of the right one, of both programs in bpf/ */
TEST(programs_with_points_of_their_own_are_as_expected)
{
	static const char *const names[] = { "account", "usdt" };

	for (unsigned int i = 0; i < 2; i++) {
		const struct model_program *wrong = &model_bpf[2 * i], *right = wrong + 1;
		char want[256], seen[256];
		unsigned int b = 0;
		struct model_result r[BOUNDS];

		expectation("../bpf", names[i], want, sizeof(want));
		while (b < BOUNDS && !model_enumerate(wrong, b, LIMIT).ended[MODEL_ASSERT])
			b++;
		for (unsigned int k = 0; k < BOUNDS; k++) {
			r[k] = model_enumerate(right, k, LIMIT);
			EXPECT_FALSE(r[k].endless);
			EXPECT_EQ(r[k].runs, r[k].ended[MODEL_OK]);
		}
		snprintf(seen, sizeof(seen), "preemptions=%u right: runs=%llu,%llu,%llu", b,
			 (unsigned long long)r[0].runs, (unsigned long long)r[1].runs,
			 (unsigned long long)r[2].runs);
		TH_LOG("%s: %s", names[i], seen);
		EXPECT_STREQ(seen, want);
	}
}

TEST(wrong_programs_fail_first_with_the_expected_preemptions)
{
	const struct model_program *p;

	for (p = model_wrong; p->name; p++) {
		char want[256], seen[256] = "not found";

		expectation("wrong", p->name, want, sizeof(want));
		for (unsigned int b = 0; b < BOUNDS; b++) {
			struct model_result r = model_enumerate(p, b, LIMIT);
			unsigned int kinds = 0, kind = MODEL_OK, i;

			EXPECT_EQ(r.endless, !!r.ended[MODEL_LIVELOCK]);
			EXPECT_LT(r.runs, LIMIT);
			for (i = MODEL_OK + 1; i < __MODEL_VERDICT_MAX; i++) {
				if (!r.ended[i])
					continue;
				kind = i;
				kinds++;
			}
			if (!kinds)
				continue;
			/* two ways to fail would leave the verdict to the search order */
			EXPECT_EQ(1u, kinds);
			snprintf(seen, sizeof(seen), "verdict=%s preemptions=%u",
				 model_verdict_name(kind), b);
			break;
		}
		TH_LOG("%s: %s", p->name, seen);
		EXPECT_STREQ(seen, want);
	}
}

/*
 * The enumeration itself, against numbers from a formula. Main has a steps after
 * its a points; the thread has b + 1, since it also goes from its start to its
 * first point. Neither blocks while it has any left, so without a limit on
 * preemptions there are C(a + b + 1, a) orders of the steps.
 */
static unsigned int own_points, other_points;

static void only_points(void *arg)
{
	(void)arg;
	/* the exit of the thread is one more */
	for (unsigned int i = 1; i < other_points; i++)
		model_point();
}

static void two_tasks(void)
{
	model_spawn(only_points, NULL, false);
	/* so is the end of the process, but there the run ends */
	for (unsigned int i = 0; i < own_points; i++)
		model_point();
	while (!model_is_dead(1))
		model_sleep(&tasks[1]);
}

static unsigned long long choose(unsigned int n, unsigned int k)
{
	unsigned long long c = 1;

	for (unsigned int i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return c;
}

TEST(unlimited_preemptions_give_every_interleaving)
{
	static const struct model_program p = { "two_tasks", reset_correct, two_tasks };

	for (own_points = 1; own_points <= 5; own_points++)
		for (other_points = 1; other_points <= 5; other_points++)
			EXPECT_EQ(choose(own_points + other_points + 1, own_points),
				  model_enumerate(&p, 100, LIMIT).runs);
}

TEST(each_schedule_belongs_to_the_bound_of_its_preemptions)
{
	static const struct model_program p = { "two_tasks", reset_correct, two_tasks };
	uint64_t last = 0;

	own_points = 4;
	other_points = 4;
	for (unsigned int b = 0; b <= 9; b++) {
		uint64_t runs = model_enumerate(&p, b, LIMIT).runs;

		EXPECT_GE(runs, last);
		last = runs;
	}
	EXPECT_EQ(1u, model_enumerate(&p, 0, LIMIT).runs);
	/* one preemption: main can be left at each of its points */
	EXPECT_EQ(1u + 4, model_enumerate(&p, 1, LIMIT).runs);
	EXPECT_EQ(choose(9, 4), last);
}

/*
 * The search, driven by the model instead of the kernel: it must make as many
 * runs as plain enumeration finds schedules, for every program and bound.
 */
struct forced_run {
	const struct chess_plan *plan;
	size_t decisions;
	struct chess_record *record;
	uint32_t seq;
};

/* The default policy, as docs/strategies.md has it. */
static unsigned int default_of(enum model_decision kind, unsigned int task, uint64_t enabled,
			       uint64_t allowed, uint64_t timed, unsigned int first)
{
	uint64_t others = kind == MODEL_AT_YIELD ? allowed & ~(1ULL << task) : allowed;

	if (kind == MODEL_AT_POINT && (allowed >> task & 1))
		return task;
	if (others)
		return __builtin_ctzll(others);
	if (timed)
		return first;
	return enabled ? task : CHESS_TASK_NONE;
}

static unsigned int choose_as_forced(void *arg, enum model_decision kind, unsigned int task,
				     uint64_t enabled, uint64_t allowed, uint64_t timed,
				     unsigned int first)
{
	struct forced_run *f = arg;
	unsigned int normal = default_of(kind, task, enabled, allowed, timed, first);
	unsigned int chosen = normal;
	struct chess_event left_out = {
		.seq = f->seq + 1, .type = CHESS_EVENT_FAIR, .task = task,
		.chosen = CHESS_TASK_NONE, .enabled = enabled & ~allowed,
	};
	struct chess_event e = {
		.type = kind == MODEL_AT_BLOCK ? CHESS_EVENT_BLOCK :
			kind == MODEL_AT_SIGNAL ? CHESS_EVENT_SIGNAL : CHESS_EVENT_POINT,
		.flags = kind == MODEL_AT_YIELD ? CHESS_OPF_YIELD : 0,
		.task = task, .enabled = enabled, .timed = timed,
	};

	if ((enabled || timed) && f->decisions < f->plan->length)
		chosen = chess_schedule_task(f->plan->prefix, f->decisions);
	f->decisions++;
	e.chosen = chosen;
	if (chosen != CHESS_TASK_NONE && (timed >> chosen & 1) && chosen != normal)
		e.flags |= CHESS_OPF_EARLY;
	f->seq += !!left_out.enabled;
	chess_record_push(f->record, &left_out, !!left_out.enabled);
	e.seq = ++f->seq;
	chess_record_push(f->record, &e, 1);
	if (chosen != CHESS_TASK_NONE && (timed >> chosen & 1)) {
		e = (struct chess_event) { .seq = ++f->seq, .type = CHESS_EVENT_TIMEOUT,
					   .task = chosen, .chosen = CHESS_TASK_NONE };
		chess_record_push(f->record, &e, 1);
	}
	return chosen;
}

static int run_model(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	static const enum chess_verdict verdicts[__MODEL_VERDICT_MAX] = {
		[MODEL_OK] = CHESS_VERDICT_OK, [MODEL_ASSERT] = CHESS_VERDICT_ASSERT,
		[MODEL_CRASH] = CHESS_VERDICT_CRASH, [MODEL_DEADLOCK] = CHESS_VERDICT_DEADLOCK,
		[MODEL_EXIT] = CHESS_VERDICT_EXIT, [MODEL_LIVELOCK] = CHESS_VERDICT_LIVELOCK,
	};
	struct forced_run f = { plan, 0, chess_record_new(), 0 };

	memset(out, 0, sizeof(*out));
	out->verdict = verdicts[model_run(ctx, choose_as_forced, &f)];
	out->bad_task = -1;
	out->record = f.record;
	out->diverged_at = SIZE_MAX;
	return 0;
}

static struct chess_explore_result search(const struct model_program *p, unsigned int bound)
{
	const struct chess_executor x = { .run = run_model, .ctx = (void *)p };
	const struct chess_explore_opts o = { .sz = sizeof(o), .bound = bound, .strategy = "icb" };
	struct chess_explore_result res;

	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	return res;
}

TEST(the_search_makes_as_many_runs_as_there_are_schedules)
{
	for (const struct model_program *p = model_correct; p->name; p++)
		for (unsigned int b = 0; b < BOUNDS; b++) {
			struct chess_explore_result res = search(p, b);

			EXPECT_STREQ("ok", chess_verdict_name(res.verdict));
			EXPECT_TRUE(res.complete);
			EXPECT_EQ(model_enumerate(p, b, LIMIT).runs, res.runs);
			chess_explore_result_clear(&res);
		}
}

TEST(the_search_finds_each_bug_with_the_fewest_preemptions)
{
	for (const struct model_program *p = model_wrong; p->name; p++) {
		struct chess_explore_result res = search(p, BOUNDS - 1);
		char want[256], seen[256];

		expectation("wrong", p->name, want, sizeof(want));
		ASSERT_TRUE(res.bad.record);
		snprintf(seen, sizeof(seen), "verdict=%s preemptions=%zu",
			 chess_verdict_name(res.verdict),
			 chess_record_preemptions(res.bad.record));
		EXPECT_STREQ(seen, want);
		chess_explore_result_clear(&res);
	}
}

static struct sem timed_sem;
static struct eventfd timed_event;
static unsigned int ticks;

static void reset_timed(void)
{
	memset(&timed_sem, 0, sizeof(timed_sem));
	memset(&timed_event, 0, sizeof(timed_event));
	ticks = 0;
}

static void sleeper(void *arg)
{
	(void)arg;
	m_nanosleep(3);
	ticks++;
	m_nanosleep(3);
}

static void sleepers_in_order(void)
{
	unsigned int t = m_create(sleeper, NULL);

	m_nanosleep(5);
	m_join(t);
}

static void poster(void *arg)
{
	(void)arg;
	m_nanosleep(1);
	m_sem_post(&timed_sem);
	m_eventfd_write(&timed_event, 1);
}

static void waits_with_an_end(void)
{
	unsigned int t = m_create(poster, NULL);

	m_sem_timedwait(&timed_sem, 100);
	m_epoll_wait_for(&timed_event, 100);
	m_join(t);
}

/* Takes it for granted that a second is enough. */
static void believes_in_time(void)
{
	unsigned int t = m_create(sleeper, NULL);

	m_nanosleep(1000);
	m_assert(ticks);
	m_join(t);
}

static void times_out_at_last(void)
{
	m_assert(!m_sem_timedwait(&timed_sem, 10));
	m_assert(model_clock() == 10);
	m_sem_wait(&timed_sem);
}

TEST(deadlines_are_searched_as_they_are_enumerated)
{
	static const struct model_program programs[] = {
		{ "sleepers_in_order", reset_timed, sleepers_in_order },
		{ "waits_with_an_end", reset_timed, waits_with_an_end },
	};
	unsigned int i, b;

	for (i = 0; i < 2; i++)
		for (b = 0; b <= BOUNDS; b++) {
			struct chess_explore_result res = search(&programs[i], b);
			struct model_result r = model_enumerate(&programs[i], b, LIMIT);

			TH_LOG("%s bound %u: %llu runs", programs[i].name, b,
			       (unsigned long long)r.runs);
			EXPECT_FALSE(r.endless);
			EXPECT_EQ(r.runs, r.ended[MODEL_OK]);
			EXPECT_TRUE(res.complete);
			EXPECT_EQ(r.runs, res.runs);
			chess_explore_result_clear(&res);
		}
	/* In the order of their deadlines there is nothing to choose. */
	EXPECT_EQ(1u, model_enumerate(&programs[0], 0, LIMIT).runs);
}

TEST(early_deadline_is_one_preemption)
{
	static const struct model_program p = { "believes_in_time", reset_timed,
						believes_in_time };
	struct chess_explore_result res = search(&p, 2);

	EXPECT_EQ(0u, model_enumerate(&p, 0, LIMIT).ended[MODEL_ASSERT]);
	EXPECT_LT(0u, model_enumerate(&p, 1, LIMIT).ended[MODEL_ASSERT]);
	EXPECT_STREQ("assert", chess_verdict_name(res.verdict));
	ASSERT_TRUE(res.bad.record);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
	chess_explore_result_clear(&res);
}

/* A deadline is not a deadlock; what waits for ever after it is one. */
TEST(deadlock_is_what_no_deadline_ends)
{
	static const struct model_program p = { "times_out_at_last", reset_timed,
						times_out_at_last };
	struct model_result r = model_enumerate(&p, 2, LIMIT);

	EXPECT_EQ(1u, r.runs);
	EXPECT_EQ(1u, r.ended[MODEL_DEADLOCK]);
}

static void spinner(void *arg)
{
	(void)arg;
	for (;;)
		model_yield();
}

static void spin(void)
{
	model_spawn(spinner, NULL, false);
	for (;;)
		model_yield();
}

TEST(endless_programs_are_noticed)
{
	static const struct model_program p = { "spin", reset_correct, spin };

	EXPECT_TRUE(model_enumerate(&p, 0, 1).endless);
}

TEST_HARNESS_MAIN
