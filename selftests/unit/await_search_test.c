// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches of programs with loops that wait: spinlocks, flags, and two flags at once. A search
 * leaves out turns of such a loop in which nothing has changed. Random programs are held against
 * an enumeration that knows nothing of this: in it a loop goes round, up to a number of turns, as
 * on a machine. What is compared are the results that some schedule has: what is in memory at the
 * end, or which task fails where, or where all tasks wait. That such a task gives way for free
 * from its second turn on is the rule of docs/strategies.md, "Loops that wait".
 *
 * COUNT=n tries n programs; SEED=n begins with that seed. A failure prints the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "mix.h"
#include "sim.h"
#include "../harness.h"

#define TASKS	3	/* besides T0, which makes them and ends */
#define OPS	5
#define VARS	3
#define TURNS	4	/* of a loop, in vain, in the enumeration */
#define BOUND	2
#define ALL	100	/* preemptions: no schedule has so many */
#define COUNT	150
#define RESULTS	4096
#define RUNS	200000

enum kind {
	ADD,		/* b to variable a */
	CHECK,		/* fails if variable a is b */
	AWAIT,		/* until variable a is b or more */
	EITHER,		/* until variable a or the next one is b or more: two accesses a turn */
	ANY,		/* the same with all variables */
	BOTH,		/* until both are: one access a turn, or two */
	SUM,		/* until their sum is, which is in no register at the first access only */
	TAKE,		/* variable a from 0 to 1 by compare and swap, again and again */
	GIVE,		/* variable a becomes 0 */
	TEST_AND_TAKE,	/* waits until variable a is 0, then tries once, and so on */
	__KINDS,
};

struct op {
	enum kind kind;
	int a, b;
};

struct program {
	uint64_t seed;
	int tasks, n[TASKS];
	struct op op[TASKS][OPS];
};

/* Keys of results; each once. */
struct results {
	uint64_t key[RESULTS];
	size_t n;
	uint64_t runs;
	bool whole;
};

static void add_result(struct results *r, uint64_t key)
{
	size_t i;

	for (i = 0; i < r->n && r->key[i] != key; i++)
		;
	if (i == RESULTS)
		abort();
	r->key[i] = key;
	r->n += i == r->n;
}

static bool has_result(const struct results *r, uint64_t key)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->key[i] == key)
			return true;
	return false;
}

enum end { END_OK, END_FAILED, END_STUCK };

/* What a run came to: @where only counts if it failed, memory only if it did not. */
static uint64_t result(enum end end, const long value[VARS], int task, int pc)
{
	uint64_t key = chess_mix(1, end);
	int i;

	if (end == END_FAILED)
		return chess_mix(chess_mix(key, task), pc);
	for (i = 0; i < VARS; i++)
		key = chess_mix(key, value[i]);
	return key;
}

/* The enumeration: T0 is task number TASKS, whose steps make the others. */
struct task {
	int pc, turns, half;
	long sum;
	bool born, ended, is_at, second;
};

struct state {
	const struct program *p;
	struct task task[TASKS + 1];
	long value[VARS];
	int cur, made;
};

enum way { AT_POINT, AT_YIELD, GONE, FAILED, OVER };

static bool is_wait(const struct op *op)
{
	return op->kind >= AWAIT && op->kind <= TEST_AND_TAKE && op->kind != GIVE;
}

/* Does a turn of the loop end it now? */
static bool is_open(const struct state *s, const struct op *op)
{
	long first = s->value[op->a], second = s->value[(op->a + 1) % VARS];

	switch (op->kind) {
	case AWAIT:
		return first >= op->b;
	case EITHER:
		return first >= op->b || second >= op->b;
	case ANY:
		return first >= op->b || second >= op->b ||
		       s->value[(op->a + 2) % VARS] >= op->b;
	case BOTH:
		return first >= op->b && second >= op->b;
	case SUM:
		return first + second >= op->b;
	default:
		return !s->value[op->a];
	}
}

