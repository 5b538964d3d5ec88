// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what the search promises: it runs every schedule within the bound, none
 * twice, in a fixed order, fewest preemptions first, and never says "ok" when a
 * part of the tree was not seen. The program is a model in this file, scheduled with
 * the module's fair.c; run counts are checked against closed forms and against a plain
 * recursive enumeration, which has the fair scheduler as the paper writes it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fair.h"
#include "internal.h"
#include "../harness.h"

#define MAX_TASKS	72
#define MAX_LOCKS	4
#define NO_TASK		CHESS_TASK_NONE
#define ARRAY_LENGTH(a)	(sizeof(a) / sizeof((a)[0]))

/*
 * BACK_UNLESS goes back to the op before it while the sum is another one. A timed lock goes on
 * without the lock once its deadline has passed.
 */
enum kind { STEP, YIELD, LOCK, UNLOCK, ADD, FAIL_IF, SLEEP, TIMED_LOCK, BACK_UNLESS };

#define LOCK_TIMEOUT	5

struct op {
	enum kind kind;
	int arg;
};

/* A task's ops; a task whose list is NULL does not exist. */
struct model {
	const struct op *ops[MAX_TASKS];
	int n[MAX_TASKS];
	int tasks;
	int hidden;			/* does not exist at the start; 0: none */
};

/* Which yields count, each so manieth; 0: the runs are not fair. */
static unsigned int every = 1;

typedef unsigned __int128 set_t;	/* bit N: task N */

#define BIT_OF(t)	((set_t)1 << (t))

/* For the enumeration: Algorithm 1 of the paper (PLDI'08), with its letters. */
struct paper {
	set_t es, p[MAX_TASKS], e[MAX_TASKS], d[MAX_TASKS], s[MAX_TASKS];
	unsigned int yields[MAX_TASKS];
};

struct state {
	int pc[MAX_TASKS];
	bool passed[MAX_TASKS];		/* its point was decided, the op is due */
	bool exists[MAX_TASKS], blocked[MAX_TASKS], dead[MAX_TASKS];
	int owner[MAX_LOCKS], sum, cur;
	int clock, deadline[MAX_TASKS];	/* 0: none */
	bool failed;
	struct paper paper;
};

static void state_init(const struct model *m, struct state *s)
{
	int i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < MAX_LOCKS; i++)
		s->owner[i] = -1;
	for (i = 0; i < m->tasks; i++)
		s->exists[i] = m->ops[i] && (!i || i != m->hidden);
	for (i = 0; i < MAX_TASKS; i++)
		s->paper.d[i] = s->paper.s[i] = -1;
}

static bool enabled(const struct state *s, int t)
{
	return s->exists[t] && !s->blocked[t] && !s->dead[t];
}

/* The task with the earliest deadline, of equal ones the lowest. */
static int earliest(const struct model *m, const struct state *s)
{
	int t, first = NO_TASK;

	for (t = 0; t < m->tasks; t++)
		if (s->deadline[t] && (first == NO_TASK || s->deadline[t] < s->deadline[first]))
			first = t;
	return first;
}

/* @t was chosen; where it waits, its time-out is what was chosen. */
static bool let_go(struct state *s, int t)
{
	s->cur = t;
	if (!s->deadline[t])
		return false;
	if (s->clock < s->deadline[t])
		s->clock = s->deadline[t];
	s->deadline[t] = 0;
	s->blocked[t] = false;
	s->passed[t] = false;
	s->pc[t]++;
	return true;
}

static void block(struct state *s, int t, int timeout)
{
	s->blocked[t] = true;
	s->deadline[t] = timeout ? s->clock + timeout : 0;
}

/* Run the current task up to its next decision. Return: the type of that event,
 * zero when the model failed; *@yield says that the point is a yield. Tasks that
 * wake are appended to @woken.
 */
