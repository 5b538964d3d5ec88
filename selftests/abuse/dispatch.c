// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has the kernel make signals of its system calls (syscall user dispatch), as emulators do.
 * Hard: the call is not made after we saw it.
 */
#include "abuse.h"

static volatile int signals;
static char selector;

static void on_sys(int sig)
{
	(void)sig;
	selector = 0;
	signals++;
}

int main(void)
{
	int i;

	signal(SIGSYS, on_sys);
	if (prctl(59 /* PR_SET_SYSCALL_USER_DISPATCH */, 1, 0, 0, &selector)) {
		say("no dispatch\n");
		return 0;
	}
	for (i = 0; i < 3; i++) {
		selector = 1;
		/* The handler takes the block away, so that it can return. */
		asm volatile("syscall" : : "a"(SYS_sched_yield) : "rcx", "r11", "memory");
	}
	prctl(59, 0, 0, 0, 0);
	say("signals %d\n", signals);
	return 0;
}