/* One access of the current task. Return: does its op go on? */
static bool access_once(struct state *s, const struct op *op, struct task *t)
{
	switch (op->kind) {
	case AWAIT:
		return s->value[op->a] < op->b && ++t->turns;
	case EITHER:
	case ANY:
		if (s->value[(op->a + t->half) % VARS] >= op->b)
			return false;
		t->half = (t->half + 1) % (op->kind == ANY ? 3 : 2);
		t->turns += !t->half;
		return true;
	case BOTH:
		if (s->value[(op->a + t->half) % VARS] < op->b) {
			t->second |= t->half;
			t->half = 0;
			return ++t->turns;
		}
		t->half = !t->half;
		return t->half;
	case SUM:
		t->sum = t->half ? t->sum + s->value[(op->a + 1) % VARS] : s->value[op->a];
		if (t->half && t->sum >= op->b)
			return false;
		t->half = !t->half;
		t->turns += !t->half;
		return true;
	case TAKE:
		if (s->value[op->a])
			return ++t->turns;
		s->value[op->a] = 1;
		return false;
	case TEST_AND_TAKE:
		if (!t->half) {
			t->half = !s->value[op->a];
			t->turns += !t->half;
			return true;
		}
		if (s->value[op->a]) {
			t->half = 0;
			t->turns = 0;
			return true;
		}
		s->value[op->a] = 1;
		return false;
	case ADD:
		s->value[op->a] += op->b;
		return false;
	case GIVE:
		s->value[op->a] = 0;
		return false;
	default:
		return false;
	}
}

/* Runs the current task up to its next point. */
static enum way advance(struct state *s)
{
	struct task *t = &s->task[s->cur];
	const struct op *op;

	if (s->cur == TASKS) {
		if (t->is_at && s->made < s->p->tasks)
			s->task[s->made++].born = true;
		else if (t->is_at)
			t->ended = true;
		t->is_at = true;
		return t->ended ? GONE : AT_POINT;
	}
	if (t->is_at && t->pc == s->p->n[s->cur]) {
		t->ended = true;
		return GONE;
	}
	if (t->is_at) {
		op = &s->p->op[s->cur][t->pc];
		if (op->kind == CHECK && s->value[op->a] == op->b)
			return FAILED;
		if (!access_once(s, op, t)) {
			t->pc++;
			t->turns = 0;
			t->half = 0;
			t->second = false;
		}
	}
	t->is_at = true;
	op = t->pc < s->p->n[s->cur] ? &s->p->op[s->cur][t->pc] : NULL;
	if (!op || !is_wait(op) || !t->turns)
		return AT_POINT;
	/* The other access of a turn is no loop by itself, or may not have been reached before. */
	if (t->half && (op->kind == TEST_AND_TAKE || op->kind == SUM ||
			(op->kind == BOTH && !t->second)))
		return AT_POINT;
	return t->turns > TURNS ? OVER : AT_YIELD;
}

static bool can_run(const struct state *s, int i)
{
	return s->task[i].born && !s->task[i].ended;
}

/* Nobody is left, or all who are wait for what nobody will do. */
static bool has_ended(const struct state *s, enum end *end)
{
	int i;

	*end = END_OK;
	for (i = 0; i <= TASKS; i++) {
		const struct task *t = &s->task[i];

		if (!can_run(s, i))
			continue;
		if (i == TASKS || t->pc == s->p->n[i] || !is_wait(&s->p->op[i][t->pc]) ||
		    (t->half && s->p->op[i][t->pc].kind == TEST_AND_TAKE) ||
		    is_open(s, &s->p->op[i][t->pc]))
			return false;
		*end = END_STUCK;
	}
	return true;
}

static void enumerate(struct state s, int preemptions, int bound, struct results *out)
{
	enum way way = advance(&s);
	enum end end;
	int i;

	if (way == OVER || !out->whole)
		return;
	if (way == FAILED || has_ended(&s, &end)) {
		if (way == FAILED)
			end = END_FAILED;
		add_result(out, result(end, s.value, s.cur + 1, s.task[s.cur].pc));
		out->whole = ++out->runs < RUNS;
		return;
	}
	for (i = 0; i <= TASKS; i++) {
		struct state next = s;
		int cost = way == AT_POINT && i != s.cur;

		if (!can_run(&s, i) || preemptions + cost > bound)
			continue;
		next.cur = i;
		enumerate(next, preemptions + cost, bound, out);
	}
}

