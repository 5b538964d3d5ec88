// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves chess_explore_races() and strategy hold on modelled programs whose variables are
 * plain memory: what races is found and becomes points, the search begins again, and its
 * last part says what a search says that had those points from the start. Counts are
 * derived where they stand.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chessctl/races.h"
#include "harness.h"
#include "internal.h"
#include "programs/programs.h"
#include "sim.h"

static struct {
	struct sim_mutex m;
	struct sim_var x, y, flag;
} g;

static void reset(void)
{
	memset(&g, 0, sizeof(g));
}

/**
 * struct hunt - a search with races as points
 * @o: what is asked for
 * @prelude: strategy prelude goes first
 * @racing: what raced
 * @res: of it
 * @grew: runs after which it began again
 * @n: how often
 */
struct hunt {
	struct chess_explore_opts o;
	bool prelude;
	struct chess_racing *racing;
	struct chess_race_search_result res;
	uint64_t grew[16];
	size_t n;
	struct sim *sim;
};

static int set_points(void *arg, const uint32_t *sites, size_t n)
{
	struct hunt *h = arg;

	sim_set_points(h->sim, sites, n);
	return 0;
}

static void note_growth(void *arg, uint64_t runs, size_t n)
{
	struct hunt *h = arg;

	(void)n;
	if (h->n < 16)
		h->grew[h->n++] = runs;
}

static int hunt_with(struct hunt *h, const struct chess_executor *x)
{
	const struct chess_race_search_opts ro = {
		.sz = sizeof(ro), .set_points = set_points, .grown = note_growth, .arg = h,
		.prelude = h->prelude,
	};

	h->racing = chess_racing_new();
	h->o.sz = sizeof(h->o);
	h->o.racing = h->racing;
	return chess_explore_races(x, &h->o, &ro, &h->res);
}

static int hunt(struct hunt *h, const struct sim_program *p)
{
	const struct sim_opts so = { .accesses = true };
	struct chess_executor x;

	h->sim = sim_new(p, &so);
	x = sim_executor(h->sim);
	return hunt_with(h, &x);
}

static void hunt_clear(struct hunt *h)
{
	chess_explore_result_clear(&h->res.all);
	chess_racing_free(h->racing);
	sim_free(h->sim);
	memset(h, 0, sizeof(*h));
}

static size_t pairs_of(const struct hunt *h)
{
	size_t n;

	chess_racing_pairs(h->racing, &n);
	return n;
}

static size_t points_of(const struct hunt *h)
{
	size_t n;

	chess_racing_points(h->racing, &n);
	return n;
}

/* Without a search: all schedules with these points from the start. */
static struct chess_explore_result plain(const struct sim_program *p,
					 const struct chess_explore_opts *o,
					 const uint32_t *sites, size_t n)
{
	const struct sim_opts so = { .accesses = true };
	struct chess_explore_result res = { 0 };
	struct sim *sim = sim_new(p, &so);
	struct chess_executor x = sim_executor(sim);
	struct chess_racing *none = chess_racing_new();
	struct chess_run_result first;

	/* Sites have numbers in the order of use: the default run gives them as before. */
	x.run(x.ctx, &(struct chess_plan) { 0 }, &first);
	chess_run_result_clear(&first);
	sim_set_points(sim, sites, n);
	if (chess_explore(&x, o, &res))
		res.verdict = 0;
	chess_racing_free(none);
	sim_free(sim);
	return res;
}

static void run_both(void (*one)(void *arg), void (*two)(void *arg))
{
	int a = sim_create(one, NULL), b = sim_create(two, NULL);

	sim_join(a);
	sim_join(b);
}

/* Two tasks add one to a variable, by a load and a store. */
static void add_one(void *arg)
{
	(void)arg;
	sim_store(&g.x, sim_load(&g.x) + 1);
}

static void lost_update(void *arg)
{
	(void)arg;
	run_both(add_one, add_one);
	sim_assert(g.x.value == 2);
}

static const struct sim_program lost = { .name = "lost", .reset = reset, .main = lost_update };

/*
 * The first run, which has no points yet, is T1 whole and T2 whole, or T2 first. The load of
 * who is second races with the other's store, its store with both: two pairs of the two
 * instructions, so two points. The first pair seen is store and load, so the second run
 * holds all at the store: both have loaded 0 by then.
 */
