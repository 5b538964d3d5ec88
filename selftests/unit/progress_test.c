// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that progress on stderr is what was asked for: lines now and then in a log, an object
 * a line with --progress json, which JSON's own parser reads, or nothing.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "../harness.h"

static char *said;
static size_t size;
static FILE *was;

static void begin(const char *form)
{
	out_progress_form = form;
	was = stderr;
	stderr = open_memstream(&said, &size);
}

static void end(void)
{
	fclose(stderr);
	stderr = was;
}

/* A search of so many seconds that makes ten runs in each. */
static void work(unsigned int seconds, double estimate)
{
	struct out_progress p = { 0 };
	struct out_work w = {
		.phase = "search", .estimate = estimate, .bound = 2, .rest = "1 found", .found = 1,
	};

	for (w.runs = 1; w.runs <= 10 * seconds; w.runs++) {
		w.seconds = w.runs / 10.0;
		out_progress(&p, &w);
	}
	w.runs--;
	out_progress_done(&p, &w);
}

static size_t lines(void)
{
	size_t n = 0;
	const char *c;

	for (c = said; *c; c++)
		n += *c == '\n';
	return n;
}

TEST(a_log_has_a_line_now_and_then)
{
	begin("text");
	work(1, 0);
	end();
	EXPECT_STREQ("", said);
	free(said);
	begin("text");
	work(35, 700);
	end();
	/* after two seconds, and then every ten */
	EXPECT_EQ(4u, lines());
	EXPECT_NE(NULL, strstr(said, "chessctl: search: 20 runs, 10 runs/s, 1 found, about 68 s left\n"));
	EXPECT_EQ(NULL, strchr(said, '\r'));
	free(said);
}

TEST(json_has_an_object_a_line_and_one_at_the_end)
{
	struct json_object *o = NULL, *v;
	char *line, *rest;
	int64_t runs = 0;
	size_t n;

	begin("json");
	work(5, 80.5);
	end();
	n = lines();
	EXPECT_LE(5u, n);
	EXPECT_LE(n, 7u);
	for (line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		json_object_put(o);
		o = json_tokener_parse(line);
		ASSERT_NE(NULL, (void *)o);
		ASSERT_TRUE(json_object_object_get_ex(o, "runs", &v));
		EXPECT_LE(runs, json_object_get_int64(v));
		runs = json_object_get_int64(v);
		ASSERT_TRUE(json_object_object_get_ex(o, "left", &v));
		EXPECT_EQ(80 - runs, json_object_get_int64(v));
		ASSERT_TRUE(json_object_object_get_ex(o, "done", &v));
		EXPECT_EQ(!*rest, json_object_get_boolean(v));
	}
	EXPECT_EQ(50, runs);
	json_object_put(o);
	free(said);
}

TEST(what_is_not_known_is_null)
{
	struct json_object *o, *v;

	begin("json");
	out_progress_done(&(struct out_progress){ 0 }, &(struct out_work){
		.phase = "a \"stage\"\n", .found = -1, .bound = -1, .estimate = CHESS_ESTIMATE_MAX,
	});
	end();
	EXPECT_EQ(1u, lines());
	o = json_tokener_parse(said);
	ASSERT_NE(NULL, (void *)o);
	EXPECT_TRUE(json_object_object_get_ex(o, "estimate", &v) && !v);
	EXPECT_TRUE(json_object_object_get_ex(o, "left", &v) && !v);
	EXPECT_TRUE(json_object_object_get_ex(o, "found", &v) && !v);
	EXPECT_TRUE(json_object_object_get_ex(o, "bound", &v) && !v);
	json_object_put(o);
	free(said);
}

TEST(none_is_none)
{
	begin("none");
	work(100, 2000);
	end();
	EXPECT_STREQ("", said);
	free(said);
}

TEST(other_words_are_refused)
{
	begin("yaml");
	EXPECT_EQ(CLI_USAGE, out_progress_check("explore"));
	end();
	EXPECT_STREQ("chessctl: explore: --progress takes text, json or none, not 'yaml'\n", said);
	free(said);
	out_progress_form = "json";
	EXPECT_EQ(CLI_PROCEED, out_progress_check("explore"));
}

TEST_HARNESS_MAIN
