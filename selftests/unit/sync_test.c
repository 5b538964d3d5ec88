// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which events of a record order two tasks, one kind at a time: T1 writes a word
 * and T2 writes it later in the run, with the events of each case in between. Ordered,
 * there is no race. race_test.c does the same with whole programs; here are the calls
 * and the corners those do not have.
 */
#include <sys/syscall.h>

#include "harness.h"
#include "code/wrappers.h"
#include "internal.h"
#include "race/race.h"

#define A	CHESS_OBJECT_ADDRESS
#define I	CHESS_OBJECT_INODE
#define P	CHESS_OPF_PROBE
#define W	CHESS_OPF_WRITE
#define NONE	CHESS_TASK_NONE

/* T1's write comes after the event that has FIRST, T2's after the one that has SECOND. */
#define FIRST	1
#define SECOND	2

struct line {
	struct chess_event e;
	int access;
};

struct scene {
	const char *name;
	bool races;
	struct line line[16];
};

#define POINT(t, c, class, k, o, ...) \
	{ .type = CHESS_EVENT_POINT, .task = t, .chosen = c, .op = CHESS_OP_##class, \
	  .object_kind = k, .object = o, ##__VA_ARGS__ }
#define BLOCK(t, c)	{ .type = CHESS_EVENT_BLOCK, .task = t, .chosen = c }
#define WAKE(t, by)	{ .type = CHESS_EVENT_WAKE, .task = t, .object = by, .chosen = NONE }
#define EXIT(t, c)	{ .type = CHESS_EVENT_EXIT, .task = t, .chosen = c }
#define QUANTUM(t, c)	{ .type = CHESS_EVENT_QUANTUM, .task = t, .chosen = c }
#define TIMEOUT(t)	{ .type = CHESS_EVENT_TIMEOUT, .task = t, .chosen = NONE }
#define YIELD(t, c)	POINT(t, c, YIELD, 0, 0)

/* T1 gives at an op, then T2 takes at another one; both go on at once */
#define GIVE_TAKE(give, take) \
	{ { YIELD(1, 1), FIRST }, { give, 0 }, { YIELD(1, 2), 0 }, { take, SECOND }, \
	  { YIELD(2, 2), 0 } }

static const struct scene scenes[] = {
	{ "nothing", true, GIVE_TAKE(YIELD(1, 1), YIELD(2, 2)) },
	{ "eventfd or pipe", false, GIVE_TAKE(POINT(1, 1, WRITE, I, 1), POINT(2, 2, READ, I, 1)) },
	{ "write that failed", true,
	  GIVE_TAKE(POINT(1, 1, WRITE, I, 1, .result = -11), POINT(2, 2, READ, I, 1)) },
	{ "read that failed", true,
	  GIVE_TAKE(POINT(1, 1, WRITE, I, 1), POINT(2, 2, READ, I, 1, .result = -11)) },
	{ "read, then write", true, GIVE_TAKE(POINT(1, 1, READ, I, 1), POINT(2, 2, WRITE, I, 1)) },
	{ "end of a pipe", false, GIVE_TAKE(POINT(1, 1, CLOSE, I, 1), POINT(2, 2, READ, I, 1)) },
	{ "sockets, two inodes", false,
	  GIVE_TAKE(POINT(1, 1, SOCKET, I, 1), POINT(2, 2, SOCKET, I, 2)) },
	{ "written to a socket", false,
	  GIVE_TAKE(POINT(1, 1, WRITE, I, 1), POINT(2, 2, SOCKET, I, 2)) },
	{ "sem_getvalue", true, GIVE_TAKE(POINT(1, 1, SOCKET, I, 1), POINT(2, 2, READ, A, 2)) },
	{ "file lock", false,
	  GIVE_TAKE(POINT(1, 1, FLOCK, I, 5), POINT(2, 2, FLOCK, I, 5)) },
	{ "locks on two files", true,
	  GIVE_TAKE(POINT(1, 1, FLOCK, I, 5), POINT(2, 2, FLOCK, I, 6)) },
	{ "message queue", false,
	  GIVE_TAKE(POINT(1, 1, IPC, CHESS_OBJECT_KEY, 1), POINT(2, 2, IPC, CHESS_OBJECT_KEY, 1)) },
	{ "kill and sigwait", false,
	  GIVE_TAKE(POINT(1, 1, SIGNAL, CHESS_OBJECT_TASK, 2), POINT(2, 2, SIGNAL_WAIT, 0, 0)) },
	{ "sigwait without a signal", true,
	  GIVE_TAKE(YIELD(1, 1), POINT(2, 2, SIGNAL_WAIT, 0, 0)) },
	{ "point of a BPF program that releases", false,
	  GIVE_TAKE(POINT(1, 1, CUSTOM, A, 7, .flags = CHESS_OPF_RELEASE),
		    POINT(2, 2, CUSTOM, A, 7)) },
	{ "points of BPF programs that do not", true,
	  GIVE_TAKE(POINT(1, 1, CUSTOM, A, 7), POINT(2, 2, CUSTOM, A, 7)) },
	{ "unknown calls", true, GIVE_TAKE(POINT(1, 1, OTHER, 0, 0), POINT(2, 2, OTHER, 0, 0)) },
	{ "a condition without a wait", true,
	  GIVE_TAKE(POINT(1, 1, COND_SIGNAL, A, 8), POINT(2, 2, LOCK, A, 9)) },
	{ "a wait that found the signal sent and never slept", false,
	  GIVE_TAKE(POINT(1, 1, COND_SIGNAL, A, 8), POINT(2, 2, COND_WAIT, A, 8, .arg = 9)) },
	{ "the end of a thread, its number told", false,
	  GIVE_TAKE(EXIT(1, 2), POINT(2, 2, JOIN, CHESS_OBJECT_TASK, 1)) },
	{ "the end of another thread", true,
	  GIVE_TAKE(EXIT(1, 2), POINT(2, 2, JOIN, CHESS_OBJECT_TASK, 0)) },
	{ "the end of a child", false,
	  GIVE_TAKE(EXIT(1, 2), POINT(2, 2, WAIT_CHILD, 0, 0)) },

	/* futex by hand: only the wake-up orders */
	{ "futex", false,
	  { { POINT(2, 2, FUTEX_WAIT, A, 4), 0 }, { BLOCK(2, 1), FIRST },
	    { POINT(1, 1, FUTEX_WAKE, A, 4), 0 }, { WAKE(2, 1), 0 }, { YIELD(1, 2), SECOND },
	    { YIELD(2, 2), 0 } } },
	{ "written behind the wake-up", true,
	  { { POINT(2, 2, FUTEX_WAIT, A, 4), 0 }, { BLOCK(2, 1), 0 },
	    { POINT(1, 1, FUTEX_WAKE, A, 4), 0 }, { WAKE(2, 1), FIRST }, { YIELD(1, 2), SECOND },
	    { YIELD(2, 2), 0 } } },
	{ "woken from outside", true,
	  { { POINT(2, 2, FUTEX_WAIT, A, 4), 0 }, { BLOCK(2, 1), FIRST }, { WAKE(2, NONE), 0 },
	    { YIELD(1, 2), SECOND }, { YIELD(2, 2), 0 } } },
	{ "the end that wakes who joins", false,
	  { { POINT(2, 2, JOIN, A, 70), 0 }, { BLOCK(2, 1), FIRST }, { WAKE(2, 1), 0 },
	    { EXIT(1, 2), SECOND }, { YIELD(2, 2), 0 } } },

	/* a lock is got when its owner does not block any more */
	{ "lock after a wait", false,
	  { { POINT(1, 1, LOCK, A, 3), 0 }, { YIELD(1, 2), 0 }, { POINT(2, 2, LOCK, A, 3), 0 },
	    { BLOCK(2, 1), FIRST }, { POINT(1, 1, UNLOCK, A, 3), 0 }, { YIELD(1, 2), SECOND },
	    { YIELD(2, 2), 0 } } },
	{ "lock that took too long", true,
	  { { POINT(1, 1, LOCK, A, 3), 0 }, { YIELD(1, 2), 0 }, { POINT(2, 2, LOCK, A, 3), 0 },
	    { BLOCK(2, 1), FIRST }, { POINT(1, 1, UNLOCK, A, 3), 0 }, { TIMEOUT(2), 0 },
	    { YIELD(1, 2), SECOND }, { YIELD(2, 2), 0 } } },
	{ "post behind a wait that took too long", true,
	  { { POINT(2, 2, SEM_WAIT, A, 3), 0 }, { BLOCK(2, 1), FIRST },
	    { POINT(1, 1, SEM_POST, A, 3), 0 }, { TIMEOUT(2), 0 }, { YIELD(1, 2), SECOND },
	    { YIELD(2, 2), 0 } } },
	/* spins in the lock until its quantum is over */
	{ "spin lock", false,
	  { { POINT(1, 1, LOCK, A, 3), 0 }, { YIELD(1, 2), 0 }, { POINT(2, 2, LOCK, A, 3), 0 },
	    { QUANTUM(2, 1), FIRST }, { POINT(1, 1, UNLOCK, A, 3), 0 }, { YIELD(1, 2), SECOND },
	    { YIELD(2, 2), 0 } } },
	/* T2 is at its point when T1 unlocks, and takes the lock when it goes on */
	{ "lock whose turn comes later", false,
	  { { POINT(2, 1, LOCK, A, 3), FIRST }, { POINT(1, 1, UNLOCK, A, 3), 0 },
	    { YIELD(1, 2), SECOND }, { YIELD(2, 2), 0 } } },
	/* T1 is at its unlock, and has not done it, when T2 tries */
	{ "unlock whose turn comes later", true,
	  { { POINT(2, 1, TRYLOCK, A, 3, .flags = CHESS_OPF_WRITE), FIRST },
	    { POINT(1, 2, UNLOCK, A, 3), SECOND }, { YIELD(2, 1), 0 }, { YIELD(1, 1), 0 } } },
	{ "once, waited for its end", false,
	  { { POINT(1, 1, ONCE, A, 3), FIRST }, { YIELD(1, 2), 0 }, { POINT(2, 2, ONCE, A, 3), 0 },
	    { BLOCK(2, 1), 0 }, { WAKE(2, 1), 0 }, { YIELD(1, 2), SECOND }, { YIELD(2, 2), 0 } } },
	/* call_once() jumps to pthread_once(), which is what counts: T2 came first to the former */
	{ "once by two names", false,
	  { { POINT(2, 2, ONCE, A, 3, .nr = 2), 0 }, { POINT(2, 1, ONCE, A, 3, .nr = 1), 0 },
	    { POINT(1, 1, ONCE, A, 3, .nr = 2), 0 }, { POINT(1, 1, ONCE, A, 3, .nr = 1), FIRST },
	    { YIELD(1, 2), SECOND }, { YIELD(2, 2), 0 } } },
	/* what the first one did after the end of the function that wakes: not ordered */
	{ "once, and then", true,
	  { { POINT(1, 1, ONCE, A, 3), 0 }, { YIELD(1, 2), 0 }, { POINT(2, 2, ONCE, A, 3), 0 },
	    { BLOCK(2, 1), 0 }, { WAKE(2, 1), FIRST }, { YIELD(1, 2), SECOND },
	    { YIELD(2, 2), 0 } } },
};

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	e.enabled = 7;
	/* points with addresses are trapped functions, others are calls */
	if (e.type == CHESS_EVENT_POINT && e.object_kind == A)
		e.flags |= P;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* Number of races. */
static int play(const struct scene *s)
{
	struct chess_record *r = chess_record_new();
	struct chess_races races;
	struct chess_access a[2];
	size_t n = 0;
	int i;

	/* T0 makes both and ends, so that they know nothing of each other */
	for (i = 1; i <= 2; i++) {
		push(r, (struct chess_event) POINT(0, 0, CREATE, A, 1));
		push(r, (struct chess_event) {
			.type = CHESS_EVENT_SPAWN, .object = i, .chosen = NONE,
		});
	}
	push(r, (struct chess_event) EXIT(0, s->line[0].e.task));
	for (i = 0; s->line[i].e.type; i++) {
		push(r, s->line[i].e);
		if (s->line[i].access)
			a[n++] = (struct chess_access) {
				.address = 0x100, .size = 4, .kind = CHESS_ACCESS_WRITE,
				.task = s->line[i].access, .ip = s->line[i].access,
				.seq = chess_record_length(r),
			};
	}
	ASSERT_EQ(2UL, (unsigned long)n);
	ASSERT_EQ(0, chess_races_find(r, a, n, NULL, &races));
	n = races.n;
	free(races.v);
	chess_record_free(r);
	return n;
}

TEST(each_event_orders_what_it_orders)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++) {
		if (play(&scenes[i]) != scenes[i].races) {
			TH_LOG("%s: %s", scenes[i].name, scenes[i].races ? "no race" : "race");
			HARNESS_FAILED(0);
		}
	}
}

