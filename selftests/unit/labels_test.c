// SPDX-License-Identifier: GPL-2.0-only
/*
 * Labels of tasks: which one fits, what its groups become, and what is no label.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/labels.h"
#include "harness.h"

static void use(size_t n, const char **labels)
{
	report_labels.v = labels;
	report_labels.n = n;
}

static void expect_label(const char *shown, const char *name, const char *function)
{
	char *label = report_label(name, function);

	EXPECT_STREQ(shown ? shown : "(none)", label ? label : "(none)");
	free(label);
}

TEST(the_first_that_fits_counts)
{
	static const char *labels[] = { "^io-[0-9]+$=reader", "worker=crew", "^w=late", "a=b=c" };

	use(4, labels);
	ASSERT_EQ(CLI_PROCEED, report_labels_check("show"));
	expect_label("reader", "io-12", "worker()");
	expect_label("crew", "io-x", "worker()");
	expect_label("crew", NULL, "my_worker()");
	expect_label("late", "wait", NULL);
	/* The expression ends at the last "=". */
	expect_label("c", "a=b", NULL);
	expect_label(NULL, "main", "main()");
	expect_label(NULL, NULL, NULL);
}

TEST(groups_are_filled_in)
{
	static const char *labels[] = {
		"^pool-([0-9]+)-(in)?=P\\1\\2 of \\0", "(x)=\\9[\\1]\\",
	};

	use(2, labels);
	ASSERT_EQ(CLI_PROCEED, report_labels_check("show"));
	expect_label("P7in of pool-7-in", "pool-7-in", NULL);
	/* A group that matched nothing is empty. */
	expect_label("P7 of pool-7-", "pool-7-out", NULL);
	expect_label("[x]\\", "x", NULL);
}

TEST(what_is_no_label_is_refused)
{
	static const char *const bad[] = { "name", "=name", "name=", "", "(=x", "[=x" };
	const char *one[1];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		one[0] = bad[i];
		use(1, one);
		EXPECT_EQ(CLI_USAGE, report_labels_check("show"));
	}
	use(0, NULL);
	EXPECT_EQ(CLI_PROCEED, report_labels_check("show"));
	expect_label(NULL, "name", "main()");
}

TEST_HARNESS_MAIN