static int advance(const struct model *m, struct state *s, bool *yield, int *woken, int *n_woken)
{
	int t = s->cur, i;

	*yield = false;
	*n_woken = 0;
	for (;;) {
		const struct op *op = &m->ops[t][s->pc[t]];

		if (s->pc[t] == m->n[t]) {
			s->dead[t] = true;
			return CHESS_EVENT_EXIT;
		}
		if (!s->passed[t]) {
			s->passed[t] = true;
			*yield = op->kind == YIELD;
			return CHESS_EVENT_POINT;
		}
		switch (op->kind) {
		case LOCK:
		case TIMED_LOCK:
			if (s->owner[op->arg] >= 0) {
				block(s, t, op->kind == LOCK ? 0 : LOCK_TIMEOUT);
				return CHESS_EVENT_BLOCK;
			}
			s->owner[op->arg] = t;
			break;
		case SLEEP:
			block(s, t, op->arg);
			return CHESS_EVENT_BLOCK;
		case UNLOCK:
			if (s->owner[op->arg] != t)
				break;
			s->owner[op->arg] = -1;
			for (i = 0; i < m->tasks; i++) {
				if (!s->blocked[i] || m->ops[i][s->pc[i]].kind == SLEEP ||
				    m->ops[i][s->pc[i]].arg != op->arg)
					continue;
				s->blocked[i] = false;
				s->deadline[i] = 0;
				woken[(*n_woken)++] = i;
			}
			break;
		case ADD:
			s->sum += op->arg;
			break;
		case FAIL_IF:
			if (s->sum == op->arg) {
				s->failed = true;
				return 0;
			}
			break;
		case BACK_UNLESS:
			if (s->sum != op->arg)
				s->pc[t] -= 2;
			break;
		default:
			break;
		}
		s->passed[t] = false;
		s->pc[t]++;
	}
}

static int round_robin(const struct model *m, const struct state *s)
{
	int k;

	for (k = 1; k <= m->tasks; k++)
		if (enabled(s, (s->cur + k) % m->tasks))
			return (s->cur + k) % m->tasks;
	return NO_TASK;
}

static int lowest(const struct model *m, const struct state *s)
{
	int t;

	for (t = 0; t < m->tasks; t++)
		if (enabled(s, t))
			return t;
	return NO_TASK;
}

static set_t enabled_set(const struct model *m, const struct state *s)
{
	set_t es = 0;
	int t;

	for (t = 0; t < m->tasks; t++)
		es |= enabled(s, t) ? BIT_OF(t) : 0;
	return es;
}

/* Lines 13 to 30: @t took a step that led to @s. */
static void paper_step(const struct model *m, struct state *s, int t, bool yield)
{
	struct paper *p = &s->paper;
	set_t next = enabled_set(m, s), before = p->es;
	int u;

	for (u = 0; u < m->tasks; u++) {
		p->p[u] &= ~BIT_OF(t);
		p->e[u] &= next;
		if (u == t)
			p->d[u] |= before & ~next;
		p->s[u] |= BIT_OF(t);
	}
	if (yield && ++p->yields[t] % every == 0) {
		p->p[t] |= (p->e[t] | p->d[t]) & ~p->s[t];
		p->e[t] = next;
		p->d[t] = 0;
		p->s[t] = 0;
	}
	p->es = next;
}

/* Line 7. */
static set_t paper_t(const struct model *m, const struct state *s)
{
	set_t in = s->paper.es;
	int t;

	for (t = 0; t < m->tasks; t++)
		if (s->paper.p[t] & s->paper.es)
			in &= ~BIT_OF(t);
	return in;
}

/* What it costs to choose @t, or -1 where it is no choice. */
static int price(const struct model *m, const struct state *s, int type, bool yield, int t)
{
	set_t in = paper_t(m, s), es = s->paper.es;
	bool alone = yield && es == BIT_OF(s->cur);

	if (s->deadline[t])
		return t != earliest(m, s) || (es && !alone);
	if (!(in & BIT_OF(t)) || (alone && earliest(m, s) != NO_TASK))
		return -1;
	return type == CHESS_EVENT_POINT && !yield && t != s->cur && (in & BIT_OF(s->cur));
}

/* The same in runs that are not fair. */
static int unfair_price(const struct model *m, const struct state *s, int type, bool yield, int t)
{
	int def = yield ? round_robin(m, s) : type == CHESS_EVENT_POINT ? s->cur : NO_TASK;

	if (lowest(m, s) == NO_TASK)
		def = earliest(m, s);
	if ((!enabled(s, t) && !s->deadline[t]) || (yield && t == s->cur && def != t))
		return -1;
	return t != def && (type == CHESS_EVENT_POINT || s->deadline[t]);
}

