// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that chessctl doctor names the right cause for a first difference, counts
 * what a record shows of the outside, and finds each line that two outputs do not
 * share. The file is compiled in: it belongs to the command, not to the library.
 */
#include <stdlib.h>
#include <string.h>

#include "../cli/hints.c"
#include "harness.h"

static struct chess_event event(uint8_t type, uint16_t task)
{
	return (struct chess_event) { .type = type, .task = task, .chosen = CHESS_TASK_NONE };
}

static void expect_cause(struct chess_event a, struct chess_event b, const char *words)
{
	if (strstr(hints_cause(&a, &b), words) && strstr(hints_cause(&b, &a), words))
		return;
	TH_LOG("\"%s\" does not say \"%s\"", hints_cause(&a, &b), words);
	EXPECT_TRUE(false);
}

TEST(each_difference_has_its_cause)
{
	struct chess_event point = event(CHESS_EVENT_POINT, 0), other = point;
	struct chess_event wake = event(CHESS_EVENT_WAKE, 1), end = event(CHESS_EVENT_EXIT, 0);
	struct chess_event timeout = event(CHESS_EVENT_TIMEOUT, 1);

	EXPECT_NE(NULL, (void *)strstr(hints_cause(&point, NULL), "ended"));
	EXPECT_NE(NULL, (void *)strstr(hints_cause(NULL, &point), "ended"));
	wake.object = CHESS_TASK_NONE;
	expect_cause(point, wake, "from outside the group");
	expect_cause(point, event(CHESS_EVENT_RESUME, 0), "from outside the group");
	expect_cause(point, event(CHESS_EVENT_QUANTUM, 0), "quantum");
	expect_cause(point, event(CHESS_EVENT_STALL, 0), "watchdog");
	other = timeout;
	other.object = 10000;
	expect_cause(timeout, other, "clock of the group");
	other = end;
	other.object = 256;
	expect_cause(end, other, "another status");
	expect_cause(point, event(CHESS_EVENT_POINT, 1), "another task");
	expect_cause(point, end, "another path");
	other = point;
	other.nr = 3;
	expect_cause(point, other, "another path");
	other = point;
	other.flags = CHESS_OPF_PROBE;
	expect_cause(point, other, "another path");
	other = point;
	other.object = 4711;
	expect_cause(point, other, "another argument");
	other = point;
	other.ip = 0x401000;
	expect_cause(point, other, "another place");
	other = point;
	other.enabled = 3;
	expect_cause(point, other, "other tasks could run");
	other = point;
	other.result = (uint64_t)-EEXIST;
	expect_cause(point, other, "--private-tmp");
	other.result = 5;
	expect_cause(point, other, "returned something else");
	other.result = (uint64_t)-EADDRINUSE;
	expect_cause(point, other, "--no-network");
	point.flags = CHESS_OPF_PROBE;
	other = point;
	other.caller = 0x401000;
	expect_cause(point, other, "another place");
	/* a wake-up by a task of the group says nothing of the outside */
	wake.object = 0;
	expect_cause(event(CHESS_EVENT_POINT, 1), wake, "another path");
}

TEST(what_a_record_shows_is_counted)
{
	static const uint8_t types[] = {
		CHESS_EVENT_POINT, CHESS_EVENT_WAKE, CHESS_EVENT_WAKE, CHESS_EVENT_QUANTUM,
		CHESS_EVENT_WAKE, CHESS_EVENT_STALL, CHESS_EVENT_QUANTUM, CHESS_EVENT_LEAVE,
		CHESS_EVENT_RESUME, CHESS_EVENT_WAKE, CHESS_EVENT_RESUME,
	};
	struct chess_record *r = chess_record_new();
	struct hints_record h;
	size_t i;

	hints_find(r, &h);
	EXPECT_EQ((size_t)0, h.wakes + h.quanta + h.stalls + h.left);
	for (i = 0; i < sizeof(types); i++) {
		struct chess_event e = event(types[i], 0);

		e.object = i == 1 ? 3 : CHESS_TASK_NONE;
		ASSERT_EQ(0, chess_record_push(r, &e, 1));
	}
	hints_find(r, &h);
	EXPECT_EQ((size_t)4, h.wakes);
	EXPECT_EQ((size_t)2, h.first_wake);
	EXPECT_EQ((size_t)2, h.quanta);
	EXPECT_EQ((size_t)1, h.stalls);
	EXPECT_EQ((size_t)1, h.left);
}

/* "2:b/x" for line 2, where b stands against x; - for no line. */
static char *differing(const char *a, const char *b)
{
	struct hints_line l = { 0 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	while (hints_next_line(a, b, &l))
		fprintf(f, "%zu:%.*s/%.*s ", l.number, l.a ? (int)l.a_len : 1, l.a ? l.a : "-",
			l.b ? (int)l.b_len : 1, l.b ? l.b : "-");
	fclose(f);
	return text;
}

TEST(lines_that_differ_are_found_one_by_one)
{
	EXPECT_STREQ("", differing("a\nb\n", "a\nb\n"));
	EXPECT_STREQ("", differing("", ""));
	EXPECT_STREQ("", differing(NULL, ""));
	EXPECT_STREQ("", differing("a", "a\n"));
	EXPECT_STREQ("2:b/x ", differing("a\nb\nc\n", "a\nx\nc\n"));
	EXPECT_STREQ("1:a/xx 3:c/y ", differing("a\nb\nc", "xx\nb\ny\n"));
	EXPECT_STREQ("2:b/- 3:c/- ", differing("a\nb\nc\n", "a\n"));
	EXPECT_STREQ("1:-/a 2:-/ 3:-/b ", differing("", "a\n\nb\n"));
}

TEST_HARNESS_MAIN
