// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what libchessctl/iroot says of runs, and strategy maple, on random programs whose
 * schedules are all enumerated. What a run exposes is held against a definition written down
 * in the plainest way, on the events of the record alone; what is predicted and what maple
 * exposes against what any schedule exposes.
 */
#include <stdlib.h>
#include <string.h>

#include "chessctl/races.h"
#include "harness.h"
#include "iroot/iroot.h"
#include "sim.h"

/* Programs that are enumerated; those with more schedules are left out and counted. */
#define PROGRAMS	200
#define MOST_RUNS	20000
#define MOST_SITES	64

/* --- programs -------------------------------------------------------------- */

enum kind { LOAD, STORE, ADD, LOCK, UNLOCK, WAIT, POST };

struct op {
	enum kind kind;
	int object;
};

#define TASKS	4
#define OPS	6

static struct op ops[TASKS][OPS];
static int n_ops[TASKS], n_before, n_tasks;
static struct sim_var var[2];
static struct sim_mutex mutex[2];
static struct sim_sem sem;

static void reset(void)
{
	memset(var, 0, sizeof(var));
	memset(mutex, 0, sizeof(mutex));
	sem.value = 0;
}

/* Each has its own places in the program; nothing may make one function of two. */
#define SITE(N)								\
static __attribute__((noinline)) void site_##N(const struct op *o)	\
{									\
	switch (o->kind) {						\
	case LOAD:							\
		sim_load(&var[o->object]);				\
		break;							\
	case STORE:							\
		sim_store(&var[o->object], N);				\
		break;							\
	case ADD:							\
		sim_add(&var[o->object], 1);				\
		break;							\
	case LOCK:							\
		sim_lock(&mutex[o->object]);				\
		break;							\
	case UNLOCK:							\
		sim_unlock(&mutex[o->object]);				\
		break;							\
	case WAIT:							\
		sim_sem_wait(&sem);					\
		break;							\
	case POST:							\
		sim_sem_post(&sem);					\
		break;							\
	}								\
	asm volatile("" : : "i"(N));					\
}

SITE(0) SITE(1) SITE(2) SITE(3) SITE(4) SITE(5) SITE(6) SITE(7) SITE(8) SITE(9) SITE(10) SITE(11)
SITE(12) SITE(13) SITE(14) SITE(15) SITE(16) SITE(17) SITE(18) SITE(19) SITE(20) SITE(21)
SITE(22) SITE(23)

static void (*const sites[TASKS * OPS])(const struct op *o) = {
	site_0, site_1, site_2, site_3, site_4, site_5, site_6, site_7, site_8, site_9, site_10,
	site_11, site_12, site_13, site_14, site_15, site_16, site_17, site_18, site_19, site_20,
	site_21, site_22, site_23,
};

static void do_ops(int task, int from, int to)
{
	int i;

	for (i = from; i < to; i++)
		sites[task * OPS + i](&ops[task][i]);
}

static void body(void *arg)
{
	int task = (int)(intptr_t)arg;

	do_ops(task, 0, n_ops[task]);
}

static void random_main(void *arg)
{
	int i;

	(void)arg;
	do_ops(0, 0, n_before);
	for (i = 1; i < n_tasks; i++)
		sim_create(body, (void *)(intptr_t)i);
	for (i = 1; i < n_tasks; i++)
		sim_join(i);
	do_ops(0, n_before, n_ops[0]);
}

static const struct sim_program random_program = {
	.name = "random", .reset = reset, .main = random_main,
};

static uint64_t state;

static unsigned int draw(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % n;
}

