// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which verdict a run gets from how it ended: whose death counts, what is
 * an assertion and what a crash, and that a run that did not follow its prefix,
 * or was not seen as a whole, is never "ok".
 */
#include <signal.h>
#include <string.h>

#include <sys/syscall.h>

#include "run/complaints.h"
#include "run/verdict.h"
#include "../harness.h"

#define EXITED(code) ((code) << 8)
#define DUMPED(sig) ((sig) | 0x80)

static void push(struct chess_record *r, int type, int task, uint64_t object, int chosen)
{
	struct chess_event e = { 0 };

	e.seq = chess_record_length(r) + 1;
	e.type = type;
	e.task = task;
	e.object = object;
	e.chosen = chosen;
	e.enabled = chosen == CHESS_TASK_NONE ? 0 : 1ULL << chosen;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* Three decisions, then the end of T0 with a status. */
static struct chess_record *ended(int status)
{
	struct chess_record *r = chess_record_new();

	push(r, CHESS_EVENT_POINT, 0, 0, 0);
	push(r, CHESS_EVENT_BLOCK, 0, 0, 1);
	push(r, CHESS_EVENT_POINT, 1, 0, 0);
	push(r, CHESS_EVENT_EXIT, 0, status, CHESS_TASK_NONE);
	return r;
}

static struct chess_judgement judge(struct chess_facts f)
{
	struct chess_judgement j;

	chess_verdict_judge(&f, &j);
	return j;
}

static int verdict_of(struct chess_facts f)
{
	return judge(f).verdict;
}

TEST(clean_exit_is_ok)
{
	struct chess_judgement j = judge((struct chess_facts){ .record = ended(0), .length = 3 });

	EXPECT_EQ(CHESS_VERDICT_OK, (int)j.verdict);
	EXPECT_EQ(-1, j.bad_task);
	EXPECT_EQ(SIZE_MAX, j.diverged_at);
}

TEST(exit_code_is_exit)
{
	struct chess_judgement j = judge((struct chess_facts){ .record = ended(EXITED(3)),
							       .status = EXITED(3) });

	EXPECT_EQ(CHESS_VERDICT_EXIT, (int)j.verdict);
	EXPECT_EQ(0, j.bad_task);
	EXPECT_EQ(EXITED(3), j.bad_status);
}

TEST(abort_is_assert)
{
	struct chess_facts f = { .record = ended(DUMPED(SIGABRT)), .status = DUMPED(SIGABRT),
				 .err = "prog: prog.c:12: main: Assertion `x == 2' failed.\n" };

	EXPECT_EQ(CHESS_VERDICT_ASSERT, verdict_of(f));
	f.err = NULL;
	EXPECT_EQ(CHESS_VERDICT_ASSERT, verdict_of(f));
	/* The stars are on another line than what was terminated. */
	f.err = "*** start ***\nAssertion failed\nwork ***: terminated\n";
	EXPECT_EQ(CHESS_VERDICT_ASSERT, verdict_of(f));
}

TEST(abort_after_a_complaint_of_libc_is_crash)
{
	static const char *const said[] = {
		"free(): double free detected in tcache 2\n",
		"double free or corruption (fasttop)\n",
		"malloc(): unaligned tcache chunk detected\n",
		"corrupted size vs. prev_size\n",
		"*** stack smashing detected ***: terminated\n",
		"hello\n*** buffer overflow detected ***: terminated\n",
		"The futex facility returned an unexpected error code.\n",
	};
	size_t i;

	for (i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		struct chess_facts f = { .record = ended(SIGABRT), .status = SIGABRT,
					 .err = said[i] };

		EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	}
}

/* What monitors say, how the program ended, and what follows. */
TEST(monitors_are_listened_to)
{
	static const struct {
		const char *said;
		int status;
		enum chess_verdict verdict;
		const char *monitor;
	} rows[] = {
		{ "tcache_thread_shutdown(): unaligned tcache chunk detected\n", SIGABRT,
		  CHESS_VERDICT_CRASH, "glibc" },
		{ "some_new_free(): a check of a later release\n", SIGABRT, CHESS_VERDICT_CRASH,
		  "glibc" },
		{ "lex: a.c:9: main: Assertion `my_free(): x' failed.\n", SIGABRT,
		  CHESS_VERDICT_ASSERT, NULL },
		{ "void my_free(): Assertion `x' failed.\n", SIGABRT, CHESS_VERDICT_ASSERT, NULL },
		{ "parser(): cannot go on\n", SIGABRT, CHESS_VERDICT_ASSERT, NULL },
		{ "a.out: malloc.c:2379: sysmalloc: Assertion `x' failed.\n", SIGABRT,
		  CHESS_VERDICT_CRASH, "glibc" },
		{ "cancel_malloc: cancel_malloc.c:6: main: Assertion `x' failed.\n", SIGABRT,
		  CHESS_VERDICT_ASSERT, NULL },
		{ "Fatal glibc error: malloc.c:2599 (sysmalloc): assertion failed\n", SIGABRT,
		  CHESS_VERDICT_CRASH, "glibc" },
		{ "terminate called without an active exception\n", SIGABRT,
		  CHESS_VERDICT_ASSERT, "C++" },
		{ "libc++abi: terminating due to uncaught exception of type int\n", SIGABRT,
		  CHESS_VERDICT_ASSERT, "C++" },
		{ "pure virtual method called\nterminate called without an active exception\n",
		  SIGABRT, CHESS_VERDICT_CRASH, "C++" },
		{ "thread 'main' panicked at src/main.rs:2:5:\nboom\n", EXITED(101),
		  CHESS_VERDICT_ASSERT, "Rust" },
		{ "thread 'main' (77) panicked at src/main.rs:2:5:\nboom\n", EXITED(101),
		  CHESS_VERDICT_ASSERT, "Rust" },
		{ "\nthread '<unnamed>' panicked at 'boom', src/main.rs:2:5\n", 0,
		  CHESS_VERDICT_ASSERT, "Rust" },
		{ "thread 'main' has overflowed its stack\n", SIGABRT, CHESS_VERDICT_CRASH,
		  "Rust" },
		{ "panicked at nothing\n", 0, CHESS_VERDICT_OK, NULL },
		{ "fatal error: all goroutines are asleep - deadlock!\n", EXITED(2),
		  CHESS_VERDICT_DEADLOCK, "Go" },
		{ "fatal error: all goroutines are asleep - deadlock!\n", 0, CHESS_VERDICT_OK,
		  NULL },
		{ "a.c:1:10: fatal error: no.h: No such file\n", EXITED(1), CHESS_VERDICT_EXIT,
		  NULL },
		{ "fatal error: stack overflow\n", EXITED(2), CHESS_VERDICT_CRASH, "Go" },
		{ "panic: runtime error: invalid memory address or nil pointer dereference\n",
		  EXITED(2), CHESS_VERDICT_CRASH, "Go" },
		{ "panic: boom\n", EXITED(2), CHESS_VERDICT_ASSERT, "Go" },
		{ "WARNING: ThreadSanitizer: data race (pid=2)\n", 0, CHESS_VERDICT_RACE,
		  "ThreadSanitizer" },
		{ "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock)\n",
		  EXITED(66), CHESS_VERDICT_ASSERT, "ThreadSanitizer" },
		{ "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address\n", SIGABRT,
		  CHESS_VERDICT_MEMORY, "AddressSanitizer" },
		{ "==2==ERROR: AddressSanitizer: SEGV on unknown address\n", EXITED(1),
		  CHESS_VERDICT_CRASH, "AddressSanitizer" },
		{ "==2==ERROR: LeakSanitizer: detected memory leaks\n", EXITED(23),
		  CHESS_VERDICT_MEMORY, "LeakSanitizer" },
		{ "==2==WARNING: MemorySanitizer: use-of-uninitialized-value\n", EXITED(1),
		  CHESS_VERDICT_MEMORY, "MemorySanitizer" },
		{ "a.c:3:7: runtime error: shift exponent 40 is too large\n", 0,
		  CHESS_VERDICT_ASSERT, "UndefinedBehaviorSanitizer" },
		{ "==2== Invalid read of size 4\n", 0, CHESS_VERDICT_MEMORY, "Memcheck" },
		{ "==2== Conditional jump or move depends on uninitialised value(s)\n", EXITED(9),
		  CHESS_VERDICT_MEMORY, "Memcheck" },
		{ "==2== 1,000 bytes in 1 blocks are definitely lost in loss record 2 of 3\n", 0,
		  CHESS_VERDICT_MEMORY, "Memcheck" },
		{ "==2== 16 (8 direct, 8 indirect) bytes in 1 blocks are definitely lost in loss record 1 of 1\n",
		  0, CHESS_VERDICT_MEMORY, "Memcheck" },
		{ "==2== 8 bytes in 1 blocks are still reachable in loss record 1 of 1\n", 0,
		  CHESS_VERDICT_OK, NULL },
		{ "tool: runtime error: none of ours\n", 0, CHESS_VERDICT_OK, NULL },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct chess_facts f = { .record = ended(rows[i].status),
					 .status = rows[i].status, .err = rows[i].said };
		struct chess_judgement j = judge(f);
		struct chess_complaint c;
		bool found = chess_complaint_of(f.err, NULL, j.verdict, j.bad_status, &c);

		if ((int)j.verdict != (int)rows[i].verdict)
			fprintf(stderr, "# of: %s", rows[i].said);
		EXPECT_EQ((int)rows[i].verdict, (int)j.verdict);
		EXPECT_EQ(!!rows[i].monitor, found);
		if (rows[i].monitor && found)
			EXPECT_STREQ(rows[i].monitor, c.monitor);
	}
}

TEST(the_first_complaint_is_named_and_none_that_counts_for_nothing)
{
	static const char said[] =
		"x\n==2==ERROR: AddressSanitizer: heap-use-after-free on\nthread 'main' panicked at a.rs:1:1:\n";
	struct chess_expect x = { 0 };
	struct chess_complaint c;

	ASSERT_TRUE(chess_complaint_of(said, &x, CHESS_VERDICT_MEMORY, EXITED(1), &c));
	EXPECT_STREQ("AddressSanitizer", c.monitor);
	EXPECT_TRUE(c.said == said + 2);
	EXPECT_EQ((size_t)52, c.length);
	ASSERT_EQ(0, chess_expect_add(&x, "ignore-monitor", "addresssanitizer"));
	ASSERT_TRUE(chess_complaint_of(said, &x, CHESS_VERDICT_ASSERT, EXITED(1), &c));
	EXPECT_STREQ("Rust", c.monitor);
	ASSERT_EQ(0, chess_expect_add(&x, "ignore-monitor", "Rust,Go"));
	EXPECT_FALSE(chess_complaint_of(said, &x, CHESS_VERDICT_ASSERT, EXITED(1), &c));
	EXPECT_EQ(CHESS_VERDICT_OK, verdict_of((struct chess_facts){ .record = ended(0),
					.err = said, .expect = &x }));
}

TEST(exit_codes_may_be_expected)
{
	struct chess_expect x = { 0 };
	struct chess_facts f = { .record = ended(EXITED(77)), .status = EXITED(77), .expect = &x };

	EXPECT_EQ(CHESS_VERDICT_EXIT, verdict_of(f));
	ASSERT_EQ(0, chess_expect_add(&x, "ok-exit", "2,64-78"));
	EXPECT_EQ(CHESS_VERDICT_OK, verdict_of(f));
	f.status = EXITED(79);
	EXPECT_EQ(CHESS_VERDICT_EXIT, verdict_of(f));
	EXPECT_EQ(-EINVAL, chess_expect_add(&x, "ok-exit", "256"));
	EXPECT_EQ(-EINVAL, chess_expect_add(&x, "ok-exit", ""));
	EXPECT_EQ(-EINVAL, chess_expect_add(&x, "ok-exit", "1-"));
	EXPECT_EQ(-EINVAL, chess_expect_add(&x, "ok-exit", "1,,2"));
	EXPECT_EQ(-EINVAL, chess_expect_add(&x, "expect-signal", "SIGNONE"));
	EXPECT_EQ(-EINVAL, chess_expect_add(&x, "expect-signal", "0"));
	EXPECT_EQ(-EINVAL, chess_expect_add(&x, "expect-signal", "64"));
}

static void wait_for(struct chess_record *r, int task, int child, int nr, int checks)
{
	struct chess_event e = {
		.seq = chess_record_length(r) + 1, .type = CHESS_EVENT_POINT,
		.op = CHESS_OP_WAIT_CHILD, .nr = nr, .task = task, .chosen = task, .enabled = 1,
		.object_kind = child < 0 ? CHESS_OBJECT_PID : CHESS_OBJECT_TASK,
		.object = child, .arg = checks,
	};

	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* T0 forks T1 and T2, who die in turn; the statuses they do so with. */
static struct chess_record *forked(int first, int second)
{
	struct chess_record *r = chess_record_new();

	push(r, CHESS_EVENT_SPAWN, 0, 1, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_SPAWN, 0, 2, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_BLOCK, 0, 0, 1);
	push(r, CHESS_EVENT_EXIT, 1, first, 2);
	push(r, CHESS_EVENT_EXIT, 2, second, 0);
	return r;
}

TEST(a_childs_death_is_expected_where_its_parent_asks)
{
	static const int nr[] = { SYS_wait4, SYS_waitid };
	struct chess_expect x = { 0 };
	struct chess_facts f = { 0 };
	size_t i;

	for (i = 0; i < 2; i++) {
		f = (struct chess_facts){ .record = forked(SIGSEGV, SIGABRT), .expect = &x };
		x = (struct chess_expect){ 0 };
		wait_for((struct chess_record *)f.record, 0, 2, nr[i], CHESS_WAIT_CHECKS);
		wait_for((struct chess_record *)f.record, 0, -1, nr[i], CHESS_WAIT_CHECKS);
		push((struct chess_record *)f.record, CHESS_EVENT_EXIT, 0, 0, CHESS_TASK_NONE);
		EXPECT_EQ(CHESS_VERDICT_OK, verdict_of(f));
		EXPECT_EQ(2u, judge(f).expected);
		/* Neither ended the run well. */
		f.status = EXITED(1);
		EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
		EXPECT_EQ(1, judge(f).bad_task);
		ASSERT_EQ(0, chess_expect_add(&x, "ok-exit", "1"));
		f.status = 0;
		x.no_signals = true;
		EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
		ASSERT_EQ(0, chess_expect_add(&x, "expect-signal", "SEGV"));
		EXPECT_EQ(CHESS_VERDICT_ASSERT, verdict_of(f));
		EXPECT_EQ(2, judge(f).bad_task);
	}
}

TEST(a_childs_death_that_nobody_asks_for_is_a_bug)
{
	struct chess_record *r = forked(SIGSEGV, SIGSEGV);
	struct chess_facts f = { .record = r };

	/* One is not taken, */
	wait_for(r, 0, -1, SYS_wait4, CHESS_WAIT_CHECKS);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	/* or without asking, */
	wait_for(r, 0, -1, SYS_wait4, 0);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	/* or asked for where nobody has ended: whoever does later is not taken by it. */
	f.record = r = chess_record_new();
	push(r, CHESS_EVENT_SPAWN, 0, 1, CHESS_TASK_NONE);
	wait_for(r, 0, 1, SYS_wait4, CHESS_WAIT_CHECKS);
	push(r, CHESS_EVENT_POINT, 0, 0, 1);
	push(r, CHESS_EVENT_EXIT, 1, SIGSEGV, 0);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	/* By a wait that sleeps until then it is. */
	f.record = r = chess_record_new();
	push(r, CHESS_EVENT_SPAWN, 0, 1, CHESS_TASK_NONE);
	wait_for(r, 0, 1, SYS_wait4, CHESS_WAIT_CHECKS);
	push(r, CHESS_EVENT_BLOCK, 0, 0, 1);
	push(r, CHESS_EVENT_EXIT, 1, SIGSEGV, 0);
	EXPECT_EQ(CHESS_VERDICT_OK, verdict_of(f));
	/* And not where it executed another program. */
	f.record = r = chess_record_new();
	push(r, CHESS_EVENT_SPAWN, 0, 1, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_EXEC, 1, 0, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_EXIT, 1, SIGSEGV, 0);
	wait_for(r, 0, 1, SYS_wait4, CHESS_WAIT_CHECKS);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
}

/*
 * T0 forks T1, which asks to be traced, or does not, and stops. T0's wait for it ends then, and T0
 * ends; T1 goes on where it was, and dies.
 */
static struct chess_record *let_go(bool traced, int checks, bool steps)
{
	struct chess_record *r = chess_record_new();
	struct chess_event ask = {
		.seq = 2, .type = CHESS_EVENT_POINT, .op = CHESS_OP_WAIT_CHILD, .task = 1,
		.nr = traced ? SYS_ptrace : SYS_getppid, .chosen = 1, .enabled = 2,
	};

	push(r, CHESS_EVENT_SPAWN, 0, 1, CHESS_TASK_NONE);
	ASSERT_EQ(0, chess_record_push(r, &ask, 1));
	push(r, CHESS_EVENT_BLOCK, 1, 0, 0);
	wait_for(r, 0, 1, SYS_wait4, checks);
	push(r, CHESS_EVENT_POINT, 0, 0, 0);
	push(r, CHESS_EVENT_WAKE, 1, 0, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_EXIT, 0, 0, 1);
	if (steps)
		push(r, CHESS_EVENT_POINT, 1, 0, 1);
	push(r, CHESS_EVENT_EXIT, 1, SIGSEGV, CHESS_TASK_NONE);
	return r;
}

TEST(a_traced_childs_death_is_expected_where_its_parent_saw_it_stop)
{
	struct chess_facts f = { .record = let_go(true, CHESS_WAIT_CHECKS, false) };

	EXPECT_EQ(CHESS_VERDICT_OK, verdict_of(f));
	EXPECT_EQ(1u, judge(f).expected);
	f.record = let_go(false, CHESS_WAIT_CHECKS, false);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	f.record = let_go(true, 0, false);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	/* What it stopped at was not its end. */
	f.record = let_go(true, CHESS_WAIT_CHECKS, true);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	/* T0 did not end well. */
	f.record = let_go(true, CHESS_WAIT_CHECKS, false);
	f.status = EXITED(1);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
}

/* T0 makes thread T1, which dies of @sig; T0 comes to a point after that, or not. */
static struct chess_record *with_a_dead_thread(int sig, bool goes_on)
{
	struct chess_record *r = chess_record_new();
	struct chess_event create = {
		.seq = 1, .type = CHESS_EVENT_SPAWN, .op = CHESS_OP_CREATE, .object = 1,
		.chosen = CHESS_TASK_NONE,
	};

	ASSERT_EQ(0, chess_record_push(r, &create, 1));
	push(r, CHESS_EVENT_BLOCK, 0, 0, 1);
	push(r, CHESS_EVENT_EXIT, 1, sig, 0);
	if (goes_on)
		push(r, CHESS_EVENT_POINT, 0, 0, 0);
	return r;
}

TEST(a_thread_that_seccomp_removes_is_expected)
{
	struct chess_expect x = { 0 };
	struct chess_facts f = { .record = with_a_dead_thread(SIGSYS, true), .expect = &x };

	EXPECT_EQ(CHESS_VERDICT_OK, verdict_of(f));
	EXPECT_EQ(1u, judge(f).expected);
	/* It does not hide how its process ends. */
	f.status = EXITED(1);
	EXPECT_EQ(CHESS_VERDICT_EXIT, verdict_of(f));
	/* No death is expected, */
	f.status = 0;
	x.no_signals = true;
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	/* all of the process died of it, */
	x.no_signals = false;
	f.record = with_a_dead_thread(SIGSYS, false);
	push((struct chess_record *)f.record, CHESS_EVENT_EXIT, 0, SIGSYS, CHESS_TASK_NONE);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
	/* or it is a signal that ends all of a process. */
	f.record = with_a_dead_thread(SIGSEGV, true);
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
}

TEST(any_signal_ends_the_root_as_crash)
{
	static const int sigs[] = { SIGSEGV, SIGBUS, SIGKILL, SIGTERM, SIGALRM };
	size_t i;

	for (i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++) {
		struct chess_judgement j = judge((struct chess_facts){
			.record = ended(sigs[i]), .status = sigs[i] });

		EXPECT_EQ(CHESS_VERDICT_CRASH, (int)j.verdict);
		EXPECT_EQ(0, j.bad_task);
		EXPECT_EQ(sigs[i], j.bad_status);
	}
}

TEST(crash_of_another_process_counts)
{
	struct chess_record *r = chess_record_new();
	struct chess_judgement j;

	push(r, CHESS_EVENT_EXIT, 2, DUMPED(SIGSEGV), 0);
	push(r, CHESS_EVENT_EXIT, 0, 0, CHESS_TASK_NONE);
	j = judge((struct chess_facts){ .record = r });
	EXPECT_EQ(CHESS_VERDICT_CRASH, (int)j.verdict);
	EXPECT_EQ(2, j.bad_task);
	EXPECT_EQ(DUMPED(SIGSEGV), j.bad_status);
}

TEST(end_of_another_process_by_a_plain_signal_or_code_does_not_count)
{
	struct chess_record *r = chess_record_new();

	push(r, CHESS_EVENT_EXIT, 1, SIGTERM, 0);
	push(r, CHESS_EVENT_KILLED, 2, SIGKILL, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_EXIT, 3, EXITED(1), 0);
	push(r, CHESS_EVENT_EXIT, 0, 0, CHESS_TASK_NONE);
	EXPECT_EQ(CHESS_VERDICT_OK, verdict_of((struct chess_facts){ .record = r }));
}

/* All threads of a process die with its code; the holder of the token was hit. */
TEST(task_that_was_hit_is_named)
{
	struct chess_record *r = chess_record_new();
	struct chess_judgement j;

	push(r, CHESS_EVENT_KILLED, 0, DUMPED(SIGSEGV), CHESS_TASK_NONE);
	push(r, CHESS_EVENT_KILLED, 1, DUMPED(SIGSEGV), CHESS_TASK_NONE);
	push(r, CHESS_EVENT_EXIT, 2, DUMPED(SIGSEGV), CHESS_TASK_NONE);
	j = judge((struct chess_facts){ .record = r, .status = DUMPED(SIGSEGV) });
	EXPECT_EQ(2, j.bad_task);
}

TEST(deadlock_and_timeout_are_told_apart)
{
	struct chess_facts f = { .record = ended(0), .status = SIGKILL, .deadlock = true };

	EXPECT_EQ(CHESS_VERDICT_DEADLOCK, verdict_of(f));
	f.deadlock = false;
	f.timeout = true;
	EXPECT_EQ(CHESS_VERDICT_TIMEOUT, verdict_of(f));
}

TEST(divergence_names_its_decision)
{
	struct chess_record *r = chess_record_new();
	struct chess_judgement j;

	push(r, CHESS_EVENT_POINT, 0, 0, 0);
	push(r, CHESS_EVENT_BLOCK, 0, 0, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_RESUME, 0, 0, 0);
	push(r, CHESS_EVENT_DIVERGENCE, 0, 7, CHESS_TASK_NONE);
	push(r, CHESS_EVENT_POINT, 0, 0, 0);
	j = judge((struct chess_facts){ .record = r, .status = SIGKILL, .length = 9 });
	EXPECT_EQ(CHESS_VERDICT_DIVERGED, (int)j.verdict);
	/* Where nobody was enabled there was no decision. */
	EXPECT_EQ((size_t)2, j.diverged_at);
}

TEST(end_before_the_prefix_is_diverged_unless_it_is_a_bug)
{
	struct chess_facts f = { .record = ended(0), .length = 4 };

	EXPECT_EQ(CHESS_VERDICT_DIVERGED, verdict_of(f));
	EXPECT_EQ((size_t)3, judge(f).diverged_at);
	f.status = SIGSEGV;
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
}

TEST(run_that_was_not_seen_as_a_whole_is_incomplete)
{
	struct chess_record *r = chess_record_new();

	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE,
		  verdict_of((struct chess_facts){ .record = ended(0), .overflow = true }));
	EXPECT_NE(NULL, strstr(chess_error(), "full"));
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE,
		  verdict_of((struct chess_facts){ .record = ended(0), .lost = 2 }));
	EXPECT_NE(NULL, strstr(chess_error(), "lost 2"));
	push(r, CHESS_EVENT_LEAVE, 4, 0, CHESS_TASK_NONE);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, verdict_of((struct chess_facts){ .record = r }));
	EXPECT_NE(NULL, strstr(chess_error(), "T4"));
}

