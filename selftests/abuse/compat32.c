// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls of the 32-bit ABI from a 64-bit program, and one with the x32 bit. Hard: their
 * numbers mean something else.
 */
#include "abuse.h"

static long call32(long nr)
{
	long ret;

	asm volatile("int $0x80" : "=a"(ret) : "a"(nr) : "memory");
	return ret;
}

int main(void)
{
	long x32;
	int i;

	say("getpid %d\n", call32(20) == getpid());
	for (i = 0; i < 3; i++)
		say("sched_yield %ld\n", call32(158));
	x32 = syscall(0x40000000 | SYS_getpid);
	say("x32 %d\n", x32 == getpid() || x32 == -1);
	return 0;
}
