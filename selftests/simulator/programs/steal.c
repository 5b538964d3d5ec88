// SPDX-License-Identifier: GPL-2.0-only
/*
 * The work-stealing queue of Cilk (Frigo, Leiserson and Randall, PLDI'98: the THE
 * protocol), as CHESS's tests and PLDI'08, table 2, have it: T0 pushes and pops at the
 * tail, thieves take at the head. Each takes its end first and then looks whether it
 * met the other; only then, and when the queue is to grow, the lock is needed.
 *
 * With the bug, a push leaves no entry free, so that what a thief is about to take
 * can be overwritten.
 *
 * The state of a task is the line it is at, the line that called the function it is
 * in, and its locals as long as they are needed.
 */
#include <string.h>

#include "programs.h"

#define ITEMS_MAX	8
#define ENTRIES_MAX	16
#define TASKS		3
#define NOTHING		(-1)

/**
 * struct setting - how the queue is used
 * @thieves: tasks besides T0
 * @items: pushed, and as many pops
 * @steals: attempts of each thief
 * @tries: to get the lock, a variable, before a task gives way; 0: it is a mutex
 * @bug: see above
 * @plain: nobody can see the first stores, nor those of a queue that grows
 * @ordered: the lock is given back by an op on it
 * @at_once: T0 waits for all at once, not for one after the other
 * @rounds: T0 pushes two, pops one; and pops the rest. Else it pushes all first
 */
struct setting {
	int thieves, items, steals, tries;
	bool bug, plain, ordered, at_once, rounds;
};

struct frame {
	int line, caller, index;
	long head, tail, count, item;
};

static const struct setting *set;

static struct {
	struct sim_var head, tail, lock, release;
	struct sim_mutex mutex;
	int mask;
	int entry[ENTRIES_MAX];
	int taken[ITEMS_MAX];
	struct frame frame[TASKS];
	struct sim_event stolen;
	int left;
} q;

static void reset_to(const struct setting *setting)
{
	set = setting;
	memset(&q, 0, sizeof(q));
	q.mask = 1;
	q.left = set->thieves;
}

static struct frame *here(int line)
{
	struct frame *f = &q.frame[sim_self()];

	f->line = line;
	return f;
}

/* CHESS's programs read by a compare-and-swap, so reads do not commute. */
#define GET(v)		(here(__LINE__), sim_add(&q.v, 0))
#define PUT(v, x)	do { here(__LINE__); sim_exchange(&q.v, x); } while (0)

static void acquire(int caller)
{
	struct frame *f = here(__LINE__);

	f->caller = caller;
	if (!set->tries) {
		sim_lock(&q.mutex);
		return;
	}
	for (f->count = 0; ; f->count = (f->count + 1) % set->tries) {
		here(__LINE__);
		if (!sim_exchange(&q.lock, 1))
			break;
		if (f->count == set->tries - 1) {
			here(__LINE__);
			sim_yield();
		}
	}
	f->count = 0;
}

/*
 * CHESS has a point of no particular variable before the plain store. What it says of
 * the order of ops is wrong then; so for searches with reductions the op is on the lock.
 */
static void release(void)
{
	struct frame *f = here(__LINE__);

	if (set->tries && set->ordered) {
		sim_store(&q.lock, 0);
	} else if (set->tries) {
		sim_store(&q.release, 0);
		q.lock.value = 0;
	} else {
		sim_unlock(&q.mutex);
	}
	f->caller = 0;
}

static void end_op(struct frame *f)
{
	f->head = 0;
	f->tail = 0;
	f->count = 0;
	f->item = 0;
}

static int steal(void)
{
	struct frame *f = here(__LINE__);
	int item = NOTHING;

	acquire(__LINE__);
	f->head = GET(head);
	PUT(head, f->head + 1);
	if (f->head < GET(tail))
		item = q.entry[f->head & q.mask];
	else
		PUT(head, f->head);
	f->item = item + 2;
	release();
	end_op(f);
	return item;
}

static int pop_locked(struct frame *f)
{
	int item = NOTHING;

	acquire(__LINE__);
	f->tail = GET(tail) - 1;
	PUT(tail, f->tail);
	if (GET(head) <= f->tail)
		item = q.entry[f->tail & q.mask];
	else
		PUT(tail, f->tail + 1);
	f->item = item + 2;
	if (GET(head) > f->tail) {
		PUT(head, 0);
		PUT(tail, 0);
		item = NOTHING;
	}
	f->item = item + 2;
	release();
	return item;
}

