// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads become SCHED_FIFO and back, and ask for SCHED_DEADLINE, which wants all processors.
 * Hard: a policy under which others would not run.
 */
#include "abuse.h"

struct attributes {
	unsigned int size, policy;
	unsigned long flags;
	int nice;
	unsigned int priority;
	unsigned long runtime, deadline, period;
};

static void *change(void *result)
{
	struct attributes deadline = { sizeof(deadline), 6, 0, 0, 0, 1000000, 10000000, 10000000 };
	struct sched_param param = { 10 };
	int fifo, other, i;

	fifo = sched_setscheduler(0, SCHED_FIFO, &param);
	for (i = 0; i < 3; i++)
		sched_yield();
	usleep(1000);
	param.sched_priority = 0;
	other = sched_setscheduler(0, SCHED_OTHER, &param);
	/* Whether there is room for it depends on the machine. */
	syscall(SYS_sched_setattr, 0, &deadline, 0);
	sched_yield();
	usleep(1000);
	*(int *)result = !fifo + 2 * !other;
	return NULL;
}

int main(void)
{
	int a, b;

	both(change, &a, &b);
	say("changed %d %d\n", a, b);
	return 0;
}
