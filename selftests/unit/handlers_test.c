// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what orders a signal handler and the task that it interrupts: T0 writes a word, and
 * its handler does, with what is recorded of signals in between; T1 sends. A scene is a list of
 * entries of the record of accesses, and of events where T0 and T1 meet. Clocks and locksets
 * must say the same.
 */
#include <signal.h>

#include "goldilocks.h"
#include "harness.h"
#include "internal.h"
#include "race/handler_calls.h"
#include "race/race.h"

#define NONE	CHESS_TASK_NONE
#define BIT(s)	(1ULL << ((s) - 1))
#define ONE	SIGUSR1
#define TWO	SIGUSR2

/* FLAG and the following: of a variable that is not the one of the others, by either of the two. */
enum { MAIN = 1, HANDLER, OTHER, TOLD, EVENT, FLAG_SET, FLAG_READ };

/* What is done: an access of main, of a handler, of T1; or what is recorded; or an event. */
struct line {
	int what;
	struct chess_access a;
	struct chess_event e;
};

struct scene {
	const char *name;
	int races;
	struct line line[24];
};

#define W(by)		{ .what = by }
#define SAYS(t, w, ...)	{ TOLD, { .task = t, .size = CHESS_TOLD_##w, ##__VA_ARGS__ }, { 0 } }
#define BEGINS(sig, how, ...) \
	SAYS(0, HANDLER, .site = sig, .ip = how, ##__VA_ARGS__)
#define RETURNS		SAYS(0, RETURNED, 0)
#define JUMPS		SAYS(0, JUMPED, 0)
#define INSTALL(sig)	SAYS(0, INSTALLED, .site = sig)
#define OPEN(sig)	SAYS(0, OPENED, .address = BIT(sig))
#define CLOSE(sig)	SAYS(0, BLOCKED, .address = BIT(sig))
#define SEND(sig)	SAYS(1, SENT, .site = sig, .address = 0)
#define ARM		SAYS(0, ARMED, 0)
#define POINT(t, c, class, o) \
	{ EVENT, { 0 }, { .type = CHESS_EVENT_POINT, .task = t, .chosen = c, \
	  .op = CHESS_OP_##class, .object_kind = CHESS_OBJECT_ADDRESS, .object = o, \
	  .flags = CHESS_OPF_PROBE, .enabled = 3 } }
/* T1 gives a semaphore, T0 takes it: T0 knows what T1 did. */
#define MEET		POINT(1, 1, SEM_POST, 9), POINT(1, 0, YIELD, 0), \
			POINT(0, 0, SEM_WAIT, 9), POINT(0, 0, YIELD, 0)

static const struct scene scenes[] = {
	{ "nothing", 1, { INSTALL(ONE), W(MAIN), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "main goes on", 1, { INSTALL(ONE), BEGINS(ONE, 0), W(HANDLER), RETURNS, W(MAIN) } },
	{ "before sigaction()", 0,
	  { W(MAIN), INSTALL(ONE), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "before sigaction() of another", 1,
	  { W(MAIN), INSTALL(TWO), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "before it is let in", 0,
	  { INSTALL(ONE), W(MAIN), OPEN(ONE), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "before another is let in", 1,
	  { INSTALL(ONE), W(MAIN), OPEN(TWO), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "once it is blocked", 0,
	  { BEGINS(ONE, 0, .address = BIT(ONE)), W(HANDLER), RETURNS, CLOSE(ONE), W(MAIN) } },
	{ "once another is blocked", 1,
	  { BEGINS(ONE, 0, .address = BIT(ONE)), W(HANDLER), RETURNS, CLOSE(TWO), W(MAIN) } },
	{ "before the timer is set", 0,
	  { W(MAIN), ARM, BEGINS(ONE, CHESS_HANDLER_TIMER), W(HANDLER), RETURNS } },
	{ "set, but it was no timer", 1,
	  { W(MAIN), ARM, BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "own, before", 0, { W(MAIN), BEGINS(ONE, CHESS_HANDLER_OWN), W(HANDLER), RETURNS } },
	{ "own, behind", 0, { BEGINS(ONE, CHESS_HANDLER_OWN), W(HANDLER), RETURNS, W(MAIN) } },
	{ "in a wait, before", 0,
	  { W(MAIN), BEGINS(ONE, CHESS_HANDLER_WAITED), W(HANDLER), RETURNS } },
	{ "in a wait, behind", 0,
	  { BEGINS(ONE, CHESS_HANDLER_WAITED), W(HANDLER), RETURNS, W(MAIN) } },
	{ "before a call that it interrupts", 1,
	  { W(MAIN), BEGINS(ONE, CHESS_HANDLER_INTERRUPTS), W(HANDLER), RETURNS } },
	{ "behind that call", 0,
	  { BEGINS(ONE, CHESS_HANDLER_INTERRUPTS), W(HANDLER), RETURNS, W(MAIN) } },
	{ "before it jumps", 1, { W(MAIN), BEGINS(ONE, 0), W(HANDLER), JUMPS } },
	{ "behind the jump", 0, { BEGINS(ONE, 0), W(HANDLER), JUMPS, W(MAIN) } },
	{ "sent behind it", 0, { W(OTHER), SEND(ONE), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "sent before it", 1, { SEND(ONE), W(OTHER), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "another is sent", 1, { W(OTHER), SEND(TWO), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "main has heard that it was sent", 0,
	  { SEND(ONE), BEGINS(ONE, 0), W(HANDLER), RETURNS, MEET, W(MAIN) } },
	{ "main has heard of another", 1,
	  { SEND(ONE), BEGINS(ONE, 0), W(HANDLER), RETURNS, W(MAIN), MEET } },
	{ "main had heard, and it came then", 0,
	  { SEND(ONE), MEET, BEGINS(ONE, 0), W(HANDLER), RETURNS, W(MAIN) } },
	{ "main had heard, but was there before", 1,
	  { W(MAIN), SEND(ONE), MEET, BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	{ "the second time, main has heard of the first", 3,
	  { SEND(ONE), BEGINS(ONE, 0), RETURNS, MEET, SEND(ONE), BEGINS(ONE, 0), W(HANDLER),
	    RETURNS, W(MAIN), W(OTHER) } },
	{ "handlers of one signal", 0,
	  { BEGINS(ONE, 0, .address = BIT(ONE)), W(HANDLER), RETURNS,
	    BEGINS(ONE, 0, .address = BIT(ONE)), W(HANDLER), RETURNS } },
	{ "one within itself", 1,
	  { BEGINS(ONE, 0), W(HANDLER), BEGINS(ONE, 0), W(HANDLER), RETURNS, RETURNS } },
	{ "one within another", 1,
	  { BEGINS(ONE, 0, .address = BIT(ONE)), W(HANDLER),
	    BEGINS(TWO, 0, .address = BIT(TWO)), W(HANDLER), RETURNS, RETURNS } },
	{ "one behind another, which it blocks", 0,
	  { BEGINS(ONE, 0, .address = BIT(ONE) | BIT(TWO)), W(HANDLER), RETURNS,
	    BEGINS(TWO, 0, .address = BIT(ONE) | BIT(TWO)), W(HANDLER), RETURNS } },
	{ "one behind another, which it does not", 1,
	  { BEGINS(ONE, 0, .address = BIT(ONE)), W(HANDLER), RETURNS,
	    BEGINS(TWO, 0, .address = BIT(TWO)), W(HANDLER), RETURNS } },
	{ "what a handler gives away is what it knows", 1,
	  { W(MAIN), BEGINS(ONE, 0), POINT(0, 0, SEM_POST, 9), POINT(0, 1, YIELD, 0),
	    POINT(1, 1, SEM_WAIT, 9), POINT(1, 1, YIELD, 0), W(OTHER), RETURNS } },
	{ "what a handler did before it gives away", 0,
	  { BEGINS(ONE, 0), W(HANDLER), POINT(0, 0, SEM_POST, 9), POINT(0, 1, YIELD, 0),
	    POINT(1, 1, SEM_WAIT, 9), POINT(1, 1, YIELD, 0), W(OTHER), RETURNS } },
	{ "an end that nobody saw begin", 1,
	  { RETURNS, JUMPS, W(MAIN), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
};

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* The scene as a record, and its @n accesses; @heap: calls of the heap in place of writes. */
static struct chess_record *write_down(const struct scene *s, uint8_t heap,
				       struct chess_access a[ARRAY_SIZE(s->line)], size_t *count)
{
	struct chess_record *r = chess_record_new();
	size_t n = 0, i;

	push(r, (struct chess_event) {
		.type = CHESS_EVENT_SPAWN, .object = 1, .chosen = NONE,
	});
	for (i = 0; i < ARRAY_SIZE(s->line) && s->line[i].what; i++) {
		const struct line *l = &s->line[i];

		if (l->what == EVENT) {
			push(r, l->e);
			continue;
		}
		a[n] = l->a;
		a[n].kind = CHESS_ACCESS_TOLD;
		if (l->what == FLAG_SET || l->what == FLAG_READ)
			a[n] = (struct chess_access) {
				.address = 0x200, .size = 4, .ip = l->what,
				.kind = l->what == FLAG_SET ? CHESS_ACCESS_WRITE :
							      CHESS_ACCESS_READ,
			};
		else if (l->what != TOLD)
			a[n] = (struct chess_access) {
				.address = 0x100 * (heap ? n + 1 : 1), .size = 4,
				.kind = heap ? heap : CHESS_ACCESS_WRITE,
				.task = l->what == OTHER, .ip = l->what,
			};
		a[n++].seq = chess_record_length(r);
	}
	/* whoever is over is not compared with */
	push(r, (struct chess_event) {
		.type = CHESS_EVENT_EXIT, .task = 1, .enabled = 1,
	});
	*count = n;
	return r;
}

/* Number of races. */
static int play(const struct scene *s, bool locksets)
{
	struct chess_race_opts opts = { .detector = locksets ? &chess_by_locksets : NULL };
	struct chess_access a[ARRAY_SIZE(s->line)];
	struct chess_races races;
	size_t n;
	struct chess_record *r = write_down(s, 0, a, &n);

	ASSERT_EQ(0, chess_races_find(r, a, n, &opts, &races));
	EXPECT_EQ(0UL, (unsigned long)(races.forgotten + races.dropped));
	n = races.n;
	free(races.v);
	chess_record_free(r);
	return n;
}

TEST(each_rule_orders_what_it_orders)
{
	size_t i;
	int k;

	for (i = 0; i < ARRAY_SIZE(scenes); i++) {
		for (k = 0; k < 2; k++) {
			int races = play(&scenes[i], k);

			if (races == scenes[i].races)
				continue;
			TH_LOG("%s: expected %d races by %s, seen %d", scenes[i].name,
			       scenes[i].races, k ? "locksets" : "clocks", races);
			HARNESS_FAILED(0);
		}
	}
}

static bool has(const struct scene *s, int what)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(s->line); i++)
		if (s->line[i].what == what)
			return true;
	return false;
}

static int find_heap(const struct scene *s, uint8_t heap, struct chess_trace_race *out)
{
	struct chess_access a[ARRAY_SIZE(s->line)];
	size_t n;
	struct chess_record *r = write_down(s, heap, a, &n);
	int ret = chess_handler_heap_find(r, a, n, out);

	chess_record_free(r);
	return ret;
}

/* Whatever bytes they are about; those of another thread do not matter. */
TEST(the_same_rules_hold_for_calls_of_the_heap)
{
	static const uint8_t kinds[] = {
		CHESS_ACCESS_ALLOCATED, CHESS_ACCESS_FRESH,
		CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED,
	};
	struct chess_trace_race found;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(scenes); i++) {
		int expected = scenes[i].races && has(&scenes[i], HANDLER) &&
			       (has(&scenes[i], MAIN) || !has(&scenes[i], OTHER));

		for (k = 0; k < ARRAY_SIZE(kinds); k++) {
			if (expected == find_heap(&scenes[i], kinds[k], &found))
				continue;
			TH_LOG("%s: expected %d by calls of kind %u", scenes[i].name, expected,
			       kinds[k]);
			HARNESS_FAILED(0);
		}
		/* munmap() is none. */
		EXPECT_EQ(0, find_heap(&scenes[i], CHESS_ACCESS_FRESH | CHESS_ACCESS_WRITE,
				       &found));
	}
}

#define STREAM_CALL	(CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC)

/* One stream for all, or one of each line's own. */
static uint64_t stream_of(void *each, const struct chess_access *a)
{
	if (a->kind != STREAM_CALL)
		return 0;
	return each ? a->address : 1;
}

static int find_stream(const struct scene *s, void *each)
{
	struct chess_access a[ARRAY_SIZE(s->line)];
	size_t n;
	struct chess_record *r = write_down(s, STREAM_CALL, a, &n);
	int ret = chess_handler_streams_find(r, a, n, stream_of, each);

	chess_record_free(r);
	return ret;
}

TEST(and_for_calls_that_use_a_stream)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++) {
		int expected = scenes[i].races && has(&scenes[i], HANDLER) &&
			       (has(&scenes[i], MAIN) || !has(&scenes[i], OTHER));

		if (expected != find_stream(&scenes[i], NULL) ||
		    find_stream(&scenes[i], &expected)) {
			TH_LOG("%s: expected %d", scenes[i].name, expected);
			HARNESS_FAILED(0);
		}
	}
}

static const struct {
	struct scene scene;
	enum chess_in_handler in_handler;
} heap_scenes[] = {
	{ { "handler first", 0, { BEGINS(ONE, 0), W(HANDLER), RETURNS, W(MAIN) } },
	  CHESS_IN_HANDLER_FIRST },
	{ { "handler second", 0, { W(MAIN), BEGINS(ONE, 0), W(HANDLER), RETURNS } },
	  CHESS_IN_HANDLER_SECOND },
	{ { "both", 0, { BEGINS(ONE, 0), W(HANDLER), BEGINS(TWO, 0), W(HANDLER), RETURNS } },
	  CHESS_IN_HANDLER_BOTH },
	{ { "main waits for a flag", 0,
	    { BEGINS(ONE, 0), W(HANDLER), W(FLAG_SET), RETURNS, W(FLAG_READ), W(MAIN) } }, 0 },
	{ { "the flag is set first, but main goes on after all of the handler", 0,
	    { BEGINS(ONE, 0), W(FLAG_SET), W(HANDLER), RETURNS, W(FLAG_READ), W(MAIN) } }, 0 },
	{ { "likewise by the outer one of two", 0,
	    { BEGINS(ONE, 0), W(FLAG_SET), BEGINS(TWO, 0), RETURNS, W(HANDLER), RETURNS,
	      W(FLAG_READ), W(MAIN) } }, 0 },
	{ { "the flag is set in one before", 0,
	    { BEGINS(ONE, 0), W(FLAG_SET), RETURNS, BEGINS(ONE, 0), W(HANDLER), RETURNS,
	      W(FLAG_READ), W(MAIN) } }, CHESS_IN_HANDLER_FIRST },
	{ { "main does not read the flag before", 0,
	    { BEGINS(ONE, 0), W(HANDLER), W(FLAG_SET), RETURNS, W(MAIN), W(FLAG_READ) } },
	  CHESS_IN_HANDLER_FIRST },
	{ { "main sets a flag, which orders nothing", 0,
	    { W(MAIN), W(FLAG_SET), BEGINS(ONE, 0), W(FLAG_READ), W(HANDLER), RETURNS } },
	  CHESS_IN_HANDLER_SECOND },
	{ { "another thread's", 0, { BEGINS(ONE, 0), W(HANDLER), RETURNS, W(OTHER) } }, 0 },
	{ { "no handler", 0, { BEGINS(ONE, 0), RETURNS, W(MAIN), W(MAIN) } }, 0 },
};

TEST(which_call_a_handler_makes)
{
	struct chess_trace_race found;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(heap_scenes); i++) {
		const enum chess_in_handler in_handler = heap_scenes[i].in_handler;

		found.in_handler = 0;
		EXPECT_EQ(!!in_handler,
			  find_heap(&heap_scenes[i].scene, CHESS_ACCESS_ALLOCATED, &found));
		if (in_handler == found.in_handler)
			continue;
		TH_LOG("%s: %u", heap_scenes[i].scene.name, found.in_handler);
		HARNESS_FAILED(0);
	}
}

/* A task that joins another is after its handlers, too. */
TEST(the_end_of_a_task_is_that_of_its_handlers)
{
	struct chess_access a[4] = {
		{ .task = 1, .kind = CHESS_ACCESS_TOLD, .size = CHESS_TOLD_HANDLER, .site = ONE },
		{ .task = 1, .address = 0x100, .size = 4, .kind = CHESS_ACCESS_WRITE, .ip = 1 },
		{ .task = 1, .kind = CHESS_ACCESS_TOLD, .size = CHESS_TOLD_RETURNED },
		{ .task = 0, .address = 0x100, .size = 4, .kind = CHESS_ACCESS_WRITE, .ip = 2 },
	};
	struct chess_record *r = chess_record_new();
	struct chess_races races;
	size_t i;

	push(r, (struct chess_event) { .type = CHESS_EVENT_SPAWN, .object = 1, .chosen = NONE });
	push(r, (struct chess_event) { .type = CHESS_EVENT_EXIT, .task = 1, .enabled = 1 });
	for (i = 0; i < 3; i++)
		a[i].seq = 1;
	a[3].seq = 2;
	ASSERT_EQ(0, chess_races_find(r, a, 4, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);
	free(races.v);
	push(r, (struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_JOIN, .enabled = 1,
		.object_kind = CHESS_OBJECT_TASK, .object = 1,
	});
	push(r, (struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_YIELD, .enabled = 1,
	});
	a[3].seq = 4;
	ASSERT_EQ(0, chess_races_find(r, a, 4, NULL, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	chess_record_free(r);
}

TEST_HARNESS_MAIN