static int pop(void)
{
	struct frame *f = here(__LINE__);
	int item;

	f->tail = GET(tail) - 1;
	PUT(tail, f->tail);
	if (GET(head) <= f->tail) {
		item = q.entry[f->tail & q.mask];
	} else {
		PUT(tail, f->tail + 1);
		item = pop_locked(f);
	}
	end_op(f);
	return item;
}

/*
 * Twice the room; what is in the queue comes to its beginning. In the programs that
 * show their state, CHESS sets head and tail there by plain stores.
 */
static void grow(struct frame *f)
{
	int entry[ENTRIES_MAX] = { 0 };
	long i;

	for (i = 0; i < f->count; i++)
		entry[i] = q.entry[(f->head + i) & q.mask];
	memcpy(q.entry, entry, sizeof(entry));
	q.mask = 2 * q.mask + 1;
	if (set->plain) {
		q.head.value = 0;
		q.tail.value = f->count;
		return;
	}
	PUT(head, 0);
	PUT(tail, f->count);
}

static void push_locked(struct frame *f, int item)
{
	acquire(__LINE__);
	f->head = GET(head);
	f->count = GET(tail) - f->head;
	f->head &= q.mask;
	PUT(head, f->head);
	PUT(tail, f->head + f->count);
	if (f->count >= q.mask)
		grow(f);
	f->tail = GET(tail);
	q.entry[f->tail & q.mask] = item;
	PUT(tail, f->tail + 1);
	release();
}

static void push(int item)
{
	struct frame *f = here(__LINE__);

	f->tail = GET(tail);
	if (f->tail < GET(head) + q.mask + set->bug) {
		q.entry[f->tail & q.mask] = item;
		PUT(tail, f->tail + 1);
	} else {
		push_locked(f, item);
	}
	end_op(f);
}

static void use(int item)
{
	if (item != NOTHING)
		q.taken[item]++;
}

static void thief(void *arg)
{
	struct frame *f = here(__LINE__);

	(void)arg;
	for (f->index = 1; f->index <= set->steals; f->index++)
		use(steal());
	here(__LINE__);
	/* As in philosophers.c, SIM_CHESS looks at it before each decision. */
	if (!--q.left)
		q.stolen.set = true;
}

static void owner_in_rounds(struct frame *f)
{
	for (f->index = 0; f->index < set->items / 2; f->index++) {
		push(2 * f->index);
		push(2 * f->index + 1);
		use(pop());
	}
	for (; f->index < set->items; f->index++)
		use(pop());
}

static void owner_in_turn(struct frame *f)
{
	for (f->index = 0; f->index < set->items; f->index++)
		push(f->index);
	for (; f->index < 2 * set->items; f->index++)
		use(pop());
}

static void steal_main(void *arg)
{
	struct frame *f = here(__LINE__);
	int thieves[TASKS], i;

	(void)arg;
	if (!set->plain) {
		PUT(head, 0);
		PUT(tail, 0);
	}
	for (i = 0; i < set->thieves; i++) {
		here(__LINE__)->index = i;
		thieves[i] = sim_create(thief, NULL);
	}
	if (set->rounds)
		owner_in_rounds(f);
	else
		owner_in_turn(f);
	if (set->at_once)
		sim_event_wait(&q.stolen);
	for (i = 0; i < set->thieves && !set->at_once; i++) {
		here(__LINE__)->index = i;
		sim_join(thieves[i]);
	}
	for (i = 0; i < set->items; i++)
		sim_assert(q.taken[i] == 1);
	here(__LINE__);
}

static uint64_t steal_state(void)
{
	return digest_bytes(DIGEST_START, &q, sizeof(q));
}