/* Locks are given back in the other order than they are taken in. */
static void make_ops(int task, int n)
{
	int have[2], n_have = 0, i = 0;

	while (i + n_have < n) {
		unsigned int what = draw(10);

		if (what < 3 && i + n_have + 2 <= n && n_have < 2) {
			int object = n_have ? !have[0] : (int)draw(2);

			have[n_have++] = object;
			ops[task][i++] = (struct op){ LOCK, object };
		} else if (what == 3 && n_have) {
			ops[task][i++] = (struct op){ UNLOCK, have[--n_have] };
		} else if (what == 4 && task) {
			ops[task][i++] = (struct op){ draw(3) ? POST : WAIT, 0 };
		} else {
			ops[task][i++] = (struct op){ draw(3), !draw(3) };
		}
	}
	while (n_have)
		ops[task][i++] = (struct op){ UNLOCK, have[--n_have] };
	n_ops[task] = i;
}

static void make_program(uint64_t seed)
{
	int i;

	state = seed * 0x9e3779b97f4a7c15ULL + 1;
	n_tasks = draw(8) ? 3 : 4;
	make_ops(0, 0);
	n_before = draw(2);
	n_ops[0] = n_before + draw(2);
	for (i = 0; i < n_ops[0]; i++)
		ops[0][i] = (struct op){ draw(3), draw(2) };
	for (i = 1; i < n_tasks; i++)
		make_ops(i, n_tasks == 4 ? 1 + draw(2) : 2 + draw(3));
}

/* --- what a run exposes, by definition -------------------------------------- */

struct done {
	unsigned int task, own;
	uint32_t place;
	uint8_t kind;
	uint64_t object;
	bool write, tried, lock, unlock;
};

static struct done done[200];
static size_t n_done;

static uint32_t place_of(const struct chess_event *e)
{
	if (e->op == CHESS_OP_LOAD || e->op == CHESS_OP_STORE || e->op == CHESS_OP_UPDATE)
		return e->nr;
	/* The simulator has the place of the call there. */
	return ((uint32_t)(e->ip ^ e->ip >> 32)) | 1U << 31;
}

/* Does the task find out that it has to wait when it goes on after event @i? */
static bool has_to_wait(const struct chess_record *r, size_t i, unsigned int task)
{
	const struct chess_event *e;

	while ((e = chess_record_event(r, ++i)))
		if (e->task == task && (e->type == CHESS_EVENT_POINT ||
					e->type == CHESS_EVENT_EXIT))
			return false;
		else if (e->task == task && e->type == CHESS_EVENT_BLOCK)
			return true;
	return false;
}

static void read_done(const struct chess_record *r)
{
	const struct chess_event *at[TASKS] = { NULL }, *e, *p;
	unsigned int own[TASKS] = { 0 };
	size_t i;

	n_done = 0;
	for (i = 0; (e = chess_record_event(r, i)); i++) {
		if (e->type == CHESS_EVENT_POINT) {
			at[e->task] = e;
			own[e->task]++;
		}
		if (e->type > CHESS_EVENT_STALL || e->chosen >= TASKS || !at[e->chosen])
			continue;
		p = at[e->chosen];
		if (!has_to_wait(r, i, e->chosen))
			at[e->chosen] = NULL;
		if (p->object_kind == CHESS_OBJECT_TASK)
			continue;
		ASSERT_TRUE(n_done < 200);
		done[n_done++] = (struct done){
			.task = e->chosen, .own = own[e->chosen], .place = place_of(p),
			.kind = p->object_kind, .object = p->object, .tried = at[e->chosen],
			.write = !at[e->chosen] && (p->flags & CHESS_OPF_WRITE),
			.lock = p->op == CHESS_OP_LOCK, .unlock = p->op == CHESS_OP_UNLOCK,
		};
	}
}

static bool same_object(const struct done *a, const struct done *b)
{
	return a->kind == b->kind && a->object == b->object;
}

static bool is_dependence(size_t i, size_t k)
{
	const struct done *a = &done[i], *b = &done[k];

	if (i >= k || a->task == b->task || !same_object(a, b) || a->tried)
		return false;
	if (a->lock || a->unlock ? !b->lock : !a->write && !b->write)
		return false;
	while (++i < k)
		if (same_object(a, &done[i]) && done[i].write)
			return false;
	return true;
}