TEST(a_lost_update_is_found_in_the_second_run)
{
	struct hunt h = { .o = { .bound = 2 }, .prelude = true };

	ASSERT_EQ(0, hunt(&h, &lost));
	EXPECT_EQ((size_t)2, pairs_of(&h));
	EXPECT_EQ((size_t)2, points_of(&h));
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)h.res.all.verdict);
	EXPECT_EQ((uint64_t)2, h.res.all.runs);
	EXPECT_EQ((uint64_t)2, h.res.prelude_runs);
	EXPECT_EQ((size_t)1, h.n);
	EXPECT_EQ((uint64_t)1, h.grew[0]);
	hunt_clear(&h);
}

/* Without hold it takes the one preemption between a load and a store. */
TEST(the_search_finds_it_alone_with_one_preemption)
{
	struct hunt h = { .o = { .bound = 2 } };

	ASSERT_EQ(0, hunt(&h, &lost));
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)h.res.all.verdict);
	EXPECT_EQ((size_t)1, chess_record_preemptions(h.res.all.bad.record));
	EXPECT_EQ((uint64_t)0, h.res.prelude_runs);
	EXPECT_EQ(2U, h.res.searches);
	hunt_clear(&h);
}

static void add_locked(void *arg)
{
	sim_lock(&g.m);
	add_one(arg);
	sim_add(&g.y, 1);
	sim_unlock(&g.m);
}

static void locked_main(void *arg)
{
	(void)arg;
	run_both(add_locked, add_locked);
	sim_assert(g.x.value == 2);
}

static const struct sim_program locked = { .name = "locked", .reset = reset, .main = locked_main };

/* Neither plain nor atomic accesses under the lock are points: the tree is that of the lock. */
TEST(what_is_always_ordered_is_no_point)
{
	struct hunt h = { .o = { .bound = 2 } };
	struct chess_explore_result without;

	ASSERT_EQ(0, hunt(&h, &locked));
	EXPECT_EQ((size_t)0, pairs_of(&h));
	EXPECT_EQ((size_t)0, points_of(&h));
	EXPECT_EQ(1U, h.res.searches);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)h.res.all.verdict);
	EXPECT_TRUE(h.res.all.complete);
	without = plain(&locked, &h.o, NULL, 0);
	EXPECT_EQ(without.runs, h.res.all.runs);
	chess_explore_result_clear(&without);
	hunt_clear(&h);
}

static void count(void *arg)
{
	(void)arg;
	sim_add(&g.x, 1);
}

static void count_main(void *arg)
{
	(void)arg;
	sim_add(&g.y, 1);
	run_both(count, count);
}

static const struct sim_program counted = { .name = "counted", .reset = reset, .main = count_main };

/* One instruction, on what two tasks change, is a point; that on y, which T0 has alone, is none. */
TEST(atomic_instructions_on_shared_variables_are_points_and_no_races)
{
	struct hunt h = { .o = { .bound = 2 } };

	ASSERT_EQ(0, hunt(&h, &counted));
	EXPECT_EQ((size_t)0, pairs_of(&h));
	EXPECT_EQ((size_t)1, points_of(&h));
	EXPECT_EQ(CHESS_VERDICT_OK, (int)h.res.all.verdict);
	hunt_clear(&h);
}

static void store_x(void *arg)
{
	(void)arg;
	sim_store(&g.x, 1);
}

static void stores_main(void *arg)
{
	(void)arg;
	run_both(store_x, store_x);
}

static const struct sim_program stores = { .name = "stores", .reset = reset, .main = stores_main };

/* The first run shows the race, the second search is the whole one of that point. */
TEST(the_last_search_is_that_with_all_points_from_the_start)
{
	struct hunt h = { .o = { .bound = 2 } };
	struct chess_explore_result whole;
	const uint32_t *points;
	size_t n;

	h.o.sz = sizeof(h.o);
	h.o.count_classes = true;
	ASSERT_EQ(0, hunt(&h, &stores));
	EXPECT_TRUE(h.res.all.complete);
	points = chess_racing_points(h.racing, &n);
	whole = plain(&stores, &h.o, points, n);
	EXPECT_EQ(whole.runs + 1, h.res.all.runs);
	EXPECT_EQ(whole.classes, h.res.all.classes);
	EXPECT_LT((uint64_t)1, whole.classes);
	chess_explore_result_clear(&whole);
	hunt_clear(&h);
}

/* Where T2 comes first it sees no flag, and touches y as well. */
static void look_then_set(void *arg)
{
	(void)arg;
	sim_load(&g.y);
	sim_store(&g.flag, 1);
}