/* What else went wrong says more; what is missing from the run says less. */
TEST(misuse_of_memory_is_a_bug)
{
	struct chess_facts f = { .record = ended(0), .misuse = true };

	EXPECT_EQ(CHESS_VERDICT_MEMORY, verdict_of(f));
	EXPECT_TRUE(chess_verdict_is_bug(CHESS_VERDICT_MEMORY));
	f.lost = 1;
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, verdict_of(f));
	f.lost = 0;
	f.length = 4;
	EXPECT_EQ(CHESS_VERDICT_DIVERGED, verdict_of(f));
	f.status = SIGSEGV;
	EXPECT_EQ(CHESS_VERDICT_CRASH, verdict_of(f));
}

TEST(names_are_those_of_the_command_line_contract)
{
	static const char *const names[] = {
		[CHESS_VERDICT_OK] = "ok", [CHESS_VERDICT_ASSERT] = "assert",
		[CHESS_VERDICT_CRASH] = "crash", [CHESS_VERDICT_DEADLOCK] = "deadlock",
		[CHESS_VERDICT_LIVELOCK] = "livelock", [CHESS_VERDICT_RACE] = "race",
		[CHESS_VERDICT_EXIT] = "exit", [CHESS_VERDICT_TIMEOUT] = "timeout",
		[CHESS_VERDICT_MEMORY] = "memory",
		[CHESS_VERDICT_DIVERGED] = "diverged", [CHESS_VERDICT_INCOMPLETE] = "incomplete",
	};
	int v;

	/* Numbers and names of these stay what they are. */
	EXPECT_EQ(1, (int)CHESS_VERDICT_OK);
	EXPECT_EQ(11, (int)CHESS_VERDICT_INCOMPLETE);
	for (v = CHESS_VERDICT_OK; v <= CHESS_VERDICT_INCOMPLETE; v++)
		EXPECT_STREQ(names[v], chess_verdict_name(v));
	for (; v < CHESS_VERDICT_END; v++)
		EXPECT_STRNE("unknown", chess_verdict_name(v));
	EXPECT_STREQ("unknown", chess_verdict_name(CHESS_VERDICT_NONE));
	EXPECT_STREQ("unknown", chess_verdict_name(CHESS_VERDICT_END));
	EXPECT_FALSE(chess_verdict_is_bug(CHESS_VERDICT_OK));
	EXPECT_FALSE(chess_verdict_is_bug(CHESS_VERDICT_DIVERGED));
	EXPECT_FALSE(chess_verdict_is_bug(CHESS_VERDICT_INCOMPLETE));
	EXPECT_TRUE(chess_verdict_is_bug(CHESS_VERDICT_DEADLOCK));
}

TEST_HARNESS_MAIN