static void enumerate_all(const struct program *p, int bound, struct results *out)
{
	struct state s = { .p = p, .cur = TASKS };

	s.task[TASKS].born = true;
	*out = (struct results){ .whole = true };
	enumerate(s, 0, bound, out);
}

/* The same program under the search. */
static const struct program *program;
static struct sim_var var[VARS];
static int at[TASKS];

static void reset(void)
{
	memset(var, 0, sizeof(var));
	memset(at, 0, sizeof(at));
}

/* One place in the code, as in a loop that is not unrolled. */
static __attribute__((noinline)) long look(const struct sim_var *v, bool again)
{
	long value = sim_look(v, again);

	/* Not a tail call. */
	__asm__ volatile("" : "+r" (value));
	return value;
}

static void await_any(const struct op *op, int n)
{
	bool again = false;
	int i;

	for (;; again = true)
		for (i = 0; i < n; i++)
			if (look(&var[(op->a + i) % VARS], again) >= op->b)
				return;
}

static void await_both(const struct op *op)
{
	struct sim_var *v[2] = { &var[op->a], &var[(op->a + 1) % VARS] };
	bool again = false, second = false;

	for (;; again = true) {
		if (look(v[0], again) < op->b)
			continue;
		if (look(v[1], second) >= op->b)
			return;
		second = true;
	}
}

static void await_sum(const struct op *op)
{
	bool again = false;
	long sum;

	do {
		sum = look(&var[op->a], again);
		sum += look(&var[(op->a + 1) % VARS], false);
		again = true;
	} while (sum < op->b);
}

static void test_and_take(struct sim_var *v)
{
	bool again;

	do {
		for (again = false; look(v, again); again = true)
			;
	} while (!sim_cas(v, 0, 1));
}

static void execute(const struct op *op)
{
	struct sim_var *v = &var[op->a];
	bool again = false;

	switch (op->kind) {
	case ADD:
		sim_add(v, op->b);
		break;
	case CHECK:
		sim_assert(sim_load(v) != op->b);
		break;
	case AWAIT:
		while (look(v, again) < op->b)
			again = true;
		break;
	case EITHER:
		await_any(op, 2);
		break;
	case ANY:
		await_any(op, 3);
		break;
	case BOTH:
		await_both(op);
		break;
	case SUM:
		await_sum(op);
		break;
	case TAKE:
		while (!sim_look_cas(v, 0, 1, again))
			again = true;
		break;
	case GIVE:
		sim_store(v, 0);
		break;
	default:
		test_and_take(v);
		break;
	}
}

static void body(void *arg)
{
	int task = (intptr_t)arg;

	for (at[task] = 0; at[task] < program->n[task]; at[task]++)
		execute(&program->op[task][at[task]]);
}

static void start(void *arg)
{
	intptr_t i;

	(void)arg;
	for (i = 0; i < program->tasks; i++)
		sim_create(body, (void *)i);
}

/* An executor that notes results. */
struct noted {
	struct chess_executor x;
	struct results *out;
};

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *res)
{
	struct noted *n = ctx;
	int ret = n->x.run(n->x.ctx, plan, res), i;
	long value[VARS];

	if (ret)
		return ret;
	for (i = 0; i < VARS; i++)
		value[i] = var[i].value;
	/* T0 has no ops, and the others are numbered as the enumeration does. */
	if (res->verdict == CHESS_VERDICT_ASSERT)
		add_result(n->out, result(END_FAILED, value, res->bad_task,
					  at[res->bad_task - 1]));
	else
		add_result(n->out, result(res->verdict == CHESS_VERDICT_OK ? END_OK : END_STUCK,
					  value, 0, 0));
	return 0;
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct noted *n = ctx;

	n->x.drop(n->x.ctx, res);
}