static void touch_unless_set(void *arg)
{
	(void)arg;
	if (!sim_load(&g.flag))
		sim_store(&g.y, 1);
}

static void later_main(void *arg)
{
	(void)arg;
	run_both(look_then_set, touch_unless_set);
}

static const struct sim_program later = { .name = "later", .reset = reset, .main = later_main };

/*
 * The default run shows the race on the flag only. With points there a preemption of T1 at
 * its store lets T2 store y, which races with T1's load: points again, a third search.
 */
TEST(a_race_that_a_later_run_shows_begins_the_search_again)
{
	struct hunt h = { .o = { .bound = 1 } };

	ASSERT_EQ(0, hunt(&h, &later));
	EXPECT_EQ((size_t)2, pairs_of(&h));
	EXPECT_EQ((size_t)4, points_of(&h));
	EXPECT_EQ(3U, h.res.searches);
	ASSERT_EQ((size_t)2, h.n);
	EXPECT_EQ((uint64_t)1, h.grew[0]);
	EXPECT_LT(h.grew[0], h.grew[1]);
	EXPECT_LT(h.grew[1], h.res.all.runs);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)h.res.all.verdict);
	hunt_clear(&h);
}

TEST(the_same_search_goes_the_same_way)
{
	struct hunt h = { .o = { .bound = 2 }, .prelude = true }, again = h;

	ASSERT_EQ(0, hunt(&h, &later));
	ASSERT_EQ(0, hunt(&again, &later));
	EXPECT_EQ(h.res.all.runs, again.res.all.runs);
	EXPECT_EQ(h.res.prelude_runs, again.res.prelude_runs);
	EXPECT_EQ(h.n, again.n);
	EXPECT_EQ(0, memcmp(h.grew, again.grew, sizeof(h.grew)));
	hunt_clear(&h);
	hunt_clear(&again);
}

/* A limit is one of all searches together: here it falls into the second. */
TEST(limits_are_those_of_all_searches_together)
{
	struct hunt h = { .o = { .bound = 2, .max_runs = 3 } };

	ASSERT_EQ(0, hunt(&h, &stores));
	EXPECT_EQ((uint64_t)3, h.res.all.runs);
	EXPECT_TRUE(h.res.all.stopped);
	EXPECT_FALSE(h.res.all.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)h.res.all.verdict);
	hunt_clear(&h);
}

/* One of a look; then the store held, for all, for T1, for T2: one instruction, no second side. */
TEST(hold_alone_ends_and_says_that_it_proves_nothing)
{
	struct hunt h = { .o = { .strategy = "hold" }, .prelude = true };

	ASSERT_EQ(0, hunt(&h, &stores));
	EXPECT_EQ((uint64_t)4, h.res.all.runs);
	EXPECT_FALSE(h.res.all.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)h.res.all.verdict);
	hunt_clear(&h);
}

/* Those of hold, and 30 of surw between and after them. */
TEST(the_prelude_ends_too)
{
	struct hunt h = { .o = { .strategy = "prelude" }, .prelude = true };

	ASSERT_EQ(0, hunt(&h, &stores));
	EXPECT_EQ((uint64_t)34, h.res.all.runs);
	EXPECT_FALSE(h.res.all.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)h.res.all.verdict);
	hunt_clear(&h);
}

/* Orders of loads and stores count by the bytes they touch: no class may be missed. */
TEST(reductions_lose_no_class)
{
	static const struct sim_program *const all[] = { &stores, &later, &counted, &locked };
	size_t i;

	for (i = 0; i < COUNT_OF(all); i++) {
		struct hunt whole_tree = { .o = { .bound = 1000, .count_classes = true } };
		struct hunt reduced = whole_tree;

		reduced.o.reduce = CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP;
		ASSERT_EQ(0, hunt(&whole_tree, all[i]));
		ASSERT_EQ(0, hunt(&reduced, all[i]));
		EXPECT_TRUE(whole_tree.res.all.complete);
		EXPECT_TRUE(reduced.res.all.complete);
		EXPECT_EQ(whole_tree.res.all.classes, reduced.res.all.classes);
		EXPECT_EQ(points_of(&whole_tree), points_of(&reduced));
		EXPECT_LE(reduced.res.all.runs, whole_tree.res.all.runs);
		hunt_clear(&whole_tree);
		hunt_clear(&reduced);
	}
}

