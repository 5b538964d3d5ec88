// SPDX-License-Identifier: GPL-2.0-only
/*
 * One test that prints TAP: "passes" (default), "deadlocks" in some schedules, "skips" with the
 * code of kselftest, "skips_controlled": as soon as somebody controls it, "sleeps" longer than
 * anybody waits, whatever else is asked of it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "threads.h"

/* The path that is in the namespace of the module's alone: each run begins with pid 2. */
static int is_controlled(void)
{
	return getpid() == 2;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "passes";
	int ok;

	if (argc > 1 && !strcmp(argv[argc - 1], "sleeps"))
		sleep(3600);
	puts("TAP version 13\n1..1");
	if (!strcmp(what, "skips") || (!strcmp(what, "skips_controlled") && is_controlled())) {
		puts("ok 1 # SKIP not here");
		return 4;
	}
	ok = threads_run(!strcmp(what, "deadlocks") ? threads_reversed : threads_in_order) == 2;
	printf("%s 1 both locks\n", ok ? "ok" : "not ok");
	printf("# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:0 error:0\n", ok, !ok);
	return !ok;
}
