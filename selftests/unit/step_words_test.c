// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words of chessctl step: what each line means, and that a line that means nothing is refused
 * with one sentence. No run is made.
 */
#include <chessctl/chessctl.h>
#include <string.h>

#include "step/words.h"
#include "../harness.h"

static struct step_words words;
static char line[2 * STEP_LINE_MAX];

static bool read_line(const char *text)
{
	snprintf(line, sizeof(line), "%s", text);
	return step_words_read(line, &words);
}

/* @text is this verb about this task, or about none: -1 */
static void expect_task(const char *text, enum step_verb verb, int task)
{
	EXPECT_TRUE(read_line(text));
	EXPECT_EQ((int)verb, (int)words.verb);
	EXPECT_EQ(task < 0 ? STEP_NO_WAY : STEP_TASK, (int)words.way);
	if (task >= 0)
		EXPECT_EQ(task, words.value);
}

static void expect_number(const char *text, enum step_verb verb, uint64_t number)
{
	EXPECT_TRUE(read_line(text));
	EXPECT_EQ((int)verb, (int)words.verb);
	EXPECT_EQ(number, words.number);
}

static void expect_stop(const char *text, enum step_stop stop, const char *name)
{
	EXPECT_TRUE(read_line(text));
	EXPECT_EQ(STEP_UNTIL, (int)words.verb);
	EXPECT_EQ((int)stop, (int)words.stop);
	if (name)
		EXPECT_STREQ(name, words.text);
}

static void expect_refused(const char *text, const char *sentence)
{
	EXPECT_FALSE(read_line(text));
	EXPECT_TRUE(strstr(words.error, sentence));
	EXPECT_FALSE(strchr(words.error, '\n'));
}

TEST(a_task_is_chosen_by_its_name)
{
	expect_task("run T1", STEP_RUN, 1);
	expect_task("T1", STEP_RUN, 1);
	expect_task("  T12\t\r\n", STEP_RUN, 12);
	expect_task("run", STEP_RUN, -1);
	expect_task("try", STEP_TRY, -1);
	expect_task("try T0", STEP_TRY, 0);
	expect_task("why T3", STEP_WHY, 3);
	expect_task("where", STEP_WHERE, -1);
	expect_task("stack T4095", STEP_WHERE, 4095);
}

TEST(other_choices_have_names_too)
{
	EXPECT_TRUE(read_line("run timer"));
	EXPECT_EQ(STEP_TIMER, (int)words.way);
	EXPECT_EQ(CHESS_TASK_TIMER, words.value);
	EXPECT_TRUE(read_line("run late"));
	EXPECT_EQ(STEP_WAIT_ENDS, (int)words.way);
	EXPECT_EQ(CHESS_ENDS_LATE, words.value);
	EXPECT_TRUE(read_line("try spurious"));
	EXPECT_EQ(CHESS_ENDS_FOR_NOTHING, words.value);
}

TEST(a_number_is_one_where_none_is_given)
{
	expect_number("next", STEP_NEXT, 1);
	expect_number("next 3", STEP_NEXT, 3);
	expect_number("undo", STEP_UNDO, 1);
	expect_number("undo 12", STEP_UNDO, 12);
	expect_number("back 2", STEP_BACK, 2);
}

TEST(until_has_five_forms)
{
	expect_stop("until event 17", STEP_AT_EVENT, NULL);
	EXPECT_EQ((uint64_t)17, words.number);
	expect_stop("until function pay_back", STEP_AT_FUNCTION, "pay_back");
	expect_stop("until object b+0x8", STEP_AT_OBJECT, "b+0x8");
	expect_stop("until object  inode   3", STEP_AT_OBJECT, "inode 3");
	expect_stop("until T2 blocks", STEP_AT_BLOCK, NULL);
	EXPECT_EQ(2, words.value);
	expect_stop("until end", STEP_AT_END, NULL);
}

TEST(the_rest)
{
	EXPECT_TRUE(read_line("save"));
	EXPECT_EQ(STEP_SAVE, (int)words.verb);
	EXPECT_FALSE(words.text);
	EXPECT_TRUE(read_line("save a/b.trace"));
	EXPECT_STREQ("a/b.trace", words.text);
	EXPECT_TRUE(read_line("list") && words.verb == STEP_LIST);
	EXPECT_TRUE(read_line("verdict") && words.verb == STEP_VERDICT);
	EXPECT_TRUE(read_line("report") && words.verb == STEP_REPORT);
	EXPECT_TRUE(read_line("delta") && words.verb == STEP_DELTA);
	EXPECT_TRUE(read_line("help") && words.verb == STEP_HELP);
	EXPECT_TRUE(read_line("quit") && words.verb == STEP_QUIT);
	EXPECT_TRUE(read_line("") && words.verb == STEP_NOTHING);
	EXPECT_TRUE(read_line(" \t ") && words.verb == STEP_NOTHING);
	EXPECT_TRUE(read_line("# run T1") && words.verb == STEP_NOTHING);
}

TEST(what_is_no_command_is_refused)
{
	expect_refused("frob", "'frob' is not a command");
	expect_refused("RUN T1", "is not a command");
	expect_refused("T", "is not a command");
	expect_refused("T1 T2", "is not a command");
	expect_refused("T4096", "is not a command");
	expect_refused("run 1", "tasks are T0, T1");
	expect_refused("run t1", "tasks are T0, T1");
	expect_refused("run T", "tasks are T0, T1");
	expect_refused("run T-1", "tasks are T0, T1");
	expect_refused("run T1x", "tasks are T0, T1");
	expect_refused("run T99999999999999999999", "tasks are T0, T1");
	expect_refused("run T1 now", "takes one word");
	expect_refused("why", "takes a task");
	expect_refused("why timer", "takes a task");
	expect_refused("where late", "takes a task");
	expect_refused("list all", "takes nothing");
	expect_refused("next 0", "from 1 on");
	expect_refused("next -1", "from 1 on");
	expect_refused("undo many", "from 1 on");
	expect_refused("back 99999999999999999999", "from 1 on");
	expect_refused("until", "until takes");
	expect_refused("until 17", "until takes");
	expect_refused("until event", "until takes");
	expect_refused("until event 0", "from 1 on");
	expect_refused("until event x", "from 1 on");
	expect_refused("until timer blocks", "only tasks block");
	expect_refused("until T1 ends", "until takes");
	expect_refused("until object inode 3 now", "until takes");
	expect_refused("until function a b", "until takes");
}

TEST(a_line_may_be_as_long_as_it_is_said_and_no_longer)
{
	static char text[STEP_LINE_MAX + 1];

	memset(text, ' ', STEP_LINE_MAX - 1);
	memcpy(text, "list", 4);
	EXPECT_TRUE(read_line(text));
	EXPECT_EQ(STEP_LIST, (int)words.verb);
	memset(text, 'x', STEP_LINE_MAX);
	expect_refused(text, "at most 4095 characters");
	/* Nor does a long word make a long sentence. */
	text[STEP_LINE_MAX - 1] = 0;
	expect_refused(text, "is not a command");
	EXPECT_GT((size_t)120, strlen(words.error));
}

/* Each command in the help is one, and is read as its line has it. */
TEST(help_names_what_there_is)
{
	static const char *const names[] = {
		"next", "run", "run timer", "try", "until event", "until function", "until object",
		"until TASK blocks", "until end", "undo", "back", "where", "why", "list",
		"verdict", "report", "delta", "save", "help", "quit",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		EXPECT_TRUE(strstr(step_words_help(), names[i]));
}

TEST_HARNESS_MAIN
