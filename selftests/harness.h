/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small test harness in the manner of kselftest_harness.h, own text. Each
 * TEST() runs in a process of its own, so that a crash or a hang of one is a
 * failed test and not the end of the program. Output is KTAP version 1.
 *
 *	TEST(name) { EXPECT_EQ(1, f()); }
 *	FIXTURE(box) { int fd; };
 *	FIXTURE_SETUP(box) { self->fd = ...; }
 *	FIXTURE_TEARDOWN(box) { close(self->fd); }
 *	TEST_F(box, holds_water) { ASSERT_LT(0, self->fd); }
 *	TEST_HARNESS_MAIN
 *
 * EXPECT_* notes a failure and goes on, ASSERT_* ends the test; the expected
 * value comes first. SKIP_TEST("why") ends it as skipped. Program arguments
 * choose tests by exact name. Exit: 0 passed, 1 failed, 4 all skipped.
 */
#ifndef CHESS_SELFTESTS_HARNESS_H
#define CHESS_SELFTESTS_HARNESS_H

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HARNESS_PASS	0
#define HARNESS_FAIL	1
#define HARNESS_SKIP	4
#define HARNESS_TIMEOUT	240	/* seconds a test may take; that is for machines that are busy */

struct harness_test {
	const char *name;
	void (*fn)(void);
	unsigned int timeout;
	struct harness_test *next;
};

/* One of each in a program, however many of its files include this. */
#define HARNESS_ONE	__attribute__((__weak__))
HARNESS_ONE struct harness_test *harness_first;
HARNESS_ONE struct harness_test **harness_last = &harness_first;
HARNESS_ONE jmp_buf harness_leave;
HARNESS_ONE int harness_result;

static inline void harness_add(struct harness_test *t)
{
	*harness_last = t;
	harness_last = &t->next;
}