/* The task of both does nothing between them to the object of either. */
static bool nothing_between(const struct done *a, const struct done *d)
{
	size_t i;

	for (i = 0; i < n_done; i++)
		if (done[i].task == a->task && done[i].own > a->own && done[i].own < d->own &&
		    (same_object(&done[i], a) || same_object(&done[i], d)))
			return false;
	return true;
}

static void add_root(struct chess_iroots *all, unsigned int idiom, const struct done *a,
		     const struct done *b, const struct done *c, const struct done *d)
{
	struct chess_iroot root = {
		.idiom = idiom, .place = { a->place, b->place, c ? c->place : 0, d ? d->place : 0 },
	};

	int64_t at = chess_iroots_find(all, &root);

	ASSERT_TRUE(at >= 0);
	all->root[at].exposed = true;
}

static unsigned int idiom_of(const struct done *a, const struct done *b, const struct done *c,
			     const struct done *d)
{
	if (a->task != d->task || b->task != c->task || a->own >= d->own ||
	    d->own - a->own > CHESS_IROOT_WINDOW || !nothing_between(a, d))
		return 0;
	if (b == c)
		return 2;
	if (b->own < c->own)
		return same_object(a, d) ? 3 : 4;
	if (c->own < b->own && !same_object(a, d) && nothing_between(c, b))
		return 5;
	return 0;
}

static void expose_by_definition(struct chess_iroots *all)
{
	static struct { const struct done *from, *to; } edge[40000];
	unsigned int idiom;
	size_t i, k, n = 0;

	for (i = 0; i < n_done; i++)
		for (k = 0; k < n_done; k++)
			if (is_dependence(i, k)) {
				edge[n].from = &done[i];
				edge[n++].to = &done[k];
				add_root(all, 1, &done[i], &done[k], NULL, NULL);
			}
	for (i = 0; i < n; i++)
		for (k = 0; k < n; k++) {
			idiom = idiom_of(edge[i].from, edge[i].to, edge[k].from, edge[k].to);
			if (idiom)
				add_root(all, idiom, edge[i].from, edge[i].to,
					 idiom == 2 ? NULL : edge[k].from, edge[k].to);
		}
}

/* --- all schedules ----------------------------------------------------------- */

/**
 * struct look - runs that are looked at
 * @inner: makes them
 * @truth: what some schedule exposes
 * @predicted: by the first run
 * @places: of the first run
 * @runs: so far
 * @wrong: in which the observer and the definition differ
 */
struct look {
	struct chess_executor inner;
	struct chess_iroots truth, predicted;
	uint32_t places[200];
	size_t n_places, runs, wrong;
};

static const struct chess_iroot *find(const struct chess_iroots *all, const struct chess_iroot *r)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->root[i].idiom == r->idiom &&
		    !memcmp(all->root[i].place, r->place, sizeof(r->place)))
			return &all->root[i];
	return NULL;
}

static bool exposes_all(const struct chess_iroots *all, const struct chess_iroots *of)
{
	const struct chess_iroot *root;
	size_t i;

	for (i = 0; i < of->n; i++) {
		root = find(all, &of->root[i]);
		if (of->root[i].exposed && !(root && root->exposed))
			return false;
	}
	return true;
}

static int look_at_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct look *l = ctx;
	int ret = l->inner.run(l->inner.ctx, plan, out);
	struct chess_iroots seen = { 0 }, defined = { 0 };
	struct chess_iroot_run run = { 0 };
	size_t i;

	if (ret || !out->record)
		return ret;
	EXPECT_EQ(0, chess_iroot_read(&run, out->record));
	EXPECT_EQ(0, chess_iroots_observe(&seen, &run, CHESS_IROOT_WINDOW));
	read_done(out->record);
	expose_by_definition(&defined);
	expose_by_definition(&l->truth);
	l->wrong += !exposes_all(&seen, &defined) || !exposes_all(&defined, &seen);
	if (!l->runs++) {
		EXPECT_EQ(0, chess_iroots_predict(&l->predicted, &run, CHESS_IROOT_WINDOW));
		for (i = 0; i < n_done; i++)
			l->places[l->n_places++] = done[i].place;
	}
	chess_iroot_run_clear(&run);
	chess_iroots_free(&seen);
	chess_iroots_free(&defined);
	return 0;
}