/**
 * struct life - a part of a search that is interrupted and goes on
 * @x: who makes the runs
 * @j: where they are kept
 * @looks: whoever makes a run finds its races
 * @left: interrupted after so many
 * @made: runs, in all lives
 */
struct life {
	struct chess_executor x;
	struct chess_journal *j;
	struct chess_racing *looks;
	unsigned int left, made;
};

static int take_or_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct life *l = ctx;
	int ret = chess_journal_take(l->j, plan, out);

	if (ret)
		return ret < 0 ? ret : 0;
	if (!l->left)
		return -EINTR;
	l->left--;
	l->made++;
	ret = l->x.run(l->x.ctx, plan, out);
	if (!ret)
		ret = chess_racing_look(l->looks, out);
	EXPECT_FALSE(ret);
	return ret ? ret : chess_journal_add(l->j, plan, out);
}

static void expect_same_races(const struct hunt *one, const struct hunt *two)
{
	const struct chess_racing_counts a = chess_racing_count(one->racing);
	const struct chess_racing_counts b = chess_racing_count(two->racing);
	const struct chess_racing_pair *p, *q;
	const uint32_t *s, *t;
	size_t n, m, i;

	EXPECT_EQ(a.runs, b.runs);
	EXPECT_EQ(a.accesses, b.accesses);
	p = chess_racing_pairs(one->racing, &n);
	q = chess_racing_pairs(two->racing, &m);
	ASSERT_EQ(n, m);
	for (i = 0; i < n; i++) {
		EXPECT_EQ(p[i].first.ip, q[i].first.ip);
		EXPECT_EQ(p[i].second.ip, q[i].second.ip);
		EXPECT_EQ(p[i].run, q[i].run);
		EXPECT_EQ(p[i].runs, q[i].runs);
	}
	s = chess_racing_points(one->racing, &n);
	t = chess_racing_points(two->racing, &m);
	ASSERT_EQ(n, m);
	EXPECT_EQ(0, memcmp(s, t, n * sizeof(*s)));
}

static void expect_same_search(const struct hunt *one, const struct hunt *two)
{
	const struct chess_explore_result *a = &one->res.all, *b = &two->res.all;

	EXPECT_EQ(a->verdict, b->verdict);
	EXPECT_EQ(a->complete, b->complete);
	EXPECT_EQ(a->stopped, b->stopped);
	EXPECT_EQ(a->runs, b->runs);
	EXPECT_EQ(a->bugs, b->bugs);
	EXPECT_EQ(a->bound, b->bound);
	ASSERT_EQ(a->n_runs_at, b->n_runs_at);
	EXPECT_EQ(0, memcmp(a->runs_at, b->runs_at, a->n_runs_at * sizeof(*a->runs_at)));
	EXPECT_EQ(one->res.searches, two->res.searches);
	EXPECT_EQ(one->res.prelude_runs, two->res.prelude_runs);
	ASSERT_EQ(one->n, two->n);
	EXPECT_EQ(0, memcmp(one->grew, two->grew, one->n * sizeof(*one->grew)));
	expect_same_races(one, two);
}

static struct chess_journal *new_journal(char *path)
{
	char *about[] = { (char *)"races", NULL };

	strcpy(path, "/tmp/chess-races.XXXXXX");
	close(mkstemp(path));
	unlink(path);
	ASSERT_EQ(0, chess_journal_create(path, about));
	return chess_journal_open(path);
}

/* Interrupted every @step runs, from a new journal to the end. */
static void live_in_parts(const struct sim_program *p, const struct hunt *whole, unsigned int step)
{
	const struct sim_opts so = { .accesses = true };
	struct life l = { 0 };
	struct hunt h;
	char path[32];

	for (l.j = new_journal(path);; l.j = chess_journal_open(path)) {
		ASSERT_TRUE(l.j);
		h = (struct hunt) {
			.o = whole->o, .prelude = whole->prelude, .sim = sim_new(p, &so),
		};
		l.x = sim_executor(h.sim);
		/*
		 * Sites have numbers in the order of use, which a life that only goes on has
		 * not seen.
		 */
		if (l.made) {
			struct chess_run_result first;

			l.x.run(l.x.ctx, &(struct chess_plan) { 0 }, &first);
			chess_run_result_clear(&first);
		}
		l.looks = chess_racing_new();
		l.left = step;
		ASSERT_EQ(0, hunt_with(&h, &(struct chess_executor) {
			.run = take_or_run, .ctx = &l,
		}));
		chess_racing_free(l.looks);
		chess_journal_close(l.j);
		if (!h.res.all.stopped)
			break;
		hunt_clear(&h);
	}
	EXPECT_EQ(whole->res.all.runs, l.made);
	expect_same_search(whole, &h);
	hunt_clear(&h);
	unlink(path);
}

