// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that no name can give a terminal a command, and that JSON is JSON, whatever bytes
 * are in it; and that text of all languages stays as it is.
 */
#include <json-c/json.h>

#include "../../cli/plain.c"
#include "harness.h"

static char out[4096];

static const char *text(const char *from, bool terminal, bool progress)
{
	struct plain p;

	plain_start(&p, terminal);
	p.progress = progress;
	out[plain_text(&p, from, strlen(from), out)] = '\0';
	return out;
}

TEST(text_stays_as_it_is)
{
	static const char *const same[] = {
		"", "a line\n\tand one\n", "Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\x99\x82 \xc3\x80\xc3\x9f",
		"latin \xe4\xf6\xfc", "C:\\x41",
	};
	size_t i;

	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		EXPECT_STREQ(same[i], text(same[i], false, false));
		EXPECT_STREQ(same[i], text(same[i], true, true));
	}
}

TEST(commands_are_told_as_numbers)
{
	EXPECT_STREQ("a\\x1b[2Jb", text("a\033[2Jb", true, true));
	EXPECT_STREQ("\\x1b]0;title\\x07", text("\033]0;title\a", true, true));
	EXPECT_STREQ("a\\x0db\\x08\\x7f\\x01", text("a\rb\b\x7f\x01", true, true));
	/* as one byte, and as a letter of UTF-8 */
	EXPECT_STREQ("\\x9b2J", text("\x9b" "2J", true, true));
	EXPECT_STREQ("\xc2\\x9b" "2J", text("\xc2\x9b" "2J", true, true));
}

/* In two writes it is the same. */
TEST(letters_that_are_cut_are_letters)
{
	struct plain p;
	size_t n;

	plain_start(&p, false);
	n = plain_text(&p, "\xe2\x82", 2, out);
	n += plain_text(&p, "\x9a!", 2, out + n);
	out[n] = '\0';
	EXPECT_STREQ("\xe2\x82\x9a!", out);
	n = plain_text(&p, "\xc2", 1, out);
	n += plain_text(&p, "\x9b", 1, out + n);
	out[n] = '\0';
	EXPECT_STREQ("\xc2\\x9b", out);
}

TEST(what_is_ours_goes_to_terminals_only)
{
	EXPECT_STREQ("\033[1;31mcrash\033[0m", text("\033[1;31mcrash\033[0m", true, false));
	EXPECT_STREQ("\\x1b[1;31mcrash", text("\033[1;31mcrash", false, false));
	EXPECT_STREQ("\r\033[K", text("\r\033[K", true, true));
	EXPECT_STREQ("\\x0d", text("\r", true, false));
	EXPECT_STREQ("\\x0d", text("\r", false, true));
	EXPECT_STREQ("\033[H\033[2J", text("\033[H\033[2J", true, false));
	EXPECT_STREQ("\\x1b[H", text("\033[H", true, false));
}

/* One string of @bytes as JSON; what a reader makes of it. */
static const char *json(const char *bytes, char **raw)
{
	struct json_object *o = json_object_new_object(), *back;
	struct json_tokener *t = json_tokener_new();
	size_t size;
	FILE *f = open_memstream(raw, &size);

	json_object_object_add(o, "name", json_object_new_string(bytes));
	plain_json(json_object_to_json_string(o), f);
	fclose(f);
	json_object_put(o);
	json_tokener_set_flags(t, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	back = json_tokener_parse_ex(t, *raw, size);
	if (!back)
		TH_LOG("%s", *raw);
	ASSERT_TRUE(back);
	return json_object_get_string(json_object_object_get(back, "name"));
}

TEST(json_is_valid)
{
	static const struct { const char *bytes, *back; } rows[] = {
		{ "plain", "plain" }, { "\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac" },
		{ "\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82" },
		{ "\033[2J\x7f\n", "\033[2J\x7f\n" }, { "\xc2\x9b", "\xc2\x9b" },
		{ "a\xff" "b", "a\xef\xbf\xbd" "b" }, { "\x9b", "\xef\xbf\xbd" },
		{ "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" }, { "\xc3", "\xef\xbf\xbd" },
		/* a half of a letter, and too long for what it is */
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe0\x80\x9b", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	};
	size_t i, k;
	char *raw;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		EXPECT_STREQ(rows[i].back, json(rows[i].bytes, &raw));
		for (k = 0; raw[k]; k++)
			EXPECT_TRUE((unsigned char)raw[k] >= 0x20 || raw[k] == '\n');
		EXPECT_FALSE(strchr(raw, 0x7f));
		free(raw);
	}
}

static bool is_command(unsigned char c, unsigned char before)
{
	if (c < 0x20 || c == 0x7f)
		return c != '\n' && c != '\t';
	/* After these it is a part of a letter. */
	return c >= 0x80 && c < 0xa0 && (before < 0xc3 || before > 0xf4);
}

/* Each byte after each: nothing is left that a terminal obeys. */
TEST(all_pairs_of_bytes)
{
	unsigned int a, b, i;

	for (a = 1; a < 256; a++)
		for (b = 1; b < 256; b++) {
			const char pair[] = { a, b, 0 };

			text(pair, false, false);
			for (i = 0; out[i]; i++)
				EXPECT_FALSE(is_command(out[i], i ? out[i - 1] : 0));
		}
}

TEST_HARNESS_MAIN