/* How many schedules there are with exactly 0, 1, .. @max preemptions. */
static void enumerate(const struct model *m, struct state s, int cost, int max, uint64_t *count)
{
	int woken[MAX_TASKS], n_woken, type, t, c;
	struct state next;
	bool yield;

	type = advance(m, &s, &yield, woken, &n_woken);
	if (!type || (lowest(m, &s) == NO_TASK && earliest(m, &s) == NO_TASK)) {
		count[cost]++;
		return;
	}
	if (every)
		paper_step(m, &s, s.cur, yield);
	for (t = 0; t < m->tasks; t++) {
		c = every ? price(m, &s, type, yield, t) : unfair_price(m, &s, type, yield, t);
		if (c < 0 || cost + c > max)
			continue;
		next = s;
		/* A deadline that passes is a step of the task, which yields with it. */
		if (let_go(&next, t) && every)
			paper_step(m, &next, t, true);
		enumerate(m, next, cost + c, max, count);
	}
}

static uint64_t brute_force(const struct model *m, int bound)
{
	uint64_t count[16] = { 0 }, sum = 0;
	struct state s;
	int i;

	state_init(m, &s);
	enumerate(m, s, 0, bound, count);
	for (i = 0; i <= bound; i++)
		sum += count[i];
	return sum;
}

/* An executor over a model, with ways to misbehave. */
struct box {
	const struct model *m;
	char **seen;			/* text of each schedule, in order */
	size_t n_seen, costs[4096];
	uint64_t error_at, incomplete_at, wrong_prefix_at, other_enabled_at;
	uint64_t disturbed;		/* this many runs from there on; 0: one */
	int error;
	struct chess_fair fair;
	struct chess_fair_row row[MAX_TASKS];
};

static void push(struct chess_record *r, const struct state *s, const struct model *m, int type,
		 int task, int chosen, uint64_t object, int flags)
{
	struct chess_event e = { 0 };
	int t;

	e.seq = chess_record_length(r) + 1;
	e.type = type;
	e.task = task;
	e.chosen = chosen;
	e.object = object;
	e.flags = flags;
	e.op = type == CHESS_EVENT_POINT ? CHESS_OP_OTHER : 0;
	for (t = 0; CHESS_EVENT_IS_DECISION(type) && t < m->tasks && t < 64; t++) {
		e.enabled |= (uint64_t)enabled(s, t) << t;
		e.timed |= (uint64_t)!!s->deadline[t] << t;
	}
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

static struct chess_set set_of_enabled(const struct model *m, const struct state *s)
{
	struct chess_set set;
	int t;

	chess_set_clear(&set);
	for (t = 0; t < m->tasks; t++)
		if (enabled(s, t))
			chess_set_add(&set, t);
	return set;
}

/* As the module does it at an event. Return: what the default policy chooses. */
static int default_of(struct box *b, struct state *s, int type, bool yield)
{
	struct chess_set set = set_of_enabled(b->m, s);
	unsigned int id;

	if (type != CHESS_EVENT_POINT)
		chess_fair_disabled(&b->fair, s->cur, s->cur);
	if (yield)
		chess_fair_yield(&b->fair, &b->row[s->cur], s->cur, &set);
	chess_fair_look(&b->fair, &set);
	id = chess_fair_default(&b->fair, &set, s->cur, yield);
	if (earliest(b->m, s) != NO_TASK &&
	    (id == CHESS_TASK_NONE || (every && yield && (int)id == s->cur)))
		id = earliest(b->m, s);
	return id == CHESS_TASK_NONE ? NO_TASK : (int)id;
}

static void push_left_out(struct box *b, struct chess_record *r, const struct state *s)
{
	struct chess_event e = { .type = CHESS_EVENT_FAIR, .task = s->cur, .chosen = NO_TASK };

	for (e.object = 0; e.object < CHESS_SET_WORDS; e.object++) {
		e.seq = chess_record_length(r) + 1;
		e.enabled = b->fair.out.words[e.object];
		if (e.enabled)
			ASSERT_EQ(0, chess_record_push(r, &e, 1));
	}
}

static bool disturbed(const struct box *b, uint64_t first, uint64_t run)
{
	return first && run >= first && run < first + (b->disturbed ? b->disturbed : 1);
}

static int model_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct box *b = ctx;
	const struct model *m = b->m;
	int woken[MAX_TASKS], n_woken, type, i, def, chosen, flags;
	struct chess_set set;
	uint64_t run = b->n_seen + 1;
	struct chess_schedule *done;
	size_t at = 0, length = plan->length;
	struct state s;
	bool yield;

	if (run == b->error_at)
		return b->error;
	state_init(m, &s);
	memset(out, 0, sizeof(*out));
	out->verdict = CHESS_VERDICT_OK;
	out->record = chess_record_new();
	chess_record_set_fair(out->record, every);
	chess_fair_init(&b->fair, every);
	for (i = 1; i < m->tasks; i++)
		if (s.exists[i])
			push(out->record, &s, m, CHESS_EVENT_SPAWN, 0, NO_TASK, i, 0);
	for (;;) {
		type = advance(m, &s, &yield, woken, &n_woken);
		for (i = 0; i < n_woken; i++)
			push(out->record, &s, m, CHESS_EVENT_WAKE, woken[i], NO_TASK, s.cur, 0);
		if (!type) {
			out->verdict = CHESS_VERDICT_ASSERT;
			break;
		}
		chosen = def = default_of(b, &s, type, yield);
		if (chosen != NO_TASK && at < length) {
			chosen = chess_schedule_task(plan->prefix, at++);
			if (!enabled(&s, chosen) && !s.deadline[chosen]) {
				out->verdict = CHESS_VERDICT_DIVERGED;
				break;
			}
			if (disturbed(b, b->wrong_prefix_at, run) && at == length)
				chosen = lowest(m, &s);
		}
		if (disturbed(b, b->other_enabled_at, run) && at == length)
			s.exists[m->hidden] = true;
		flags = yield ? CHESS_OPF_YIELD : 0;
		if (chosen != NO_TASK && s.deadline[chosen] &&
		    chosen != def)
			flags |= CHESS_OPF_EARLY;
		push_left_out(b, out->record, &s);
		push(out->record, &s, m, type, s.cur, chosen, 0, flags);
		if (chosen == NO_TASK) {
			for (i = 0; i < m->tasks; i++)
				if (s.blocked[i])
					out->verdict = CHESS_VERDICT_DEADLOCK;
			break;
		}
		chess_fair_scheduled(&b->fair, chosen);
		if (!let_go(&s, chosen))
			continue;
		set = set_of_enabled(m, &s);
		chess_fair_yield(&b->fair, &b->row[chosen], chosen, &set);
		push(out->record, &s, m, CHESS_EVENT_TIMEOUT, chosen, NO_TASK, s.clock, 0);
	}
	if (run == b->incomplete_at) {
		out->verdict = CHESS_VERDICT_INCOMPLETE;
		chess_set_error(EOVERFLOW, "a trap was lost");
	}
	done = chess_record_schedule(out->record);
	b->seen = realloc(b->seen, run * sizeof(*b->seen));
	b->seen[b->n_seen] = chess_schedule_encode(done);
	if (run < ARRAY_LENGTH(b->costs))
		b->costs[b->n_seen] = chess_record_preemptions(out->record);
	b->n_seen++;
	chess_schedule_free(done);
	return 0;
}

