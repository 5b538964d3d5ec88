// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes itself thirty times. Hard: traps of each address space, and none of the last one.
 */
#include "abuse.h"

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	char arg[12];

	if (n < 30) {
		snprintf(arg, sizeof(arg), "%d", n + 1);
		execl("/proc/self/exe", "execstorm", arg, (char *)NULL);
	}
	say("executed %d\n", n);
	return 0;
}
