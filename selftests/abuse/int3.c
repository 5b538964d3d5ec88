// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breakpoint instructions of its own, in both encodings. Hard: they look like our traps.
 */
#include "abuse.h"

static volatile int traps;

static void on_trap(int sig)
{
	(void)sig;
	traps++;
}

int main(void)
{
	int i;

	signal(SIGTRAP, on_trap);
	for (i = 0; i < 5; i++) {
		asm volatile("int3");
		asm volatile(".byte 0xcd, 0x03");
		sched_yield();
	}
	say("traps %d\n", traps);
	return 0;
}