static int explore(struct box *b, const struct chess_explore_opts *opts,
		   struct chess_explore_result *out)
{
	struct chess_executor x = { .run = model_run, .ctx = b };

	return chess_explore(&x, opts, out);
}

static uint64_t count_runs(const struct model *m, unsigned int bound)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = bound, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .m = m };
	uint64_t runs;

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_TRUE(res.complete);
	EXPECT_EQ(bound, res.bound);
	runs = res.runs;
	EXPECT_EQ(b.n_seen, runs);
	chess_explore_result_clear(&res);
	return runs;
}

static const struct op steps[8];	/* STEP is zero */

static uint64_t choose(uint64_t n, uint64_t k)
{
	uint64_t i, c = 1;

	for (i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return k > n ? 0 : c;
}

/*
 * Two tasks of n points: T0 is left at ceil(c/2) of its points and T1 at
 * floor(c/2) of its own, and which points they are is all that is free.
 */
TEST(two_tasks_have_as_many_schedules_as_the_closed_form_says)
{
	unsigned int n, bound, c;

	for (n = 1; n <= 4; n++) {
		struct model m = { .ops = { steps, steps }, .n = { n, n }, .tasks = 2 };
		uint64_t want = 0;

		for (bound = 0, c = 0; bound <= 4; bound++, c++) {
			want += choose(n, (c + 1) / 2) * choose(n, c / 2);
			EXPECT_EQ(want, count_runs(&m, bound));
		}
	}
}

/* All orders of the ends of independent tasks are free: n! with no preemption. */
TEST(ends_of_tasks_are_free_branches)
{
	struct model m = { .ops = { steps, steps, steps, steps }, .n = { 0, 1, 1, 1 },
			   .tasks = 4 };

	EXPECT_EQ((uint64_t)6, count_runs(&m, 0));
}

static const struct op ab[] = { { LOCK, 0 }, { LOCK, 1 }, { UNLOCK, 1 }, { UNLOCK, 0 } };
static const struct op ba[] = { { LOCK, 1 }, { LOCK, 0 }, { UNLOCK, 0 }, { UNLOCK, 1 } };
static const struct op a2[] = { { LOCK, 0 }, { STEP, 0 }, { UNLOCK, 0 } };
static const struct op spin[] = { { YIELD, 0 }, { STEP, 0 }, { YIELD, 0 } };

static const struct model abba = { .ops = { ab, ba }, .n = { 4, 4 }, .tasks = 2 };
static const struct model three_locks = { .ops = { a2, a2, a2 }, .n = { 3, 3, 3 }, .tasks = 3 };
static const struct model three_spins = { .ops = { spin, spin, spin }, .n = { 3, 3, 3 },
					  .tasks = 3 };
static const struct model late = { .ops = { spin, a2, spin }, .n = { 3, 3, 2 }, .tasks = 3 };
static const struct model mixed = { .ops = { ab, spin, a2 }, .n = { 4, 3, 3 }, .tasks = 3 };

TEST(locks_have_as_many_schedules_as_brute_force_finds)
{
	unsigned int bound;

	for (bound = 0; bound <= 3; bound++) {
		EXPECT_EQ(brute_force(&abba, bound), count_runs(&abba, bound));
		EXPECT_EQ(brute_force(&three_locks, bound), count_runs(&three_locks, bound));
		EXPECT_EQ(brute_force(&mixed, bound), count_runs(&mixed, bound));
	}
}

TEST(yields_have_as_many_schedules_as_brute_force_finds)
{
	unsigned int bound;

	for (every = 0; every <= 3; every++)
		for (bound = 0; bound <= 2; bound++) {
			EXPECT_EQ(brute_force(&mixed, bound), count_runs(&mixed, bound));
			EXPECT_EQ(brute_force(&late, bound), count_runs(&late, bound));
			if (every < 2)
				EXPECT_EQ(brute_force(&three_spins, bound),
					  count_runs(&three_spins, bound));
		}
}

static const struct op y2[] = { { YIELD, 0 }, { YIELD, 0 } };
static const struct model two_yields = { .ops = { y2, y2 }, .n = { 2, 2 }, .tasks = 2 };

/*
 * Each takes three steps: to its yields and to its end. The first is T0's; the others
 * could come in C(5, 2) = 10 orders, and each switch is free. T0 cannot go on to its end
 * if T1 took no step between its yields: not 00111. Nor can T1 while T0 is there: not
 * 01110 and not 11100.
 */
TEST(two_tasks_that_yield_twice_have_seven_schedules)
{
	EXPECT_EQ((uint64_t)7, count_runs(&two_yields, 0));
	EXPECT_EQ((uint64_t)7, count_runs(&two_yields, 5));
	/* Of two yields only the second counts, and a first one that counts adds nothing. */
	every = 2;
	EXPECT_EQ((uint64_t)10, count_runs(&two_yields, 0));
}

/* Without fairness the one that yields has no alternative but the other one. */
TEST(yield_of_two_tasks_is_no_branch_where_runs_are_not_fair)
{
	every = 0;
	EXPECT_EQ((uint64_t)1, count_runs(&two_yields, 5));
}

/* T0 yields until T1 has added: no limit on its rounds but fairness. */
TEST(spin_loop_has_finitely_many_schedules)
{
	static const struct op wait[] = { { YIELD, 0 }, { BACK_UNLESS, 1 }, { STEP, 0 } };
	static const struct op add[] = { { STEP, 0 }, { ADD, 1 }, { STEP, 0 } };
	struct model m = { .ops = { wait, add }, .n = { 3, 3 }, .tasks = 2 };
	unsigned int bound;

	for (every = 1; every <= 3; every++)
		for (bound = 0; bound <= 3; bound++)
			EXPECT_EQ(brute_force(&m, bound), count_runs(&m, bound));
	every = 1;
	/*
	 * No preemption. T0 yields for the first time: it stays, or T1 runs to its end.
	 * If it stays, its second yield leaves T1 alone in T. When T1 has ended, what is
	 * left of T0 is one way.
	 */
	EXPECT_EQ((uint64_t)2, count_runs(&m, 0));
}

/* Time passes for those who only wait for it: not a branch for each round. */
TEST(spin_loop_that_waits_for_time_is_no_branch)
{
	static const struct op wait[] = { { YIELD, 0 }, { BACK_UNLESS, 1 } };
	static const struct op sleep[] = { { SLEEP, 9 }, { ADD, 1 } };
	struct model m = { .ops = { wait, sleep }, .n = { 2, 2 }, .tasks = 2 };
	unsigned int bound;

	for (bound = 0; bound <= 3; bound++)
		EXPECT_EQ(brute_force(&m, bound), count_runs(&m, bound));
}

static const struct op nap[] = { { SLEEP, 3 }, { STEP, 0 } };
static const struct op tick[] = { { SLEEP, 2 }, { SLEEP, 2 } };
static const struct op try[] = { { TIMED_LOCK, 0 }, { STEP, 0 }, { UNLOCK, 0 } };

static const struct model sleepers = { .ops = { nap, tick, nap }, .n = { 2, 2, 2 }, .tasks = 3 };
static const struct model timed_locks = { .ops = { try, a2, try }, .n = { 3, 3, 3 }, .tasks = 3 };
static const struct model timed_mix = { .ops = { try, tick, spin }, .n = { 3, 2, 3 },
					.tasks = 3 };

/*
 * A wait that times out twice while one of the others took no step: its task runs on,
 * and at its next point it has to let that one go first, which costs nothing.
 */
static const struct op naps[] = { { SLEEP, 2 }, { SLEEP, 2 }, { STEP, 0 }, { STEP, 0 } };
static const struct model impatient = { .ops = { naps, steps, steps }, .n = { 4, 2, 2 },
					.tasks = 3 };

TEST(timed_waits_have_as_many_schedules_as_brute_force_finds)
{
	unsigned int bound;

	for (bound = 0; bound <= 3; bound++) {
		EXPECT_EQ(brute_force(&impatient, bound), count_runs(&impatient, bound));
		EXPECT_EQ(brute_force(&sleepers, bound), count_runs(&sleepers, bound));
		EXPECT_EQ(brute_force(&timed_locks, bound), count_runs(&timed_locks, bound));
		EXPECT_EQ(brute_force(&timed_mix, bound), count_runs(&timed_mix, bound));
	}
}

/* Alone, or in the order of their deadlines, tasks time out for free. */
TEST(deadlines_in_their_order_are_no_branch)
{
	static const struct op long_nap[] = { { SLEEP, 9 } };
	struct model m = { .ops = { tick, long_nap }, .n = { 2, 1 }, .tasks = 2 };

	EXPECT_EQ((uint64_t)1, count_runs(&m, 0));
	m.tasks = 1;
	EXPECT_EQ((uint64_t)1, count_runs(&m, 5));
}

/*
 * T1 sleeps for long, T0 adds and looks: only a sleep that ends before its time
 * lets T1 add in between.
 */
TEST(bug_of_an_early_time_out_is_found_with_one_preemption)
{
	static const struct op t0[] = { { SLEEP, 1 }, { ADD, 1 }, { FAIL_IF, 11 }, { ADD, 1 } };
	static const struct op t1[] = { { SLEEP, 1000 }, { ADD, 10 } };
	struct model m = { .ops = { t0, t1 }, .n = { 4, 2 }, .tasks = 2 };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .m = &m };
	size_t i, early = 0;

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)res.verdict);
	EXPECT_EQ(1U, res.bound);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
	for (i = 0; i < chess_record_length(res.bad.record); i++)
		early += !!(chess_record_event(res.bad.record, i)->flags & CHESS_OPF_EARLY);
	EXPECT_EQ((size_t)1, early);
	chess_explore_result_clear(&res);
}