static void look_clear(struct look *l)
{
	chess_iroots_free(&l->truth);
	chess_iroots_free(&l->predicted);
}

/* Were all its places reached in the first run? */
static bool is_seen(const struct look *l, const struct chess_iroot *root)
{
	size_t i, k;

	for (i = 0; i < CHESS_IROOT_PLACES; i++) {
		for (k = 0; k < l->n_places && l->places[k] != root->place[i]; k++)
			;
		if (root->place[i] && k == l->n_places)
			return false;
	}
	return true;
}

static bool enumerate(struct sim *sim, struct look *l)
{
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "dfs", .max_runs = MOST_RUNS, .keep_going = true,
	};
	const struct chess_executor x = { .run = look_at_run, .ctx = l };
	struct chess_explore_result res;
	bool all;

	l->inner = sim_executor(sim);
	EXPECT_EQ(0, chess_explore(&x, &o, &res));
	all = !res.stopped;
	chess_explore_result_clear(&res);
	return all;
}

/* By the estimate after a few runs: those that are left out must not take all the time. */
static bool is_small(struct sim *sim)
{
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "dfs", .max_runs = 40, .keep_going = true,
	};
	const struct chess_executor x = sim_executor(sim);
	struct chess_explore_result res;
	bool small;

	EXPECT_EQ(0, chess_explore(&x, &o, &res));
	small = res.estimate <= MOST_RUNS / 4;
	chess_explore_result_clear(&res);
	return small;
}

struct counts {
	size_t truth, seen, missed, predicted, infeasible, maple;
};

static void count(const struct look *l, struct counts *c)
{
	const struct chess_iroot *root;
	size_t i;

	for (i = 0; i < l->truth.n; i++) {
		root = &l->truth.root[i];
		c[root->idiom - 1].truth++;
		if (!is_seen(l, root))
			continue;
		c[root->idiom - 1].seen++;
		c[root->idiom - 1].missed += !find(&l->predicted, root);
	}
	for (i = 0; i < l->predicted.n; i++) {
		root = &l->predicted.root[i];
		c[root->idiom - 1].predicted++;
		c[root->idiom - 1].infeasible += !find(&l->truth, root);
	}
}

/* Return: runs. */
static uint64_t run_maple(struct sim *sim, struct counts *c)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .strategy = "maple", .keep_going = true };
	const struct chess_executor x = sim_executor(sim);
	struct chess_explore_result res;
	uint64_t runs;
	size_t i;

	o.racing = chess_racing_new();
	EXPECT_EQ(0, chess_explore(&x, &o, &res));
	for (i = 0; i < CHESS_IDIOMS; i++)
		c[i].maple += res.iroots_exposed[i];
	runs = res.runs;
	chess_explore_result_clear(&res);
	chess_racing_free(o.racing);
	return runs;
}

static struct sim *new_sim(const struct sim_program *program)
{
	static uint32_t points[MOST_SITES];
	const struct sim_opts opts = { .enabled = SIM_KERNEL, .accesses = true };
	struct sim *sim = sim_new(program, &opts);
	uint32_t i;

	for (i = 0; i < MOST_SITES; i++)
		points[i] = i + 1;
	sim_set_points(sim, points, MOST_SITES);
	return sim;
}

/*
 * The predictor misses nothing whose places the first run has reached, and maple exposes what some
 * schedule does, no more and no less.
 */