/* T1 tries a semaphore, writes and posts; T2 tries it. Tried a lock, it would be T1's still. */
TEST(a_semaphore_that_was_tried_has_no_owner)
{
	static const char *const tries[] = { "sem_trywait" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		uint16_t id = chess_wrapper_id(chess_wrapper_by_symbol(tries[i]));
		struct scene s = { .line = {
			{ POINT(1, 1, TRYLOCK, A, 3, .flags = P | W, .nr = id), 0 },
			{ YIELD(1, 1), FIRST }, { POINT(1, 1, SEM_POST, A, 3, .flags = P), 0 },
			{ YIELD(1, 2), 0 },
			{ POINT(2, 2, TRYLOCK, A, 3, .flags = P | W, .nr = id), SECOND },
			{ YIELD(2, 2), 0 },
		} };

		if (play(&s)) {
			TH_LOG("%s: a race", tries[i]);
			HARNESS_FAILED(0);
		}
	}
}

static size_t count(const struct chess_steps *s, int kind)
{
	size_t i, n = 0;

	for (i = 0; i < s->n; i++)
		n += s->v[i].kind == kind;
	return n;
}

/* One hand-over for the creation, the end: two releases, one acquire. */
TEST(a_record_without_accesses_has_steps)
{
	struct chess_record *r = chess_record_new();
	struct chess_steps s;

	push(r, (struct chess_event) POINT(0, 0, CREATE, A, 1));
	push(r, (struct chess_event) { .type = CHESS_EVENT_SPAWN, .object = 1, .chosen = NONE });
	push(r, (struct chess_event) EXIT(0, 1));
	ASSERT_EQ(0, chess_sync_steps(r, NULL, 0, &s));
	EXPECT_EQ(2UL, (unsigned long)count(&s, CHESS_STEP_RELEASE));
	EXPECT_EQ(1UL, (unsigned long)count(&s, CHESS_STEP_ACQUIRE));
	EXPECT_EQ(2UL, (unsigned long)s.tasks);
	free(s.v);
	chess_record_free(r);
}

TEST(accesses_out_of_order_are_refused)
{
	struct chess_access a[2] = { { .seq = 2, .size = 1 }, { .seq = 1, .size = 1 } };
	struct chess_record *r = chess_record_new();
	struct chess_steps s;

	push(r, (struct chess_event) YIELD(0, 0));
	push(r, (struct chess_event) YIELD(0, 0));
	EXPECT_EQ(-EINVAL, chess_sync_steps(r, a, 2, &s));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "access 1"));
	chess_record_free(r);
}

TEST_HARNESS_MAIN