TEST(interrupted_anywhere_it_is_the_same_search)
{
	static const struct sim_program *const programs[] = { &lost, &later, &counted, &locked };
	size_t i;
	unsigned int step;

	for (i = 0; i < 2 * ARRAY_SIZE(programs); i++) {
		struct hunt whole = { .prelude = i % 2 };

		whole.o = (struct chess_explore_opts) { .bound = 2, .keep_going = true };
		ASSERT_EQ(0, hunt(&whole, programs[i / 2]));
		printf("# %s: %llu runs, %llu of them before the search\n", programs[i / 2]->name,
		       (unsigned long long)whole.res.all.runs,
		       (unsigned long long)whole.res.prelude_runs);
		EXPECT_EQ(i % 2 == 1, whole.res.prelude_runs > 0);
		for (step = 1; step <= whole.res.all.runs; step++)
			live_in_parts(programs[i / 2], &whole, step);
		hunt_clear(&whole);
	}
}

/* Races that nobody saw: an executor that says it has lost one access. */
static struct chess_executor whole;

static int run_with_loss(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	int ret = whole.run(ctx, plan, out);

	out->lost_accesses = 1;
	return ret;
}

TEST(lost_accesses_make_it_incomplete)
{
	const struct sim_opts so = { .accesses = true };
	struct hunt h = { .racing = chess_racing_new(), .sim = sim_new(&locked, &so) };
	const struct chess_race_search_opts ro = {
		.sz = sizeof(ro), .set_points = set_points, .arg = &h,
	};
	struct chess_executor x;

	whole = sim_executor(h.sim);
	x = (struct chess_executor) { .run = run_with_loss, .ctx = whole.ctx };
	h.o = (struct chess_explore_opts) { .sz = sizeof(h.o), .racing = h.racing };
	ASSERT_EQ(0, chess_explore_races(&x, &h.o, &ro, &h.res));
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)h.res.all.verdict);
	EXPECT_FALSE(h.res.all.complete);
	EXPECT_TRUE(h.res.all.why && strstr(h.res.all.why, "races"));
	hunt_clear(&h);
}

/* A task that needs a quantum of so many times the usual one in each run from number @slow on. */
static struct {
	unsigned int needs, times, runs, slow, sets, told;
} hurry;

static int run_in_a_hurry(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	const struct chess_event quantum = { .type = CHESS_EVENT_QUANTUM };
	int ret = whole.run(ctx, plan, out);

	if (!ret && ++hurry.runs >= hurry.slow && hurry.times < hurry.needs)
		ret = chess_record_push(out->record, &quantum, 1);
	return ret;
}

static int set_quantum(void *arg, unsigned int times)
{
	(void)arg;
	hurry.times = times;
	hurry.sets++;
	return 0;
}

static void tell_quantum(void *arg, uint64_t runs)
{
	(void)arg;
	EXPECT_EQ(hurry.slow, runs);
	hurry.told++;
}

/* Return: the runs that count. */
static uint64_t search_in_a_hurry(unsigned int needs, unsigned int slow)
{
	const struct sim_opts so = { .accesses = true };
	struct hunt h = { .racing = chess_racing_new(), .sim = sim_new(&locked, &so) };
	const struct chess_race_search_opts ro = {
		.sz = sizeof(ro), .set_points = set_points, .arg = &h,
		.set_quantum = set_quantum, .quantum_grew = tell_quantum,
	};
	struct chess_executor x;
	uint64_t runs;

	hurry = (typeof(hurry)) { .needs = needs, .times = 1, .slow = slow };
	whole = sim_executor(h.sim);
	x = (struct chess_executor) { .run = run_in_a_hurry, .ctx = whole.ctx };
	h.o = (struct chess_explore_opts) { .sz = sizeof(h.o), .racing = h.racing };
	ASSERT_EQ(0, chess_explore_races(&x, &h.o, &ro, &h.res));
	EXPECT_TRUE(h.res.all.complete);
	runs = h.res.all.runs;
	hunt_clear(&h);
	return runs;
}