TEST(ids_above_63_are_searched_like_others)
{
	struct model m = { .tasks = 71 };

	m.ops[0] = m.ops[70] = steps;
	m.n[0] = m.n[70] = 3;
	EXPECT_EQ((uint64_t)1 + 3 + 9 + 9, count_runs(&m, 3));
	m.ops[66] = steps;
	m.n[66] = 2;
	EXPECT_EQ(brute_force(&m, 2), count_runs(&m, 2));
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void check_order(const struct model *m)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 3, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .m = m };
	size_t i;

	ASSERT_EQ(0, explore(&b, &o, &res));
	ASSERT_LT((size_t)100, b.n_seen);
	for (i = 1; i < b.n_seen && i < ARRAY_LENGTH(b.costs); i++)
		EXPECT_LE(b.costs[i - 1], b.costs[i]);
	qsort(b.seen, b.n_seen, sizeof(*b.seen), compare_text);
	for (i = 1; i < b.n_seen; i++)
		EXPECT_STRNE(b.seen[i - 1], b.seen[i]);
	chess_explore_result_clear(&res);
}

TEST(no_schedule_is_run_twice_and_levels_come_in_order)
{
	check_order(&mixed);
	check_order(&timed_mix);
	check_order(&timed_locks);
	check_order(&impatient);
}

