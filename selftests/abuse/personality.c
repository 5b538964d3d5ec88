// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns address randomization off for the program it executes. Hard: control sets what it
 * wants of that itself.
 */
#include "abuse.h"

int main(int argc, char **argv)
{
	unsigned long was = syscall(SYS_personality, 0xffffffffUL);

	(void)argv;
	if (argc > 1) {
		say("not random %d\n", !!(was & 0x0040000));
		return 0;
	}
	syscall(SYS_personality, was | 0x0040000 /* ADDR_NO_RANDOMIZE */);
	execl("/proc/self/exe", "personality", "again", (char *)NULL);
	return 1;
}
