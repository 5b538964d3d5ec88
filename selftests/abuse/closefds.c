// SPDX-License-Identifier: GPL-2.0-only
/*
 * Closes every descriptor it was not told of, as daemons do, but for a copy of its stdout.
 * Hard: anything of ours that were open in there.
 */
#include "abuse.h"

static void *use(void *unused)
{
	char byte;
	int i, fds[2];

	(void)unused;
	for (i = 0; i < 5; i++)
		if (!pipe(fds)) {
			counted += write(fds[1], "x", 1) == 1 && read(fds[0], &byte, 1) == 1;
			close(fds[0]);
			close(fds[1]);
		}
	return NULL;
}

int main(void)
{
	dup2(1, 900);
	syscall(SYS_close_range, 0, 899, 0);
	syscall(SYS_close_range, 901, ~0U, 0);
	both(use, NULL, NULL);
	return write(900, "closed all\n", 11) != 11;
}