static void search(const struct program *p, const char *strategy, int bound, struct results *out)
{
	static const struct sim_program sim = { .name = "awaits", .reset = reset, .main = start };
	const struct sim_opts how = { .enabled = SIM_KERNEL, .max_points = 300 };
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = strategy, .bound = bound, .keep_going = true,
		.reduce = CHESS_REDUCE_DPOR, .max_runs = RUNS,
	};
	struct sim *s = sim_new(&sim, &how);
	struct noted n = { .x = sim_executor(s), .out = out };
	struct chess_executor x = { .run = run, .ctx = &n, .drop = drop };
	struct chess_explore_result res;

	program = p;
	*out = (struct results){ 0 };
	if (chess_explore(&x, &o, &res)) {
		printf("# %s\n", chess_error());
		abort();
	}
	out->runs = res.runs;
	out->whole = res.complete;
	chess_explore_result_clear(&res);
	sim_free(s);
}

static void print(const struct program *p)
{
	static const char *const names[__KINDS] = {
		"add", "check", "await", "either", "any", "both", "sum",
		"take", "give", "test_and_take",
	};
	int i, k;

	printf("# seed %llu\n", (unsigned long long)p->seed);
	for (i = 0; i < p->tasks; i++) {
		printf("# T%d:", i + 1);
		for (k = 0; k < p->n[i]; k++)
			printf(" %s(%d,%d)", names[p->op[i][k].kind], p->op[i][k].a,
			       p->op[i][k].b);
		printf("\n");
	}
}

static uint64_t draw(uint64_t *state, uint64_t n)
{
	*state = chess_mix(*state, 0x9e3779b97f4a7c15ULL);
	return (*state >> 11) % n;
}

static void push(struct program *p, int task, enum kind kind, int a, int b)
{
	p->op[task][p->n[task]++] = (struct op){ kind, a, b };
}

static void make(struct program *p, uint64_t seed)
{
	uint64_t s = chess_mix(seed, 1);
	int i, k, a, size;

	*p = (struct program){ .seed = seed, .tasks = 2 + draw(&s, 2) };
	size = p->tasks == 2 ? 4 : 3;
	for (i = 0; i < p->tasks; i++)
		for (k = 1 + draw(&s, 2); k > 0 && p->n[i] < size; k--) {
			a = draw(&s, VARS);
			switch (draw(&s, 6)) {
			case 0:
				push(p, i, draw(&s, 2) ? TAKE : TEST_AND_TAKE, a, 0);
				if (draw(&s, 2))
					push(p, i, ADD, draw(&s, VARS), 1);
				push(p, i, GIVE, a, 0);
				break;
			case 1:
				push(p, i, AWAIT, a, 1 + draw(&s, 2));
				break;
			case 2:
				push(p, i, EITHER + draw(&s, 4), a, 1 + draw(&s, 2));
				break;
			case 3:
				push(p, i, CHECK, a, draw(&s, 3));
				break;
			default:
				push(p, i, ADD, a, 1);
				break;
			}
		}
}

static size_t count_missing(const struct results *all, const struct results *of)
{
	size_t i, missing = 0;

	for (i = 0; i < all->n; i++)
		missing += !has_result(of, all->key[i]);
	return missing;
}

/*
 * The search has all results that the bound allows. Where all schedules are known, it
 * has no result that none of them has. It may have others of the program, because a
 * task that fairness holds back is left for free.
 */
