// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the estimate of a search is said with the digits it has, and that one beyond
 * all estimates is no number.
 */
#include <string.h>

#include "../../cli/estimate.c"
#include "harness.h"

static char out[64];

static const char *text(double estimate)
{
	estimate_text(estimate, out, sizeof(out));
	return out;
}

static const char *json(double estimate)
{
	struct json_object *o = estimate_json(estimate);

	snprintf(out, sizeof(out), "%s", o ? json_object_to_json_string(o) : "null");
	json_object_put(o);
	return out;
}

TEST(progress_says_what_is_known)
{
	EXPECT_STREQ("", text(0));
	EXPECT_STREQ("of about 1500, ", text(1500.9));
	EXPECT_STREQ("of about 1.2e+09, ", text(1.234e9));
	EXPECT_STREQ("of more than 1e+37, ", text(CHESS_ESTIMATE_MAX));
	EXPECT_STREQ("of more than 1e+37, ", text(CHESS_ESTIMATE_MAX + 1));
}

TEST(json_has_no_digits_that_nobody_knows)
{
	EXPECT_STREQ("1500", json(1500));
	EXPECT_STREQ("1500", json(1500.9));
	EXPECT_STREQ("1.2e+30", json(1.234567890123456e30));
}

TEST(what_is_not_known_is_null)
{
	EXPECT_STREQ("null", json(0));
	EXPECT_STREQ("null", json(CHESS_ESTIMATE_MAX));
	EXPECT_STREQ("null", json(CHESS_ESTIMATE_MAX * 1.5));
}

TEST_HARNESS_MAIN