static const struct setting
	locked = { .thieves = 1, .items = 4, .steals = 2, .bug = true, .rounds = true },
	spinning = { .thieves = 1, .items = 4, .steals = 2, .tries = 4, .bug = true,
		     .rounds = true },
	two_checked = { .thieves = 2, .items = 4, .steals = 2, .tries = 4, .plain = true },
	one_thief = { .thieves = 1, .items = 2, .steals = 2, .tries = 1, .plain = true,
		      .ordered = true, .at_once = true },
	two_thieves = { .thieves = 2, .items = 2, .steals = 1, .tries = 4, .plain = true,
			.ordered = true, .at_once = true },
	/* SCTBench's have two thieves, and the bug all of them. */
	sct_locked = { .thieves = 2, .items = 4, .steals = 2, .bug = true, .rounds = true },
	sct_spinning = { .thieves = 2, .items = 4, .steals = 2, .tries = 4, .bug = true,
			 .rounds = true },
	sct_shown = { .thieves = 2, .items = 4, .steals = 2, .tries = 4, .bug = true,
		      .rounds = true, .plain = true },
	sct_shown_in_turn = { .thieves = 2, .items = 4, .steals = 2, .tries = 4, .bug = true,
			      .plain = true },
	less_work = { .thieves = 2, .items = 1, .steals = 1, .tries = 1, .plain = true,
		      .ordered = true, .at_once = true };

#define RESET(setting) \
static void reset_##setting(void) \
{ \
	reset_to(&setting); \
}
RESET(locked)
RESET(spinning)
RESET(two_checked)
RESET(one_thief)
RESET(two_thieves)
RESET(less_work)
RESET(sct_locked)
RESET(sct_spinning)
RESET(sct_shown)
RESET(sct_shown_in_turn)

const struct golden chess_steal[] = {
	{ .program = { .name = "workstealqueue", .reset = reset_locked, .main = steal_main },
	  .runs = { 34, 205, 559 }, .classes = { 25, 63, 217 }, .steps = { 72, 72, 72 },
	  .verdict = CHESS_VERDICT_ASSERT, .verdict_from = 2 },
	{ .program = { .name = "interlockedworkstealqueue", .reset = reset_spinning,
		       .main = steal_main },
	  .runs = { 34, 339, 3559 }, .classes = { 26, 101, 890 }, .steps = { 72, 82, 92 },
	  .verdict = CHESS_VERDICT_ASSERT, .verdict_from = 2, .version = CHESS_RULE_OLDER },
	{ .program = { .name = "stateworkstealqueue", .reset = reset_two_checked,
		       .main = steal_main },
	  .runs = { 178, 5255, 73304 }, .steps = { 107, 127, 147 },
	  .verdict = CHESS_VERDICT_OK,
	  .differs = "of another version of its program than the one that is published: the first run, before any choice of the search, has 71 points there and 73 here" },
};

const size_t n_chess_steal = COUNT_OF(chess_steal);

const struct sim_program stealing1 = {
	.name = "stealing1", .reset = reset_one_thief, .main = steal_main,
	.state = steal_state, .plain_end = true,
};

const struct sim_program stealing2_less = {
	.name = "stealing2-less", .reset = reset_less_work, .main = steal_main,
	.state = steal_state, .plain_end = true,
};

const struct sim_program stealing2 = {
	.name = "stealing2", .reset = reset_two_thieves, .main = steal_main,
	.state = steal_state, .plain_end = true,
};

#define QUEUE(n, setting) { .name = n, .reset = reset_##setting, .main = steal_main }

const struct sct sct_steal[] = {
	{ QUEUE("WorkStealQueue", sct_locked), 2, CHESS_VERDICT_ASSERT,
	  { 12, 57.0, 6.0, 48.1, 16.2, 12.5, -1 },
	  { 20 } },
	{ QUEUE("InterlockedWorkStealQueue", sct_spinning), 2, CHESS_VERDICT_ASSERT,
	  { 7, 57.0, 6.5, 48.4, 13.4, 14.1, -1 },
	  { 20, [6] = 20 } },
	{ QUEUE("InterlockedWorkStealQueueWithState", sct_shown), 2, CHESS_VERDICT_ASSERT,
	  { 9, 223.6, 6.0, 906.6, 204.5, 5.0, 26 },
	  { 20 } },
	{ QUEUE("StateWorkStealQueue", sct_shown_in_turn), 2, CHESS_VERDICT_ASSERT,
	  { 7, 249.0, 6.8, 842.5, 198.6, 6.2, -1 },
	  { 20 } },
};

const size_t n_sct_steal = COUNT_OF(sct_steal);