TEST(what_is_observed_predicted_and_exposed_of_random_programs)
{
	struct counts c[CHESS_IDIOMS] = { 0 };
	size_t programs, left = 0, runs = 0, wrong = 0, i;
	uint64_t seed, maple = 0;

	for (seed = 0, programs = 0; programs < PROGRAMS; seed++) {
		struct look l = { 0 };
		struct sim *sim;

		make_program(seed);
		sim = new_sim(&random_program);
		if (is_small(sim) && enumerate(sim, &l)) {
			programs++;
			count(&l, c);
			maple += run_maple(sim, c);
		} else {
			left++;
		}
		runs += l.runs;
		wrong += l.wrong;
		look_clear(&l);
		sim_free(sim);
	}
	printf("# %zu programs (%zu with over %d schedules left out), %zu runs, maple %llu\n",
	       programs, left, MOST_RUNS, runs, (unsigned long long)maple);
	printf("# idiom exposable seen missed predicted infeasible by-maple\n");
	for (i = 0; i < CHESS_IDIOMS; i++)
		printf("# %zu %zu %zu %zu %zu %zu %zu\n", i + 1, c[i].truth, c[i].seen,
		       c[i].missed, c[i].predicted, c[i].infeasible, c[i].maple);
	EXPECT_EQ((size_t)0, wrong);
	for (i = 0; i < CHESS_IDIOMS; i++) {
		EXPECT_TRUE(c[i].truth > 10);
		EXPECT_EQ((size_t)0, c[i].missed);
		EXPECT_EQ(c[i].truth, c[i].maple);
	}
}

/* --- one program for each idiom ----------------------------------------------- */

/**
 * struct example - a program that exposes an iRoot in some schedule, not in the first
 * @ops: of T1 and T2
 * @root: of the operations of the first run, as "task * 10 + number"; 0: the idiom has no such
 */
struct example {
	struct op ops[2][OPS];
	int n[2], root[CHESS_IROOT_PLACES];
};

static const struct example examples[CHESS_IDIOMS] = {
	{ { { { STORE, 0 } }, { { LOAD, 0 } } }, { 1, 1 }, { 21, 11 } },
	{ { { { STORE, 0 }, { LOAD, 0 } }, { { STORE, 0 } } }, { 2, 1 }, { 11, 21, 0, 12 } },
	{ { { { STORE, 0 }, { LOAD, 0 } }, { { STORE, 0 }, { STORE, 0 } } }, { 2, 2 },
	  { 11, 21, 22, 12 } },
	{ { { { STORE, 0 }, { LOAD, 1 } }, { { LOAD, 0 }, { STORE, 1 } } }, { 2, 2 },
	  { 11, 21, 22, 12 } },
	{ { { { LOCK, 0 }, { LOCK, 1 }, { UNLOCK, 1 }, { UNLOCK, 0 } },
	    { { LOCK, 1 }, { LOCK, 0 }, { UNLOCK, 0 }, { UNLOCK, 1 } } }, { 4, 4 },
	  { 11, 22, 21, 12 } },
};

static struct chess_iroot root_of(unsigned int idiom, const struct example *x)
{
	struct chess_iroot root = { .idiom = idiom };
	size_t i, k;

	for (i = 0; i < CHESS_IROOT_PLACES; i++)
		for (k = 0; k < n_done; k++)
			if ((int)(done[k].task * 10 + done[k].own) == x->root[i])
				root.place[i] = done[k].place;
	return root;
}

/* One run; what it exposes and predicts is noted. */
static struct chess_iroot_run run_plan(const struct chess_executor *x,
				       const struct chess_plan *plan, struct chess_iroots *all)
{
	struct chess_run_result out = { .diverged_at = SIZE_MAX };
	struct chess_iroot_run run = { 0 };

	EXPECT_EQ(0, x->run(x->ctx, plan, &out));
	EXPECT_EQ(0, chess_iroot_read(&run, out.record));
	EXPECT_EQ(0, chess_iroots_observe(all, &run, CHESS_IROOT_WINDOW));
	EXPECT_EQ(0, chess_iroots_predict(all, &run, CHESS_IROOT_WINDOW));
	read_done(out.record);
	x->drop(x->ctx, &out);
	return run;
}

