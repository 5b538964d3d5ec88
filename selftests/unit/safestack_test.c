// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves how SafeStack fails: its model (selftests/simulator/programs/sct_stack.c) in the run and
 * by the order of accesses in which the real program does; and how many preemptions that takes
 * at least, by a search through all states of the algorithm that shares nothing with model and
 * library.
 */
#include "harness.h"
#include "order.h"
#include "programs/programs.h"
#include "programs/races/wrong/safestack.h"

/**
 * struct outcome - what came of an order
 * @made: accesses of it
 * @runs: that it took
 * @verdict: of the last one
 * @bad_task: whose assertion failed
 * @preemptions: of the last run
 */
struct outcome {
	int made, verdict, bad_task, preemptions;
	unsigned int runs;
};

static struct outcome run_order(const char *text)
{
	const struct sim_opts opts = { .enabled = SIM_KERNEL };
	struct sim *sim = sim_new(&safestack, &opts);
	const struct chess_executor x = sim_executor(sim);
	struct chess_schedule *order = chess_schedule_decode(text);
	struct chess_run_result res;
	struct outcome o = { 0 };

	ASSERT_TRUE(order);
	o.made = order_run(&x, order, &res, &o.runs);
	ASSERT_LE(0, o.made);
	o.verdict = res.verdict;
	o.bad_task = res.bad_task;
	o.preemptions = chess_record_preemptions(res.record);
	chess_run_result_clear(&res);
	chess_schedule_free(order);
	sim_free(sim);
	return o;
}

/*
 * Ten steps, the first of which T1 begins under the default policy: nine choices, each found
 * by one run, and the run that has them all.
 */
TEST(it_fails_by_the_order_with_fewest_preemptions)
{
	const struct outcome o = run_order(SAFESTACK_ORDER);

	EXPECT_EQ(SAFESTACK_ACCESSES, o.made);
	EXPECT_EQ(10U, o.runs);
	EXPECT_EQ(CHESS_VERDICT_ASSERT, o.verdict);
	EXPECT_EQ(2, o.bad_task);
	EXPECT_EQ(SAFESTACK_PREEMPTIONS, o.preemptions);
}

/* The run in which the search of the real program finds it, as races/safestack.sh sees. */
TEST(a_search_finds_it_in_the_same_run_as_in_the_program)
{
	const struct sim_opts opts = { .enabled = SIM_KERNEL, .alone_free = true };
	struct sim *sim = sim_new(&safestack_started, &opts);
	const struct chess_executor x = sim_executor(sim);
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "surw", .seed = SAFESTACK_SEED,
		.max_runs = 2 * SAFESTACK_RUN,
	};
	struct chess_explore_result res;

	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)res.verdict);
	EXPECT_EQ(SAFESTACK_RUN, (int)res.runs);
	chess_explore_result_clear(&res);
	sim_free(sim);
}

/* Had T2 not put 0 back before, T1's swap of the head would fail: no A-B-A. */
TEST(it_holds_where_the_head_has_not_come_back)
{
	const struct outcome o = run_order("T1*2 T2*9 T3*9 T1*3");

	EXPECT_EQ(23, o.made);
	EXPECT_EQ(CHESS_VERDICT_OK, o.verdict);
}

/* --- all states --------------------------------------------------------- */

#define TASKS	3
#define ITEMS	3
#define ROUNDS	3
#define NONE	3	/* no item, no task */

/* Room for twice the 3.9 million states that are reached; a power of two. */
#define TABLE	(1U << 23)
#define UNSEEN	0xff

/* What a task does next: an access, a yield, or nothing. */
enum next {
	POP_COUNT, POP_HEAD, POP_TAKE, POP_SWAP, POP_LESS, GIVE_BACK, POP_YIELD, EMPTY_YIELD,
	STORE_VALUE, LOAD_VALUE, PUSH_HEAD, PUSH_NEXT, PUSH_SWAP, PUSH_MORE, ENDED,
};

/**
 * struct user - a task
 * @next: enum next
 * @round: rounds that are over
 * @top: the head it has seen
 * @below: the next it has taken away
 * @item: that it owns
 *
 * What it needs no more is 0, so that equal states look so.
 */
struct user {
	uint8_t next, round, top, below, item;
};