TEST(order_is_the_same_each_time)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2, .keep_going = true };
	static const struct model *const models[] = { &mixed, &timed_mix };
	struct chess_explore_result res;
	size_t i, k;

	for (k = 0; k < ARRAY_LENGTH(models); k++) {
		struct box b[2] = { { .m = models[k] }, { .m = models[k] } };

		for (i = 0; i < 2; i++) {
			ASSERT_EQ(0, explore(&b[i], &o, &res));
			chess_explore_result_clear(&res);
		}
		ASSERT_EQ(b[0].n_seen, b[1].n_seen);
		for (i = 0; i < b[0].n_seen; i++)
			EXPECT_STREQ(b[0].seen[i], b[1].seen[i]);
	}
}

TEST(first_bug_has_the_fewest_preemptions)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 4 };
	struct chess_explore_result res;
	struct box b = { .m = &abba };

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
	EXPECT_EQ(1U, res.bugs);
	EXPECT_EQ(1U, res.bound);
	EXPECT_FALSE(res.complete);
	ASSERT_NE(NULL, (void *)res.bad.record);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
	EXPECT_EQ(res.runs, (uint64_t)b.n_seen);
	chess_explore_result_clear(&res);
}

/* A search at bound N has those at lower bounds in it. */
TEST(runs_are_counted_by_preemptions)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 3, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .m = &abba };
	uint64_t sum = 0;
	size_t i;

	ASSERT_EQ(0, explore(&b, &o, &res));
	ASSERT_EQ((size_t)4, res.n_runs_at);
	for (i = 0; i < res.n_runs_at; i++) {
		sum += res.runs_at[i];
		EXPECT_EQ(count_runs(&abba, i), sum);
	}
	EXPECT_EQ(res.runs, sum);
	chess_explore_result_clear(&res);
}

