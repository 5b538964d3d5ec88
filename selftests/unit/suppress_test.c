// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which races a file of suppressions hides, and that what is no rule is refused by
 * file and line.
 */
#include "harness.h"
#include "internal.h"
#include "chessctl/races.h"

static struct chess_suppressions *read_text(const char *text)
{
	static const char path[] = "/tmp/chess_suppress_test";
	struct chess_suppressions *s;
	char name[64];
	FILE *f;
	int err;

	snprintf(name, sizeof(name), "%s.%d", path, getpid());
	f = fopen(name, "w");
	ASSERT_TRUE(f);
	fputs(text, f);
	fclose(f);
	s = chess_suppressions_read(name);
	err = errno;
	unlink(name);
	errno = err;
	return s;
}

static const struct chess_race_names race = {
	.function = { "put", "get_all" }, .source = { "src/queue.c", "src/main.c" },
	.image = { "/usr/bin/prog", "/usr/lib/libq.so.1" }, .variable = "queue_head",
	.address = 0x4010,
};

TEST(each_rule_hides_what_it_names)
{
	static const struct { const char *rule; bool hides; } cases[] = {
		{ "function put", true }, { "function get_*", true }, { "function pu", false },
		{ "function get", false }, { "file queue.c", true }, { "file src/m*.c", true },
		{ "file libq.so*", true }, { "file /usr/bin/prog", true }, { "file q.c", false },
		{ "pair put get_all", true }, { "pair get_* put", true }, { "pair put put", false },
		{ "variable queue_head", true }, { "variable queue", false },
		{ "address 0x4010", true }, { "address 0x4009", true }, { "address 0x4008", false },
		{ "address 0x4000 0x11", true }, { "address 0x4000 16", false },
		{ "address 0x4011", false }, { "  function\tput  # why", true }, { "# put", false },
		{ "", false },
	};
	struct chess_suppressions *s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		s = read_text(cases[i].rule);
		ASSERT_TRUE(s);
		if (chess_suppressions_match(s, &race) != cases[i].hides) {
			TH_LOG("\"%s\"", cases[i].rule);
			HARNESS_FAILED(0);
		}
		chess_suppressions_free(s);
	}
}

TEST(the_first_rule_counts)
{
	struct chess_suppressions *s = read_text("# header\n\nvariable nobody\nfunction p*\nfile *\n");

	ASSERT_TRUE(s);
	EXPECT_EQ(4U, chess_suppressions_match(s, &race));
	EXPECT_EQ(4U, chess_suppressions_match(s, &race));
	EXPECT_EQ(2UL, (unsigned long)chess_suppressions_used(s, 4));
	EXPECT_EQ(0UL, (unsigned long)chess_suppressions_used(s, 3));
	EXPECT_EQ(0UL, (unsigned long)chess_suppressions_used(s, 5));
	chess_suppressions_free(s);
}

/* Stripped programs have no names. */
TEST(what_is_not_known_matches_nothing)
{
	struct chess_suppressions *s = read_text("function *\nfile *\npair * *\nvariable *\n");
	struct chess_race_names nothing = { .address = 1 };

	ASSERT_TRUE(s);
	EXPECT_EQ(0U, chess_suppressions_match(s, &nothing));
	chess_suppressions_free(s);
}

TEST(what_is_no_rule_is_refused)
{
	static const char *const texts[] = {
		"put\n", "function\n", "function a b\n", "pair a\n", "pair a b c\n", "address put\n",
		"address 0x10 -3\n", "address 1 2 3\n", "function a b c d e\n",
	};
	char text[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		snprintf(text, sizeof(text), "function x\n%s", texts[i]);
		EXPECT_EQ(NULL, (void *)read_text(text));
		EXPECT_EQ(EINVAL, errno);
		EXPECT_NE(NULL, (void *)strstr(chess_error(), "line 2"));
	}
	EXPECT_EQ(NULL, (void *)chess_suppressions_read("/nonexistent/file"));
	EXPECT_EQ(ENOENT, errno);
}

TEST_HARNESS_MAIN
