// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task finds nothing to do, says that it sleeps, and sleeps. A wake-up between the look and
 * the word finds a task that is awake, and does nothing. Mended: the word comes first.
 *
 * source: Sovani, Kernel Korner: Sleeping in the Kernel, Linux Journal, 2005
 * expect: verdict=deadlock
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "outside.h"

static atomic_int state, work;

static void schedule(void)
{
	while (atomic_load(&state))
		syscall(SYS_futex, &state, FUTEX_WAIT, 1, NULL, NULL, 0);
}

static void consume(void)
{
	if (IS_MENDED) {
		for (atomic_store(&state, 1); !atomic_load(&work); atomic_store(&state, 1))
			schedule();
		return;
	}
	while (!atomic_load(&work)) {
		atomic_store(&state, 1);
		schedule();
	}
}

static void *produce(void *arg)
{
	(void)arg;
	atomic_store(&work, 1);
	if (atomic_exchange(&state, 0))
		syscall(SYS_futex, &state, FUTEX_WAKE, 1, NULL, NULL, 0);
	return NULL;
}

int main(void)
{
	together(consume, produce);
	return 0;
}
