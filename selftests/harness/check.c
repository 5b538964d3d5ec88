// SPDX-License-Identifier: GPL-2.0-only
/* A binary with Check: a test case that is right and one that is wrong. */
#include <check.h>
#include <stdlib.h>

#include "threads.h"

START_TEST(in_one_order)
{
	ck_assert_int_eq(threads_run(threads_in_order), 2);
}
END_TEST

START_TEST(in_two_orders)
{
	ck_assert_int_eq(threads_run(threads_reversed), 2);
}
END_TEST

static void add(Suite *s, const char *name, const TTest *test)
{
	TCase *c = tcase_create(name);

	tcase_add_test(c, test);
	suite_add_tcase(s, c);
}

int main(void)
{
	Suite *s = suite_create("locks & keys");
	SRunner *r;
	int failed;

	add(s, "one order", in_one_order);
	add(s, "two orders", in_two_orders);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
