// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring whose requests are submitted by a thread of the kernel. Hard: a task of the process
 * that is none of the program's.
 */
#include <linux/io_uring.h>

#include "abuse.h"

int main(void)
{
	struct io_uring_params p = { .flags = IORING_SETUP_SQPOLL, .sq_thread_idle = 10 };
	int ring = (int)syscall(SYS_io_uring_setup, 4, &p);

	both(count, NULL, NULL);
	if (ring >= 0)
		close(ring);
	say("counted %d\n", counted);
	return 0;
}