/* A task that computes for long gets a longer quantum, and no other search is begun for that. */
TEST(the_quantum_is_longer_where_that_helps)
{
	uint64_t runs = search_in_a_hurry(1, 1);

	EXPECT_EQ(0U, hurry.sets);
	EXPECT_EQ(runs, search_in_a_hurry(4, 3));
	EXPECT_EQ(4U, hurry.times);
	EXPECT_EQ(1U, hurry.sets);
	EXPECT_EQ(1U, hurry.told);
	EXPECT_EQ(runs + 1, hurry.runs);
	/* Once is enough to know that it does not help. */
	EXPECT_EQ(runs, search_in_a_hurry(5, 3));
	EXPECT_EQ(1U, hurry.times);
	EXPECT_EQ(2U, hurry.sets);
	EXPECT_EQ(0U, hurry.told);
	EXPECT_EQ(runs + 1, hurry.runs);
}

TEST(hold_needs_races)
{
	const struct chess_explore_opts o = { .sz = sizeof(o), .strategy = "hold" };

	EXPECT_EQ(-EINVAL, chess_explore_check(&o));
	EXPECT_TRUE(strstr(chess_error(), "sync,races"));
}

/*
 * SCTBench's programs, against the best of the published columns (schedules to the first
 * bug, means of 20 searches; so here, by seed): no worse on three quarters of them. Without
 * CHESS's queues: their bugs take two preemptions that no pair of accesses tells, so hold
 * finds none of them, and icb comes to them late. docs/results.md has them, where SURW is
 * the best of ours.
 */
TEST(published_bugs_are_found_as_fast_as_by_the_best_of_others)
{
	size_t i, k, good = 0, all = 0;
	unsigned int seed;

	for (i = 0; sct_at(i); i++) {
		const struct sct *p = sct_at(i);
		double best = 1e9, sum = 0;

		if (strstr(p->program.name, "WorkStealQueue"))
			continue;
		for (k = 0; k < SCT_COLUMNS; k++)
			if (p->schedules[k] > 0 && !p->missed[k] && p->schedules[k] < best)
				best = p->schedules[k];
		for (seed = 0; seed < SCT_SEEDS; seed++) {
			struct hunt h = { .prelude = true };

			h.o = (struct chess_explore_opts) {
				.bound = 3, .max_runs = 1000, .seed = seed,
			};
			ASSERT_EQ(0, hunt(&h, &p->program));
			EXPECT_EQ((int)p->verdict, (int)h.res.all.verdict);
			sum += h.res.all.runs;
			hunt_clear(&h);
		}
		printf("# %s: %g, others %g\n", p->program.name, sum / SCT_SEEDS, best);
		good += sum / SCT_SEEDS <= best;
		all++;
	}
	printf("# %zu of %zu\n", good, all);
	EXPECT_GE(good * 4, all * 3);
}

/*
 * hold leaves each task at the place, so what it finds has a preemption for each; one is
 * enough in all of these, as their comments say.
 */
TEST(what_hold_finds_is_shrunk_to_one_preemption)
{
	const struct chess_shrink_opts so = { .sz = sizeof(so), .max_runs = 400 };
	static const char *const names[] = {
		"reorder_5_bad", "reorder_10_bad", "reorder_20_bad", "twostage_20", "twostage_50",
	};
	struct chess_shrink_result res;
	struct chess_executor x;
	size_t i, k, found = 0;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		for (k = 0; sct_at(k) && strcmp(sct_at(k)->program.name, names[i]); k++)
			;
		struct hunt h = { .prelude = true, .o = { .bound = 3, .max_runs = 1000 } };

		ASSERT_TRUE(sct_at(k));
		ASSERT_EQ(0, hunt(&h, &sct_at(k)->program));
		ASSERT_TRUE(h.res.all.bad.record);
		x = sim_executor(h.sim);
		ASSERT_EQ(0, chess_shrink(&x, h.res.all.bad.record, &so, &res));
		printf("# %s: %zu preemptions, %zu left, %llu runs\n", names[i],
		       res.before.preemptions, res.after.preemptions,
		       (unsigned long long)res.runs);
		found += res.before.preemptions > 1;
		EXPECT_EQ((size_t)1, res.after.preemptions);
		chess_shrink_result_clear(&res);
		hunt_clear(&h);
	}
	/* Else it would be a test of nothing. */
	EXPECT_EQ(ARRAY_SIZE(names), found);
}

TEST_HARNESS_MAIN