struct state {
	struct user user[TASKS];
	uint8_t head, count, link[ITEMS], value[ITEMS];
	uint8_t last;		/* who made the step that led here */
};

static const struct state start = {
	.count = ITEMS, .link = { 1, 2, NONE }, .last = NONE,
};

static void put(uint64_t *key, unsigned int bits, unsigned int value)
{
	*key = *key << bits | value;
}

static unsigned int take(uint64_t *key, unsigned int bits)
{
	unsigned int value = *key & ((1U << bits) - 1);

	*key >>= bits;
	return value;
}

/* 55 bits; take() gets what was put last. */
static uint64_t pack(const struct state *s)
{
	uint64_t key = 0;
	int i;

	for (i = 0; i < TASKS; i++) {
		put(&key, 4, s->user[i].next);
		put(&key, 2, s->user[i].round);
		put(&key, 2, s->user[i].top);
		put(&key, 2, s->user[i].below);
		put(&key, 2, s->user[i].item);
	}
	for (i = 0; i < ITEMS; i++) {
		put(&key, 2, s->link[i]);
		put(&key, 2, s->value[i]);
	}
	put(&key, 2, s->head);
	put(&key, 3, s->count);
	put(&key, 2, s->last);
	return key;
}

static struct state unpack(uint64_t key)
{
	struct state s;
	int i;

	s.last = take(&key, 2);
	s.count = take(&key, 3);
	s.head = take(&key, 2);
	for (i = ITEMS; i--;) {
		s.value[i] = take(&key, 2);
		s.link[i] = take(&key, 2);
	}
	for (i = TASKS; i--;) {
		s.user[i].item = take(&key, 2);
		s.user[i].below = take(&key, 2);
		s.user[i].top = take(&key, 2);
		s.user[i].round = take(&key, 2);
		s.user[i].next = take(&key, 4);
	}
	return s;
}

static bool yields(const struct user *u)
{
	return u->next == POP_YIELD || u->next == EMPTY_YIELD;
}

static void pop_step(struct state *s, struct user *u)
{
	switch (u->next) {
	case POP_COUNT:
		u->next = s->count > 1 ? POP_HEAD : EMPTY_YIELD;
		return;
	case POP_HEAD:
		u->top = s->head;
		u->next = POP_TAKE;
		return;
	case POP_TAKE:
		u->below = s->link[u->top];
		s->link[u->top] = NONE;
		u->next = u->below == NONE ? POP_YIELD : POP_SWAP;
		break;
	case POP_SWAP:
		if (s->head != u->top) {
			u->next = GIVE_BACK;
			return;
		}
		s->head = u->below;
		u->item = u->top;
		u->next = POP_LESS;
		break;
	case POP_LESS:
		s->count--;
		u->next = STORE_VALUE;
		return;
	case GIVE_BACK:
		s->link[u->top] = u->below;
		u->next = POP_YIELD;
		break;
	default:
		u->next = POP_COUNT;
	}
	if (u->next != POP_SWAP)
		u->top = u->below = 0;
}

static void push_step(struct state *s, struct user *u)
{
	switch (u->next) {
	case PUSH_HEAD:
		u->top = s->head;
		u->next = PUSH_NEXT;
		return;
	case PUSH_NEXT:
		s->link[u->item] = u->top;
		u->next = PUSH_SWAP;
		return;
	case PUSH_SWAP:
		if (s->head == u->top) {
			s->head = u->item;
			u->top = u->item = 0;
			u->next = PUSH_MORE;
			return;
		}
		u->top = s->head;
		u->next = PUSH_NEXT;
		return;
	default:
		s->count++;
		u->next = ++u->round == ROUNDS ? ENDED : POP_COUNT;
	}
}

/* Return: false, the assertion of task @id fails. */
static bool step(struct state *s, unsigned int id)
{
	struct user *u = &s->user[id];

	s->last = id;
	if (u->next == STORE_VALUE) {
		s->value[u->item] = id;
		u->next = LOAD_VALUE;
	} else if (u->next == LOAD_VALUE) {
		u->next = PUSH_HEAD;
		return s->value[u->item] == id;
	} else if (u->next < STORE_VALUE) {
		pop_step(s, u);
	} else {
		push_step(s, u);
	}
	return true;
}