/* Fails where T1 adds before T0 looks: T0 is left at its first or second point. */
TEST(keep_going_counts_every_bug)
{
	static const struct op t0[] = { { ADD, 1 }, { FAIL_IF, 11 }, { ADD, 1 } };
	static const struct op t1[] = { { ADD, 10 } };
	struct model m = { .ops = { t0, t1 }, .n = { 3, 1 }, .tasks = 2 };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 1, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .m = &m };

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)res.verdict);
	EXPECT_TRUE(res.complete);
	EXPECT_EQ((uint64_t)4, res.runs);
	EXPECT_EQ(2U, res.bugs);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
	chess_explore_result_clear(&res);
}

struct finds {
	size_t n;
	struct box *b;
	size_t at[8];
	int answer;
};

static int note_find(void *arg, const struct chess_run_result *bad)
{
	struct finds *f = arg;

	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)bad->verdict);
	EXPECT_NE(NULL, (void *)bad->record);
	/* told before the next run */
	f->at[f->n++] = f->b->n_seen;
	return f->answer;
}

TEST(every_bug_is_told_when_it_is_found)
{
	static const struct op t0[] = { { ADD, 1 }, { FAIL_IF, 11 }, { ADD, 1 } };
	static const struct op t1[] = { { ADD, 10 } };
	struct model m = { .ops = { t0, t1 }, .n = { 3, 1 }, .tasks = 2 };
	struct box b = { .m = &m };
	struct finds f = { .b = &b };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 1, .keep_going = true,
					.found = note_find, .found_arg = &f };
	struct chess_explore_result res;
	unsigned int bugs;

	ASSERT_EQ(0, explore(&b, &o, &res));
	bugs = res.bugs;
	EXPECT_LT(0u, bugs);
	EXPECT_EQ((size_t)bugs, f.n);
	if (f.n > 1)
		EXPECT_LT(f.at[0], f.at[1]);
	chess_explore_result_clear(&res);
	f.n = 0;
	f.answer = -EIO;
	EXPECT_EQ(-EIO, explore(&b, &o, &res));
	EXPECT_EQ((size_t)1, f.n);
}

static const struct model two_steps = { .ops = { steps, steps }, .n = { 2, 2 }, .tasks = 2 };

TEST(run_limit_makes_the_search_incomplete)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .m = &two_steps };

	o.max_runs = 6;
	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)6, res.runs);
	EXPECT_FALSE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	EXPECT_EQ(2U, res.bound);
	/* 1 + 2 + 4 runs are all there are: a limit that is just met cuts nothing. */
	o.max_runs = 7;
	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)7, res.runs);
	EXPECT_TRUE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
}

