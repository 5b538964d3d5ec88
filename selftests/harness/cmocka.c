// SPDX-License-Identifier: GPL-2.0-only
/* A binary with cmocka: a test that is right, and with an argument one that is wrong, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "threads.h"

static void in_one_order(void **state)
{
	(void)state;
	assert_int_equal(threads_run(threads_in_order), 2);
}

static void in_two_orders(void **state)
{
	(void)state;
	assert_int_equal(threads_run(threads_reversed), 2);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest right[] = { cmocka_unit_test(in_one_order) };
	const struct CMUnitTest wrong[] = {
		cmocka_unit_test(in_one_order), cmocka_unit_test(in_two_orders),
	};

	(void)argv;
	return argc > 1 ? cmocka_run_group_tests(wrong, NULL, NULL) :
			  cmocka_run_group_tests(right, NULL, NULL);
}