static bool owns(const struct user *u)
{
	return u->next == POP_LESS || (u->next >= STORE_VALUE && u->next <= PUSH_SWAP);
}

static bool two_own_one(const struct state *s)
{
	int i, k;

	for (i = 0; i < TASKS; i++)
		for (k = 0; k < i; k++)
			if (owns(&s->user[i]) && owns(&s->user[k]) &&
			    s->user[i].item == s->user[k].item)
				return true;
	return false;
}

/**
 * struct list - states to be gone on from
 * @key: packed
 * @n: how many
 * @room: for so many
 */
struct list {
	uint64_t *key;
	size_t n, room;
};

/**
 * struct all - a search by preemptions
 * @key: a hash table; 0 is free, as no state is that
 * @least: preemptions that lead to the state in the same place
 * @todo: with as many as are in work, and with one more
 * @owned, @failed: fewest preemptions by which two own one item, and an assertion fails
 * @n: states
 */
struct all {
	uint64_t *key;
	uint8_t *least;
	struct list todo[2];
	unsigned int owned, failed;
	size_t n;
};

static size_t place_of(const struct all *a, uint64_t key)
{
	size_t at = key * 0x9e3779b97f4a7c15ULL >> 41;

	while (a->key[at] && a->key[at] != key)
		at = (at + 1) % TABLE;
	return at;
}

static void reach(struct all *a, const struct state *s, unsigned int least, struct list *todo)
{
	uint64_t key = pack(s);
	size_t at = place_of(a, key);

	if (!a->key[at]) {
		ASSERT_LT(++a->n, (size_t)TABLE / 4 * 3);
		a->key[at] = key;
		a->least[at] = UNSEEN;
	}
	if (a->least[at] <= least)
		return;
	a->least[at] = least;
	if (two_own_one(s) && least < a->owned)
		a->owned = least;
	if (todo->n == todo->room) {
		todo->room = todo->room ? todo->room * 2 : 1024;
		todo->key = reallocarray(todo->key, todo->room, sizeof(*todo->key));
		ASSERT_TRUE(todo->key);
	}
	todo->key[todo->n++] = key;
}

/*
 * All steps from a state. It is a preemption where the task that made the last step stands
 * before an access; after a yield any task goes on for free, also where a fair
 * scheduler would let somebody else go first.
 */
static void go_on(struct all *a, struct state *from, unsigned int least)
{
	const struct user *last = from->last == NONE ? NULL : &from->user[from->last];
	bool free = !last || last->next == ENDED || yields(last);
	unsigned int id, cost;

	if (last && yields(last))
		step(from, from->last);
	for (id = 0; id < TASKS; id++) {
		struct state s = *from;

		if (s.user[id].next == ENDED)
			continue;
		cost = free || id == s.last ? 0 : 1;
		if (step(&s, id))
			reach(a, &s, least + cost, &a->todo[cost]);
		else if (least + cost < a->failed)
			a->failed = least + cost;
	}
}

/* Until an assertion fails and no state with fewer preemptions is left. */
static void search_all(struct all *a)
{
	unsigned int least = 0;
	struct list swap;

	a->key = calloc(TABLE, sizeof(*a->key));
	a->least = calloc(TABLE, sizeof(*a->least));
	ASSERT_TRUE(a->key && a->least);
	a->owned = a->failed = UNSEEN;
	reach(a, &start, 0, &a->todo[0]);
	for (; a->todo[0].n && least < a->failed; least++) {
		while (a->todo[0].n) {
			uint64_t key = a->todo[0].key[--a->todo[0].n];
			struct state s = unpack(key);

			if (a->least[place_of(a, key)] == least)
				go_on(a, &s, least);
		}
		swap = a->todo[0];
		a->todo[0] = a->todo[1];
		a->todo[1] = swap;
	}
	free(a->key);
	free(a->least);
	free(a->todo[0].key);
	free(a->todo[1].key);
}

/* With fewer there is no state that fails. */
TEST(it_takes_seven_preemptions)
{
	struct all a = { 0 };

	search_all(&a);
	EXPECT_EQ(6U, a.owned);
	EXPECT_EQ(SAFESTACK_PREEMPTIONS, (int)a.failed);
}

TEST_HARNESS_MAIN