static bool check(const struct program *p, const char *strategy, int bound,
		  const struct results *within, const struct results *any, uint64_t *runs)
{
	static struct results seen;
	size_t missing, wrong;

	search(p, strategy, bound, &seen);
	missing = count_missing(within, &seen);
	wrong = any->whole ? count_missing(&seen, any) : 0;
	*runs += seen.runs;
	if (missing || wrong || !seen.whole) {
		printf("# %s at bound %d: %zu of %zu results missing, %zu that no schedule has; %lu runs%s\n",
		       strategy, bound, missing, within->n, wrong, (unsigned long)seen.runs,
		       seen.whole ? "" : ", not complete");
		print(p);
	}
	return !missing && !wrong && seen.whole;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

TEST_TIMEOUT(no_result_is_missing, 3600)
{
	uint64_t i, n = number("COUNT", COUNT), first = number("SEED", 1100), compared = 0;
	uint64_t schedules = 0, runs = 0, unbounded = 0;
	static struct results any, within;
	struct program p;
	int bound;

	for (i = 0; i < n; i++) {
		make(&p, first + i);
		enumerate_all(&p, ALL, &any);
		for (bound = 0; bound <= BOUND; bound++) {
			enumerate_all(&p, bound, &within);
			if (!within.whole)
				continue;
			compared++;
			ASSERT_TRUE(check(&p, "icb", bound, &within, &any, &runs));
			schedules += within.runs;
		}
		if (!any.whole)
			continue;
		compared++;
		ASSERT_TRUE(check(&p, "dfs", 0, &any, &any, &unbounded));
	}
	printf("# %lu searches; with a bound %lu runs, %lu schedules; without %lu runs\n",
	       (unsigned long)compared, (unsigned long)runs, (unsigned long)schedules,
	       (unsigned long)unbounded);
	EXPECT_LT(n * 3, compared);
}

/* How many runs within a bound, or without one. */
static unsigned long runs_of(const struct program *p, int bound)
{
	static struct results seen;

	search(p, bound < ALL ? "icb" : "dfs", bound, &seen);
	EXPECT_TRUE(seen.whole);
	return seen.runs;
}

/*
 * One task sets a flag that the others wait for. A waiter that comes first finds nothing and waits,
 * which is the same as coming later; but that it does, a run has to show. By counting each turn,
 * two waiters took 6494 runs within two preemptions and 92399 without a bound.
 */
TEST(a_flag_takes_one_run_and_one_for_each_waiter)
{
	struct program p = { .tasks = 2 };

	push(&p, 0, ADD, 0, 1);
	push(&p, 1, AWAIT, 0, 1);
	EXPECT_EQ(2UL, runs_of(&p, 2));
	EXPECT_EQ(2UL, runs_of(&p, ALL));
	p.tasks = 3;
	push(&p, 2, AWAIT, 0, 1);
	EXPECT_EQ(3UL, runs_of(&p, 2));
	EXPECT_EQ(3UL, runs_of(&p, ALL));
}

/* Three tasks take a spinlock once: there are six orders. It was 1522 and 72556 runs. */
TEST(a_spinlock_takes_few)
{
	struct program p = { .tasks = 3 };
	unsigned long bounded, all;
	int i;

	for (i = 0; i < 3; i++) {
		push(&p, i, TAKE, 0, 0);
		push(&p, i, GIVE, 0, 0);
	}
	bounded = runs_of(&p, 2);
	all = runs_of(&p, ALL);
	printf("# %lu runs within two preemptions, %lu without a bound\n", bounded, all);
	EXPECT_TRUE(bounded >= 6 && bounded < 50);
	EXPECT_TRUE(all >= 6 && all < 50);
}

/*
 * Two tasks set a flag each, and a third one goes on when one of them is set. It reads the first
 * flag when that is set; or before, and then the second one before or after that is set.
 */
TEST(two_flags_take_few)
{
	struct program p = { .tasks = 3 };
	unsigned long bounded, all;

	push(&p, 0, ADD, 0, 1);
	push(&p, 1, ADD, 1, 1);
	push(&p, 2, EITHER, 0, 1);
	bounded = runs_of(&p, 2);
	all = runs_of(&p, ALL);
	printf("# %lu runs within two preemptions, %lu without a bound\n", bounded, all);
	EXPECT_TRUE(bounded >= 3 && bounded < 50);
	EXPECT_EQ(3UL, all);
}

/* The second access is a yield from its second turn on, so the first one has to stay. */
TEST(an_early_turn_stays)
{
	static struct results any, within;
	struct program p;
	uint64_t runs = 0;

	make(&p, 513580);
	enumerate_all(&p, ALL, &any);
	enumerate_all(&p, 2, &within);
	EXPECT_TRUE(check(&p, "icb", 2, &within, &any, &runs));
}

TEST_HARNESS_MAIN