TEST(each_idiom_is_exposed_in_the_second_run_after_one_profile)
{
	unsigned int idiom;
	int task;

	for (idiom = 1; idiom <= CHESS_IDIOMS; idiom++) {
		const struct example *e = &examples[idiom - 1];
		struct chess_iroots profile = { 0 }, active = { 0 };
		uint32_t words[1 + 2 * CHESS_ORDER_STEPS];
		struct chess_plan plan = { 0 };
		struct chess_iroot_run run;
		struct chess_executor x;
		struct chess_iroot root;
		const struct chess_iroot *found;
		struct sim *sim;

		n_tasks = 3;
		n_before = n_ops[0] = 0;
		for (task = 0; task < 2; task++) {
			n_ops[task + 1] = e->n[task];
			memcpy(ops[task + 1], e->ops[task], sizeof(e->ops[task]));
		}
		sim = new_sim(&random_program);
		x = sim_executor(sim);
		run = run_plan(&x, &plan, &profile);
		chess_iroot_run_clear(&run);
		root = root_of(idiom, e);
		found = find(&profile, &root);
		ASSERT_TRUE(found);
		EXPECT_TRUE(found->predicted);
		EXPECT_FALSE(found->exposed);
		plan.policy = CHESS_POLICY_KIND_ORDER;
		plan.changes = words;
		plan.n_changes = chess_iroot_steps(&root, words);
		run = run_plan(&x, &plan, &active);
		chess_iroot_run_clear(&run);
		found = find(&active, &root);
		EXPECT_TRUE(found && found->exposed);
		chess_iroots_free(&profile);
		chess_iroots_free(&active);
		sim_free(sim);
	}
}

/* --- with a memory of earlier searches ------------------------------------------ */

#define MOST_ROOTS	4000

/**
 * struct memory - what a caller remembers, in the simplest way
 * @place: of this search, by number: what stays the same from search to search
 * @root: with places as that, @n of them
 * @gives_up: it says of all that they were tried often enough
 * @again: runs that were to expose what it knew to be exposed, or tried often enough
 * @unnamed: places of iRoots that were not reported before
 * @runs: that were reported; @tries: of these, those that were to expose one
 * @exposed: as the last of them said
 */
struct memory {
	uint64_t place[MOST_SITES * 8];
	struct remembered {
		uint64_t place[CHESS_MEMO_PLACES];
		unsigned int idiom, failed;
		bool exposed;
	} root[MOST_ROOTS];
	size_t n;
	bool gives_up;
	size_t again, unnamed, runs, tries, exposed;
};

static int note_place(void *arg, const struct chess_memo_place *p, const char *maps)
{
	struct memory *m = arg;

	(void)maps;
	ASSERT_TRUE(p->number && p->number < sizeof(m->place) / sizeof(*m->place));
	/* Sites are the same from run to run; so are addresses of calls, in one process. */
	m->place[p->number] = p->site ? p->site :
		(p->ip ^ (uint64_t)(p->nr + 1) << 56) | 1ULL << 63;
	return 0;
}

static struct remembered *remembered(struct memory *m, const struct chess_memo_iroot *root)
{
	struct remembered r = { .idiom = root->idiom };
	size_t i;

	for (i = 0; i < CHESS_MEMO_PLACES; i++) {
		r.place[i] = root->place[i] ? m->place[root->place[i]] : 0;
		m->unnamed += root->place[i] && !r.place[i];
	}
	for (i = 0; i < m->n; i++)
		if (m->root[i].idiom == r.idiom &&
		    !memcmp(m->root[i].place, r.place, sizeof(r.place)))
			return &m->root[i];
	ASSERT_TRUE(m->n < MOST_ROOTS);
	m->root[m->n] = r;
	return &m->root[m->n++];
}