TEST(time_limit_makes_the_search_incomplete)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2, .max_seconds = 1e-9 };
	struct chess_explore_result res;
	struct box b = { .m = &two_steps };

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_GT((uint64_t)7, res.runs);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

/* Run 2 follows the first prefix taken from run 1; what it would have led to is
 * not run, and the search does not claim to be complete.
 */
static void expect_diverged(struct box *b)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;

	b->m = &two_steps;
	ASSERT_EQ(0, explore(b, &o, &res));
	EXPECT_EQ((uint64_t)1, res.diverged);
	EXPECT_EQ((uint64_t)2, res.retries);
	EXPECT_EQ((uint64_t)5, res.runs);
	EXPECT_FALSE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	EXPECT_EQ(0U, res.bugs);
	EXPECT_NE(NULL, (void *)strstr(res.why, "in each of 3 tries"));
	chess_explore_result_clear(&res);
}

TEST(run_that_leaves_its_prefix_is_diverged)
{
	struct box b = { .wrong_prefix_at = 2, .disturbed = 3 };

	expect_diverged(&b);
}

/* What disturbed it is gone at the second or third try: nothing is lost. */
TEST(run_that_is_disturbed_for_a_while_is_tried_again)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct box calm = { .m = &two_steps }, once = { .m = &two_steps, .wrong_prefix_at = 2 };
	struct box twice = { .m = &two_steps, .wrong_prefix_at = 3, .disturbed = 2 };
	struct chess_explore_result a, b, c;

	ASSERT_EQ(0, explore(&calm, &o, &a));
	ASSERT_EQ(0, explore(&once, &o, &b));
	ASSERT_EQ(0, explore(&twice, &o, &c));
	EXPECT_EQ((uint64_t)0, a.retries);
	EXPECT_EQ((uint64_t)1, b.retries);
	EXPECT_EQ((uint64_t)2, c.retries);
	EXPECT_EQ((uint64_t)0, b.diverged + c.diverged);
	EXPECT_EQ(a.runs, b.runs);
	EXPECT_EQ(a.runs, c.runs);
	EXPECT_TRUE(b.complete && c.complete);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)b.verdict);
}

/* The decisions are those of the prefix, but a third task is enabled. */
TEST(run_that_differs_inside_its_prefix_is_diverged)
{
	static const struct model m = { .ops = { steps, steps, steps }, .n = { 2, 2, 0 },
					.tasks = 3, .hidden = 2 };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct box b = { .m = &m, .other_enabled_at = 2, .disturbed = 3 };
	struct chess_explore_result res;

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)1, res.diverged);
	EXPECT_EQ((uint64_t)5, res.runs);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

TEST(run_with_an_incomplete_record_is_not_searched_further)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .m = &two_steps, .incomplete_at = 1 };

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)1, res.runs);
	EXPECT_EQ((uint64_t)0, res.diverged);
	EXPECT_FALSE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	EXPECT_STREQ("a trap was lost", res.why);
	chess_explore_result_clear(&res);
}

TEST(interrupted_run_ends_the_search_without_an_error)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .m = &two_steps, .error_at = 3, .error = -EINTR };

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)2, res.runs);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

TEST(error_of_the_executor_is_handed_on)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .m = &two_steps, .error_at = 3, .error = -ENOSPC };

	EXPECT_EQ(-ENOSPC, explore(&b, &o, &res));
}

static bool stop_after_three(void *arg, const struct chess_explore_progress *p)
{
	*(unsigned int *)arg = p->bound;
	return p->runs < 3;
}

TEST(progress_can_stop_the_search)
{
	unsigned int bound = 99;
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2,
					.progress = stop_after_three, .progress_arg = &bound };
	struct chess_explore_result res;
	struct box b = { .m = &two_steps };

	ASSERT_EQ(0, explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)3, res.runs);
	EXPECT_EQ(1U, bound);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

TEST(unknown_strategy_is_refused_with_the_list)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .strategy = "luck" };
	struct chess_explore_result res;
	struct box b = { .m = &two_steps };

	EXPECT_EQ(-EINVAL, explore(&b, &o, &res));
	EXPECT_NE(NULL, strstr(chess_error(), "icb"));
	EXPECT_NE(NULL, strstr(chess_error(), "luck"));
	EXPECT_EQ((size_t)0, b.n_seen);
}

TEST_HARNESS_MAIN