#define HARNESS_REGISTER(ident, text, seconds)						\
	static void ident(void);							\
	static struct harness_test ident##_entry = { text, ident, seconds, NULL };	\
	static void __attribute__((constructor)) ident##_register(void)		\
	{ harness_add(&ident##_entry); }

#define TEST_TIMEOUT(name, seconds)							\
	HARNESS_REGISTER(test_##name, #name, seconds)					\
	static void test_##name(void)
#define TEST(name) TEST_TIMEOUT(name, HARNESS_TIMEOUT)

#define FIXTURE(f) struct f##_fixture
#define FIXTURE_SETUP(f) static void f##_setup(struct f##_fixture *self)
#define FIXTURE_TEARDOWN(f) static void f##_teardown(struct f##_fixture *self)

/* The body runs under a jump buffer of its own: tear-down follows an ASSERT too. */
#define TEST_F(f, name)									\
	static void f##_##name##_body(struct f##_fixture *self);			\
	HARNESS_REGISTER(test_##f##_##name, #f "." #name, HARNESS_TIMEOUT)		\
	static void test_##f##_##name(void)						\
	{										\
		static struct f##_fixture self;						\
		static jmp_buf outer;							\
		f##_setup(&self);							\
		memcpy(&outer, &harness_leave, sizeof(outer));				\
		if (!setjmp(harness_leave))						\
			f##_##name##_body(&self);					\
		memcpy(&harness_leave, &outer, sizeof(outer));				\
		f##_teardown(&self);							\
	}										\
	static void f##_##name##_body(struct f##_fixture *self __attribute__((unused)))

#define TH_LOG(fmt, ...)								\
	printf("# %s:%d: " fmt "\n", __FILE__, __LINE__, ##__VA_ARGS__)

#define SKIP_TEST(fmt, ...) do {							\
	printf("# SKIP " fmt "\n", ##__VA_ARGS__);					\
	if (harness_result != HARNESS_FAIL)						\
		harness_result = HARNESS_SKIP;						\
	longjmp(harness_leave, 1);							\
} while (0)

#define HARNESS_FAILED(fatal) do {							\
	harness_result = HARNESS_FAIL;							\
	if (fatal)									\
		longjmp(harness_leave, 1);						\
} while (0)

/* Print a value of any scalar type both ways; pointers come as their number. */
#define HARNESS_NUMBER(v) ((long long)(intptr_t)(v))

#define HARNESS_COMPARE(expected, op, seen, fatal) do {				\
	__typeof__(expected) exp_ = (expected);						\
	__typeof__(seen) seen_ = (seen);						\
	if (!(exp_ op seen_)) {								\
		TH_LOG("expected %s (%lld, 0x%llx) %s %s (%lld, 0x%llx)", #expected,	\
		       HARNESS_NUMBER(exp_), HARNESS_NUMBER(exp_), #op, #seen,		\
		       HARNESS_NUMBER(seen_), HARNESS_NUMBER(seen_));			\
		HARNESS_FAILED(fatal);							\
	}										\
} while (0)

#define HARNESS_STRING(expected, want, seen, fatal) do {				\
	const char *exp_ = (expected), *seen_ = (seen);					\
	if (!exp_ || !seen_ || (strcmp(exp_, seen_) == 0) != (want)) {			\
		TH_LOG("expected %s \"%s\", seen %s \"%s\"", (want) ? "" : "not",	\
		       exp_ ? exp_ : "(null)", #seen, seen_ ? seen_ : "(null)");	\
		HARNESS_FAILED(fatal);							\
	}										\
} while (0)

#define EXPECT_EQ(e, s) HARNESS_COMPARE(e, ==, s, 0)
#define EXPECT_NE(e, s) HARNESS_COMPARE(e, !=, s, 0)
#define EXPECT_LT(e, s) HARNESS_COMPARE(e, <, s, 0)
#define EXPECT_LE(e, s) HARNESS_COMPARE(e, <=, s, 0)
#define EXPECT_GT(e, s) HARNESS_COMPARE(e, >, s, 0)
#define EXPECT_GE(e, s) HARNESS_COMPARE(e, >=, s, 0)
#define EXPECT_TRUE(s) HARNESS_COMPARE(0, !=, !!(s), 0)
#define EXPECT_FALSE(s) HARNESS_COMPARE(0, ==, !!(s), 0)
#define EXPECT_STREQ(e, s) HARNESS_STRING(e, 1, s, 0)
#define EXPECT_STRNE(e, s) HARNESS_STRING(e, 0, s, 0)
#define ASSERT_EQ(e, s) HARNESS_COMPARE(e, ==, s, 1)
#define ASSERT_NE(e, s) HARNESS_COMPARE(e, !=, s, 1)
#define ASSERT_LT(e, s) HARNESS_COMPARE(e, <, s, 1)
#define ASSERT_LE(e, s) HARNESS_COMPARE(e, <=, s, 1)
#define ASSERT_GT(e, s) HARNESS_COMPARE(e, >, s, 1)
#define ASSERT_GE(e, s) HARNESS_COMPARE(e, >=, s, 1)
#define ASSERT_TRUE(s) HARNESS_COMPARE(0, !=, !!(s), 1)
#define ASSERT_FALSE(s) HARNESS_COMPARE(0, ==, !!(s), 1)
#define ASSERT_STREQ(e, s) HARNESS_STRING(e, 1, s, 1)
#define ASSERT_STRNE(e, s) HARNESS_STRING(e, 0, s, 1)

/*
 * The status of @pid. What a test leaves without a parent comes to us, as to the init
 * process, and is reaped.
 */
static inline int harness_wait(pid_t pid)
{
	int status;
	pid_t got;

	do {
		got = waitpid(-1, &status, 0);
	} while (got != pid && (got >= 0 || errno == EINTR));
	return status;
}

/*
 * In a process group of its own, so that what a hung test started ends with it. The next
 * test begins when all of them are gone, with their locks and files.
 */
static inline int harness_run(const struct harness_test *t)
{
	int status;
	pid_t pid;

	fflush(NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid < 0) {
		printf("# fork: %s\n", strerror(errno));
		return HARNESS_FAIL;
	}
	if (!pid) {
		setpgid(0, 0);
		alarm(t->timeout);
		if (!setjmp(harness_leave))
			t->fn();
		fflush(NULL);
		_exit(harness_result);
	}
	status = harness_wait(pid);
	kill(-pid, SIGKILL);
	while (waitpid(-pid, NULL, 0) >= 0 || errno == EINTR)
		;
	if (WIFSIGNALED(status)) {
		if (WTERMSIG(status) == SIGALRM)
			printf("# took longer than %u s\n", t->timeout);
		else
			printf("# died of signal %d (%s)\n", WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
		return HARNESS_FAIL;
	}
	status = WEXITSTATUS(status);
	return status == HARNESS_PASS || status == HARNESS_SKIP ? status : HARNESS_FAIL;
}

static inline bool harness_wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

static inline int harness_main(int argc, char **argv)
{
	unsigned int n = 0, count[HARNESS_SKIP + 1] = { 0 };
	struct harness_test *t;
	int ret;

	for (t = harness_first; t; t = t->next)
		n += harness_wanted(t->name, argc, argv);
	/* Buffered lines would be printed by each child again. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n1..%u\n", n);
	if (!n) {
		printf("# no test of that name\n");
		return HARNESS_FAIL;
	}
	n = 0;
	for (t = harness_first; t; t = t->next) {
		if (!harness_wanted(t->name, argc, argv))
			continue;
		ret = harness_run(t);
		count[ret]++;
		printf("%s %u %s%s\n", ret == HARNESS_FAIL ? "not ok" : "ok", ++n, t->name,
		       ret == HARNESS_SKIP ? " # SKIP" : "");
	}
	printf("# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:%u error:0\n",
	       count[HARNESS_PASS], count[HARNESS_FAIL], count[HARNESS_SKIP]);
	if (count[HARNESS_FAIL])
		return HARNESS_FAIL;
	return count[HARNESS_PASS] ? HARNESS_PASS : HARNESS_SKIP;
}

#define TEST_HARNESS_MAIN								\
	int main(int argc, char **argv) { return harness_main(argc, argv); }

#endif /* CHESS_SELFTESTS_HARNESS_H */