static int recall(void *arg, struct chess_memo_iroot *root, size_t n)
{
	struct memory *m = arg;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct remembered *r = remembered(m, &root[i]);

		root[i].before = r->exposed;
		root[i].failed = m->gives_up ? CHESS_MEMO_GIVE_UP : r->failed;
		root[i].failed_here = r->failed;
	}
	return 0;
}

static int note_run(void *arg, const struct chess_memo_run *run)
{
	struct memory *m = arg;
	size_t i;

	m->runs++;
	m->exposed = run->exposed;
	for (i = 0; i < run->n; i++) {
		struct remembered *r = remembered(m, &run->root[i]);

		if (run->root[i].tried) {
			EXPECT_EQ(run->idiom, (unsigned int)run->root[i].idiom);
			m->tries++;
			m->again += r->exposed || r->failed >= CHESS_MEMO_GIVE_UP || m->gives_up;
			r->failed += !run->root[i].exposed;
		}
		r->exposed |= run->root[i].exposed;
	}
	return 0;
}

/* Return: runs. *@exposed: iRoots that this search or earlier ones exposed */
static uint64_t run_with(struct sim *sim, struct memory *m, uint64_t *exposed)
{
	const struct chess_memo memo = { note_place, recall, note_run, m };
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "maple", .keep_going = true, .memo = m ? &memo : NULL,
	};
	const struct chess_executor x = sim_executor(sim);
	struct chess_explore_result res;
	uint64_t runs;
	size_t i;

	if (m) {
		memset(m->place, 0, sizeof(m->place));
		m->again = m->runs = m->tries = m->exposed = 0;
	}
	o.racing = chess_racing_new();
	EXPECT_EQ(0, chess_explore(&x, &o, &res));
	for (i = 0, *exposed = 0; i < CHESS_IDIOMS; i++)
		*exposed += res.iroots_exposed[i];
	runs = res.runs;
	chess_explore_result_clear(&res);
	chess_racing_free(o.racing);
	return runs;
}

static size_t exposed_of(const struct memory *m)
{
	size_t i, n = 0;

	for (i = 0; i < m->n; i++)
		n += m->root[i].exposed;
	return n;
}

/*
 * Who remembers nothing changes nothing; what is remembered is all that was exposed, no more; and
 * the next search tries none of it, nor what it is said of that it was tried often enough.
 */
TEST(what_is_remembered_is_not_tried_again)
{
	static struct memory m, forgetful;
	uint64_t seed, alone, first, second, exposed, same, all_first = 0, all_second = 0;
	size_t tries = 0;

	for (seed = 1000; seed < 1000 + PROGRAMS; seed++) {
		struct sim *sim;

		make_program(seed);
		sim = new_sim(&random_program);
		memset(&m, 0, sizeof(m));
		alone = run_with(sim, NULL, &exposed);
		first = run_with(sim, &m, &same);
		EXPECT_EQ(alone, first);
		EXPECT_EQ(exposed, same);
		EXPECT_EQ(first, (uint64_t)m.runs);
		EXPECT_EQ(exposed, (uint64_t)exposed_of(&m));
		EXPECT_EQ(exposed, (uint64_t)m.exposed);
		EXPECT_EQ((size_t)0, m.again);
		EXPECT_EQ((size_t)0, m.unnamed);
		tries += m.tries;
		second = run_with(sim, &m, &same);
		EXPECT_EQ((size_t)0, m.again);
		EXPECT_TRUE(same >= exposed && second <= first);
		all_first += first;
		all_second += second;
		memset(&forgetful, 0, sizeof(forgetful));
		forgetful.gives_up = true;
		run_with(sim, &forgetful, &same);
		EXPECT_EQ((size_t)0, forgetful.tries);
		sim_free(sim);
	}
	printf("# %llu runs, %llu with what they had found out; %zu to expose an iRoot\n",
	       (unsigned long long)all_first, (unsigned long long)all_second, tries);
	EXPECT_TRUE(tries > 100);
}

TEST_HARNESS_MAIN
