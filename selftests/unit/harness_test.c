// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the harness can fail: failing, dying, hanging and skipping tests
 * are run by harness_run() itself and must come back as such.
 */
#include <sys/mman.h>

#include "harness.h"

FIXTURE(counter) { int *torn_down; };

static int *shared;

FIXTURE_SETUP(counter)
{
	self->torn_down = shared;
}

FIXTURE_TEARDOWN(counter)
{
	if (self->torn_down)
		++*self->torn_down;
}

TEST_F(counter, tear_down_exists)
{
	EXPECT_EQ(NULL, (void *)self->torn_down);
}

static void passes(void) { EXPECT_EQ(1, 1); ASSERT_STREQ("a", "a"); }
static void expects(void) { EXPECT_EQ(1, 2); ++*shared; }
static void asserts(void) { ASSERT_LT(2, 1); ++*shared; }
static void strings(void) { EXPECT_STREQ("a", "b"); }
static void null(void) { EXPECT_STREQ("a", (const char *)NULL); }
static void differs(void) { EXPECT_STRNE("a", "a"); }
static void skips(void) { SKIP_TEST("on purpose"); }
static void fails_then_skips(void) { EXPECT_TRUE(0); SKIP_TEST("on purpose"); }
static void crashes(void) { raise(SIGSEGV); }
static void hangs(void) { for (;;) pause(); }
static void exits(void) { exit(77); }
static void leaves_a_child(void)
{
	pid_t pid = fork();

	while (!pid)
		pause();
	*shared = pid;
}

static void asserts_in_fixture_body(struct counter_fixture *self)
{
	ASSERT_EQ(NULL, (void *)self);
}

static void fixture_asserts(void)
{
	static struct counter_fixture self;
	static jmp_buf outer;

	counter_setup(&self);
	memcpy(&outer, &harness_leave, sizeof(outer));
	if (!setjmp(harness_leave))
		asserts_in_fixture_body(&self);
	memcpy(&harness_leave, &outer, sizeof(outer));
	counter_teardown(&self);
}

static int outcome(void (*fn)(void))
{
	struct harness_test t = { .name = "inner", .fn = fn, .timeout = 1 };
	int ret;

	/* What the inner tests print looks like failures to people. */
	fflush(stdout);
	printf("# the next notes are on purpose\n");
	ret = harness_run(&t);
	return ret;
}

TEST(results_come_back)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)shared);
	EXPECT_EQ(HARNESS_PASS, outcome(passes));
	EXPECT_EQ(HARNESS_FAIL, outcome(expects));
	EXPECT_EQ(1, *shared);
	EXPECT_EQ(HARNESS_FAIL, outcome(asserts));
	EXPECT_EQ(1, *shared);
	EXPECT_EQ(HARNESS_FAIL, outcome(strings));
	EXPECT_EQ(HARNESS_FAIL, outcome(null));
	EXPECT_EQ(HARNESS_FAIL, outcome(differs));
	EXPECT_EQ(HARNESS_SKIP, outcome(skips));
	EXPECT_EQ(HARNESS_FAIL, outcome(fails_then_skips));
	EXPECT_EQ(HARNESS_FAIL, outcome(crashes));
	EXPECT_EQ(HARNESS_FAIL, outcome(hangs));
	EXPECT_EQ(HARNESS_FAIL, outcome(exits));
	EXPECT_EQ(HARNESS_FAIL, outcome(fixture_asserts));
	EXPECT_EQ(2, *shared);
}

/* A zombie would be found, too. */
TEST(what_a_test_started_is_gone_after_it)
{
	int i;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)shared);
	for (i = 0; i < 20; i++) {
		EXPECT_EQ(HARNESS_PASS, outcome(leaves_a_child));
		ASSERT_LT(0, *shared);
		EXPECT_EQ(-1, kill(*shared, 0));
		EXPECT_EQ(ESRCH, errno);
	}
}

TEST_HARNESS_MAIN
